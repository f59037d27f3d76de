// What the page reads from a schema, and the patches that it sends.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './browser.js';

const { beginning, content, fields, hasPictures, kind, label, resolved } = await import('../../ui/core/schema.js');
const { isBlank, mergePatch, number } = await import('../../ui/text/values.js');

test('a value is edited in the control of its schema type, or as JSON if it does not fit', () => {
  const table = [
    [{ type: 'string' }, 'a', 'text'],
    [{ type: 'string' }, 1, 'json'],
    [{ type: ['string', 'number'] }, 1, 'text'],
    [{ type: ['integer', 'null'] }, undefined, 'number'],
    [{ type: 'integer' }, '3–4', 'number'],
    [{ enum: [1, 2] }, 2, 'choice'],
    [{ enum: [1, 2] }, 3, 'json'],
    [{ type: 'boolean' }, false, 'truth'],
    [{ type: 'array' }, [], 'list'],
    [{ properties: {} }, {}, 'object'],
    [{}, 'a', 'json'],
  ];
  for (const [schema, value, expected] of table) assert.equal(kind(schema, value), expected, JSON.stringify(schema));
});

test('references in a schema are resolved, and a circular reference does not loop endlessly', () => {
  const root = { $defs: { step: { type: 'object', properties: { text: {} } }, circle: { $ref: '#/$defs/circle' } } };
  assert.deepEqual(resolved({ $ref: '#/$defs/step', title: 'Step' }, root), { ...root.$defs.step, title: 'Step' });
  assert.deepEqual(resolved({ allOf: [{ properties: { a: {} } }], properties: { b: {} } }, root).properties, {
    a: {},
    b: {},
  });
  assert.deepEqual(resolved(root.$defs.circle, root), {});
});

test('fields are in schema order, and fields outside the schema come last', () => {
  const root = { properties: { b: { 'x-order': 2 }, a: { 'x-order': 1, title: 'First' } } };
  const found = fields(root, { own: 'text', b: 1 }).map(({ name, label, known }) => ({ name, label, known }));
  assert.deepEqual(found, [
    { name: 'a', label: 'First', known: true },
    { name: 'b', label: 'B', known: true },
    { name: 'own', label: 'Own', known: false },
  ]);
});

test('a schema property is recognized as a picture or a list of pictures', () => {
  const picture = { type: 'object', properties: { id: {}, alt: {}, caption: {} } };
  const root = { $defs: { picture } };
  const many = { type: 'array', items: { $ref: '#/$defs/picture' } };
  const other = { type: 'object', properties: { id: {} } };
  assert.deepEqual(
    [picture, many, other].map((schema) => [kind(schema, undefined), hasPictures(schema, root)]),
    [
      ['picture', true],
      ['list', true],
      ['object', false],
    ],
  );
  assert.equal(kind(picture, 'a text'), 'json');
});

test('a field name without a title is turned into a readable label', () => {
  assert.deepEqual(
    ['durationMinutes', 'home_work', 'unplacedText'].map((name) => label(name, {})),
    ['Duration minutes', 'Home work', 'Text not placed yet'],
  );
});

test('typed text counts as a number only in the notation of JSON', () => {
  const table = [
    ['12', 12],
    [' 1.5 ', 1.5],
    ['1e3', 1000],
    ['1,5', undefined],
    ['012', undefined],
    ['12 V', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of table) assert.equal(number(text), expected, text);
});

test('white space, empty lists and empty objects are blank, and zero is not', () => {
  for (const value of [undefined, null, ' \n', [], {}, [{ text: '' }], { a: [] }]) assert.equal(isBlank(value), true);
  for (const value of [0, false, 'a', [0], { a: false }]) assert.equal(isBlank(value), false);
});

test('a new list entry has its required properties with the smallest valid values', () => {
  const schema = {
    type: 'object',
    required: ['text', 'minutes'],
    properties: { text: { type: 'string', minLength: 1 }, minutes: { type: 'integer', minimum: 1 }, notes: {} },
  };
  assert.deepEqual(beginning(schema, {}), { text: '…', minutes: 1 });
});

test('a merge patch has the changed values, and null for removed fields', () => {
  const before = { title: 'a', ours: { x: 1, y: 2 }, list: [1, 2] };
  const after = { title: 'a', ours: { x: 1, z: 3 }, list: [2] };
  assert.deepEqual(mergePatch(before, after), { ours: { y: null, z: 3 }, list: [2] });
  assert.equal(mergePatch('a', undefined), null);
});

test('the content of a lesson excludes the system fields', () => {
  assert.deepEqual(content({ _id: '1', revision: 2, title: 'a' }), { title: 'a' });
});
