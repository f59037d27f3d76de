// Where the blocks of a document go when the user chooses a field for one of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './browser.js';

const { Failure } = await import('../../ui/core/api.js');
const { moved, picturesOf, placeOf, whyUnread, withPictures } = await import('../../ui/form/reading.js');

const block = (id, kind, level = 0, below = 0) => ({ id, kind, level, text: id, below });
const BLOCKS = [
  block('on the bench', 'heading', 2, 3),
  block('clay', 'item', 1),
  block('for the teacher', 'heading', 3, 1),
  block('kettle', 'item', 1),
  block('drawing', 'picture'),
  block('the hour', 'heading', 2, 1),
  block('roll it', 'item', 1),
];
const LIST = { type: 'array' };
const fieldsOf = ({ blocks }) => blocks.map(({ field = '' }) => field).join();

test('choosing a field for a heading also assigns the blocks below the heading', () => {
  const after = moved(BLOCKS, 0, 'materials', LIST, new Set());
  assert.equal(fieldsOf(after), 'materials,materials,materials,materials,,,');
  assert.equal(placeOf(after.blocks, new Set(['on the bench'])), 'materials:1-4;*:1-1');
});

test('choosing a field for a heading does not move blocks with a field of their own', () => {
  const after = moved(BLOCKS, 0, 'materials', LIST, new Set(['clay']));
  assert.equal(fieldsOf(after), 'materials,,materials,materials,,,');
});

test('choosing the title field for a heading, or a field for an item, moves no other block', () => {
  const title = moved(BLOCKS, 0, 'title', { type: 'string', maxLength: 300 }, new Set());
  assert.deepEqual([fieldsOf(title), title.isLabel], ['title,,,,,,', false]);
  const item = moved(BLOCKS, 1, 'safety', LIST, new Set());
  assert.deepEqual([fieldsOf(item), item.isLabel], [',safety,,,,,', false]);
});

test('a block assigned to a one-line field replaces the block that was there', () => {
  const blocks = [
    { ...block('Investigation 3', 'heading', 1), field: 'title' },
    block('Do they fall slowly?', 'paragraph'),
  ];
  assert.equal(fieldsOf(moved(blocks, 1, 'title', { type: 'string', maxLength: 300 }, new Set())), ',title');
  const listed = [{ ...block('clay', 'item', 1), field: 'materials' }, block('kettle', 'item', 1)];
  assert.equal(fieldsOf(moved(listed, 1, 'materials', LIST, new Set())), 'materials,materials');
});

test('choosing a field for a picture also moves its caption, unless the caption has a chosen field', () => {
  const drawing = { ...block('drawing', 'picture'), field: 'steps', picture: { path: 'steps.0', caption: 'Fig. 1' } };
  const blocks = [block('roll it', 'item'), drawing, { ...block('Fig. 1', 'paragraph'), field: 'steps' }];
  const after = moved(blocks, 1, 'pictures', LIST, new Set());
  assert.deepEqual([fieldsOf(after), after.isLabel], [',pictures,pictures', false]);
  assert.equal(fieldsOf(moved(blocks, 1, 'pictures', LIST, new Set(['Fig. 1']))), ',pictures,steps');
});

test('a picture that came without a place goes to the field of pictures', () => {
  const picture = (id, path) => ({ ...block(id, 'picture'), picture: { type: 'image/png', data: 'AAAA', ...path } });
  const blocks = [picture('funnel', { path: 'steps.0.picture' }), picture('jar', {})];
  const reading = { content: { steps: [{ text: 'Filter.' }] }, blocks, notPlaced: ['jar'] };
  const { steps, pictures } = withPictures(reading, picturesOf(reading, 'pictures'));
  assert.deepEqual([steps[0].picture.alt, pictures.map(({ alt }) => alt)], ['funnel', ['jar']]);
  assert.equal(placeOf(reading.blocks), 'pictures:2-2');
});

test('the reason for an unreadable file or text is a sentence that names the file or text', () => {
  const damaged = new Failure(400, {
    message: 'Validation failed',
    errors: [{ path: '', message: 'the file is damaged' }],
  });
  assert.equal(whyUnread(damaged, new Blob([])), 'The file is damaged.');
  const large = new Failure(413, { message: 'Too large', error: 'The body has more than 5242880 bytes' });
  assert.equal(whyUnread(large, { text: '' }), 'The text is larger than 5 MiB.');
  assert.equal(whyUnread(large, new Blob([])), 'The file is larger than 5 MiB.');
});
