// Comparisons of texts and of contents.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './browser.js';
import { randomOf } from './random.js';
import { stepsOf } from './steps.js';

const { differences, reverted, selected, words } = await import('../../ui/text/diff.js');

/** Writes a comparison as [gone] and {new} words. */
function marked(before, after) {
  const marks = { same: ['', ''], gone: ['[', ']'], new: ['{', '}'] };
  return words(before, after)
    .map(({ kind, text }) => marks[kind].join(text))
    .join('');
}

test('a comparison of two texts marks removed and added words', () => {
  const table = [
    ['Sow ten seeds.', 'Sow ten seeds.', 'Sow ten seeds.'],
    ['Sow ten seeds.', 'Sow twenty seeds.', 'Sow [ten]{twenty} seeds.'],
    ['Sow ten seeds now.', 'Plant some seeds.', '[Sow ten]{Plant some} seeds[ now].'],
    ['', 'Sow.', '{Sow.}'],
    ['日本', '日本', '日本'],
  ];
  for (const [before, after, expected] of table) assert.equal(marked(before, after), expected);
});

test('a cursor or a selection stays at its words when the text around it changes', () => {
  // Each row has a text before and after a change. “|” marks the cursor, or both ends of the selection.
  const table = [
    ['Does it grow?|', 'Think: Does it grow?|'],
    ['Does |it grow?', 'Think: Does |it grow now?'],
    ['Sow ten se|eds.', 'Please sow twenty se|eds.'],
    ['One seed| and two.', 'One seed|s and two.'],
    ['Sow ten| seeds.', 'Sow |seeds.'],
    ['Sow.| Water.', 'Sow.| Wait. Water!'],
    ['|Does it grow?|', 'Think: |Does it grow?| Say why.'],
    ['Does |it| grow?', 'Does |grow?'],
    ['|Sow.', '|Now: Sow.'],
    ['Sow.|', '|'],
    ['|', '|Sow.'],
    ['😀 sow|', 'Now 😀 sow|'],
  ];
  for (const [before, after] of table) {
    const [text, other] = [before, after].map((one) => one.replaceAll('|', ''));
    const [from, to] = [before.indexOf('|'), before.lastIndexOf('|') - Number(before.split('|').length > 2)];
    const [start, end] = selected(text, other, from, to);
    const marks = start === end ? '|' : `|${other.slice(start, end)}|`;
    assert.equal(other.slice(0, start) + marks + other.slice(end), after, before);
  }
});

test('the pieces of a comparison add up to the old and to the new text', () => {
  const random = randomOf(11);
  const text = () => Array.from({ length: random(12) }, () => ['a', 'bb', ' ', '.', '\n', 'é'][random(6)]).join('');
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [text(), text()];
    const pieces = words(before, after);
    const without = (kind) => pieces.map((piece) => (piece.kind === kind ? '' : piece.text)).join('');
    assert.deepEqual([without('new'), without('gone')], [before, after]);
  }
});

test('a comparison of contents lists each changed value, and a moved row as one difference', () => {
  const step = (text) => ({ text });
  const before = { title: 'Cress', grade: 5, steps: ['Sow.', 'Wait.', 'Look.', 'Draw.'].map(step) };
  const after = { title: 'Beans', grade: 5, steps: ['Draw.', 'Sow.', 'Wait.', 'Look.'].map(step) };
  after.steps[2].minutes = 5;
  assert.deepEqual(differences(before, after), [
    { path: ['title'], before: 'Cress', after: 'Beans' },
    { path: ['steps', 0], before: { text: 'Draw.' }, after: { text: 'Draw.' }, movedFrom: 3 },
    { path: ['steps', 2, 'minutes'], before: undefined, after: 5 },
  ]);
});

test('a changed row is compared with what it was, although a row above it was removed', () => {
  const step = (text) => ({ text, minutes: 5 });
  const [sow, water, wait, draw] = ['Sow ten seeds.', 'Water both saucers.', 'Wait a week.', 'Draw them.'].map(step);
  const edited = step('Water both saucers well.');
  assert.deepEqual(differences([sow, water, wait, draw], [edited, wait, draw]), [
    { path: [0], before: sow, after: undefined },
    { path: [0, 'text'], before: water.text, after: edited.text },
  ]);
  const label = step('Label them.');
  assert.deepEqual(differences([sow, water, wait], [label, sow, edited, wait]), [
    { path: [0], before: undefined, after: label },
    { path: [2, 'text'], before: water.text, after: edited.text },
  ]);
});

test('unchanged parts of a long list or text are not shown as differences', () => {
  const before = Array.from({ length: 2500 }, (_, n) => `Bean ${n}`);
  const after = ['Bean 2400', ...before.with(3, 'Pea').toSpliced(2400, 1)];
  let found;
  const steps = stepsOf(() => (found = differences(before, after)));
  assert.deepEqual(found, [
    { path: [0], before: 'Bean 2400', after: 'Bean 2400', movedFrom: 2400 },
    { path: [4], before: 'Bean 3', after: 'Pea' },
  ]);
  assert.ok(steps < 100 * before.length, `${steps} steps`);
  const changed = words(before.join('\n'), after.slice(1).join('\n')).filter(({ kind }) => kind !== 'same');
  assert.deepEqual(
    changed.map(({ text }) => text),
    ['Bean 3', 'Pea', '\nBean 2400'],
  );
});

test('a field named __proto__ is compared like other fields', () => {
  const before = JSON.parse('{"__proto__": 1}');
  assert.deepEqual(differences(before, {}), [{ path: ['__proto__'], before: 1, after: undefined }]);
});

test('reverting a recorded change restores the value at its path', () => {
  const table = [
    [{ a: 1, b: 2 }, ['a'], 0, { a: 0, b: 2 }],
    [{ a: 1, b: 2 }, ['a'], undefined, { b: 2 }],
    [{ b: 2 }, ['a'], null, { b: 2, a: null }],
    [{ a: ['x', 'y'] }, ['a', '1'], undefined, { a: ['x'] }],
    [{ a: ['x'] }, ['a', '1'], 'y', { a: ['x', 'y'] }],
    [{ a: [{ t: 'x', n: 1 }] }, ['a', '0', 't'], 'y', { a: [{ t: 'y', n: 1 }] }],
    [JSON.parse('{"__proto__":1}'), ['__proto__'], 2, JSON.parse('{"__proto__":2}')],
  ];
  for (const [value, path, before, expected] of table)
    assert.equal(JSON.stringify(reverted(value, path, before)), JSON.stringify(expected), path.join('.'));
});
