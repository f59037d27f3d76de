// What the page reads from a schema, and the patches that it sends.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './browser.js';

const { beginning, content, fields, hasPictures, kind, label, resolved } = await import('../../ui/core/schema.js');
const { isBlank, mergePatch, number } = await import('../../ui/text/values.js');

test('the kind of a control fits the value, and else the value is shown as JSON', () => {
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

test('references and parts of a schema are resolved, and a circle ends', () => {
  const root = { $defs: { step: { type: 'object', properties: { text: {} } }, circle: { $ref: '#/$defs/circle' } } };
  assert.deepEqual(resolved({ $ref: '#/$defs/step', title: 'Step' }, root), { ...root.$defs.step, title: 'Step' });
  assert.deepEqual(resolved({ allOf: [{ properties: { a: {} } }], properties: { b: {} } }, root).properties, {
    a: {},
    b: {},
  });
  assert.deepEqual(resolved(root.$defs.circle, root), {});
});

test('fields stand in their order, and those that the schema does not name come last', () => {
  const root = { properties: { b: { 'x-order': 2 }, a: { 'x-order': 1, title: 'First' } } };
  const found = fields(root, { own: 'text', b: 1 }).map(({ name, label, known }) => ({ name, label, known }));
  assert.deepEqual(found, [
    { name: 'a', label: 'First', known: true },
    { name: 'b', label: 'B', known: true },
    { name: 'own', label: 'Own', known: false },
  ]);
});

test('pictures are told from other objects', () => {
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

test('a name becomes a label', () => {
  assert.deepEqual(
    ['durationMinutes', 'home_work', 'unplacedText'].map((name) => label(name, {})),
    ['Duration minutes', 'Home work', 'Text not placed yet'],
  );
});

test('a text is a number only as JSON writes numbers', () => {
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

test('white space and empty parts are blank, and zero is not', () => {
  for (const value of [undefined, null, ' \n', [], {}, [{ text: '' }], { a: [] }]) assert.equal(isBlank(value), true);
  for (const value of [0, false, 'a', [0], { a: false }]) assert.equal(isBlank(value), false);
});

test('a new entry has the required parts with the least values', () => {
  const schema = {
    type: 'object',
    required: ['text', 'minutes'],
    properties: { text: { type: 'string', minLength: 1 }, minutes: { type: 'integer', minimum: 1 }, notes: {} },
  };
  assert.deepEqual(beginning(schema, {}), { text: '…', minutes: 1 });
});

test('a merge patch has what changed, and null for what is gone', () => {
  const before = { title: 'a', ours: { x: 1, y: 2 }, list: [1, 2] };
  const after = { title: 'a', ours: { x: 1, z: 3 }, list: [2] };
  assert.deepEqual(mergePatch(before, after), { ours: { y: null, z: 3 }, list: [2] });
  assert.equal(mergePatch('a', undefined), null);
});

test('the content leaves out the fields of the service', () => {
  assert.deepEqual(content({ _id: '1', revision: 2, title: 'a' }), { title: 'a' });
});
