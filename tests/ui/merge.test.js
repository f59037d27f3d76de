// Three-way merges: two changes of one value are combined.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './browser.js';
import { randomOf } from './random.js';
import { stepsOf } from './steps.js';

const { origins } = await import('../../ui/text/diff.js');
const { keyOf, merge } = await import('../../ui/text/merge.js');

const none = undefined;

test('lists are merged row by row and objects property by property', () => {
  const table = [
    // base, mine, theirs, merged, paths of conflicts
    [['a', 'b', 'c'], ['a', 'x', 'c'], ['a', 'b', 'y'], ['a', 'x', 'y'], []],
    [['a', 'b', 'c'], ['b', 'c'], ['a', 'b', 'y'], ['b', 'y'], []],
    [['a', 'b', 'c'], ['a', 'b', 'c', 'x'], ['a', 'b', 'c', 'y'], ['a', 'b', 'c', 'y', 'x'], []],
    [['a', 'b', 'c'], ['a', 'b', 'c', 'x'], ['a', 'b', 'c', 'x'], ['a', 'b', 'c', 'x'], []],
    [['a', 'b', 'c'], ['x', 'a', 'b', 'c'], ['a', 'c'], ['x', 'a', 'c'], []],
    [['a', 'b', 'c'], ['c', 'a', 'b'], ['a', 'b', 'c', 'x'], ['c', 'x', 'a', 'b'], []],
    [['a', 'b', 'c'], ['a', 'b', 'c', 'x'], ['c', 'a', 'b'], ['c', 'x', 'a', 'b'], []],
    [['a a', 'b b', 'c c'], ['c c', 'a a', 'b b'], ['a a', 'b b x', 'c c'], ['c c', 'a a', 'b b x'], []],
    [['a', 'b'], ['a', 'x'], ['a', 'y'], ['a', 'x'], ['1']],
    [['a', 'b'], ['a', 'x'], ['a'], ['a', 'x'], ['1']],
    [['a', 'b'], ['a'], ['a', 'y'], ['a'], ['1']],
    [['a', 'b', 'c'], ['c', 'a', 'b'], ['b', 'a', 'c'], ['c', 'a', 'b'], ['']],
    [none, ['a'], ['b'], ['b', 'a'], []],
    [['a'], none, ['a', 'b'], none, ['']],
    [{ x: 1, y: 2 }, { x: 1, y: 3 }, { x: 4, y: 2 }, { x: 4, y: 3 }, []],
    [{ x: 1, y: 2 }, { x: 1 }, { x: 4, y: 2 }, { x: 4 }, []],
    [{ x: 1, y: 2 }, { x: 1, y: 3 }, { x: 1, y: 4 }, { x: 1, y: 3 }, ['y']],
    [{ x: ['a', 'b'] }, { x: ['a'] }, { x: ['a', 'b', 'c'] }, { x: ['a', 'c'] }, []],
    [[{ t: 'a', n: 1 }], [{ t: 'a', n: 2 }], [{ t: 'a', n: 1, u: 3 }], [{ t: 'a', n: 2, u: 3 }], []],
    [[{ t: 'a', n: 1 }], [{ t: 'a', n: 2 }], [{ t: 'a', n: 3 }], [{ t: 'a', n: 2 }], ['0']],
    ['a', 'b', 'a', 'b', []],
    ['a', 'b', 'c', 'b', ['']],
    [1, 2, 3, 2, ['']],
  ];
  for (const [base, mine, theirs, value, paths] of table) {
    const result = merge(base, mine, theirs);
    const found = { value: result.value, paths: result.open.map(({ path }) => path.join('.')) };
    assert.deepEqual(found, { value, paths }, JSON.stringify([base, mine, theirs]));
  }
});

/** Merges after the same choice about every conflict. */
function chosen(choice, base, mine, theirs) {
  const choices = new Map(merge(base, mine, theirs).open.map((conflict) => [keyOf(conflict), choice]));
  return merge(base, mine, theirs, choices).value;
}

test('the choice about a conflict in one row changes no other row', () => {
  const table = [
    ['mine', ['a', 'x', 'c', 'd']],
    ['theirs', ['a', 'y', 'c', 'd']],
    ['both', ['a', 'y', 'x', 'c', 'd']],
  ];
  for (const [choice, value] of table) {
    assert.deepEqual(chosen(choice, ['a', 'b', 'c'], ['a', 'x', 'c'], ['a', 'y', 'c', 'd']), value);
  }
});

test('changes of different sentences of one text are merged', () => {
  const base = 'Sow ten seeds. Wait a week. Draw them.';
  const table = [
    // mine, theirs, merged
    [
      'Sow twenty seeds. Wait a week. Draw them.',
      'Sow ten seeds. Wait a week. Draw both.',
      'Sow twenty seeds. Wait a week. Draw both.',
    ],
    [`First look. ${base}`, `${base} Compare.`, `First look. ${base} Compare.`],
    // If one side adds a line, and the other side adds words to the line above it, the new line comes after the words.
    [`${base}\nBen: why?`, `${base} Compare them`, `${base} Compare them\nBen: why?`],
    [`${base} Compare them`, `${base}\nBen: why?`, `${base} Compare them\nBen: why?`],
    [`${base}\nBen: why?`, `${base}\nBen: why not?`, null],
    ['Sow ten seeds. Draw them.', 'Sow two seeds. Wait a week. Draw them.', 'Sow two seeds. Draw them.'],
    // Changes of the same sentence are a conflict, which the user must resolve.
    ['Sow twenty seeds. Wait a week. Draw them.', 'Sow ten beans. Wait a week. Draw them.', null],
    ['Sow twenty seeds. Wait a week. Draw them.', 'Sow two seeds. Wait a week. Draw them.', null],
    ['Sow.', 'Draw.', null],
  ];
  for (const [mine, theirs, expected] of table) {
    const { value, open } = merge(base, mine, theirs);
    assert.deepEqual([open.length, value], expected === null ? [1, mine] : [0, expected], `${mine} | ${theirs}`);
  }
});

test('the button “Keep both” joins two texts, but keeps only one of two numbers', () => {
  assert.equal(chosen('both', '', 'Mine.', 'Theirs.'), 'Theirs.\nMine.');
  assert.equal(chosen('both', 'look at it.', 'look at it, too.', 'Now look at it.'), 'Now look at it, too.');
  assert.equal(chosen('both', 1, 2, 3), 2);
});

test('changes of different rows are merged without a conflict and without a loss', () => {
  const random = randomOf(7);
  const row = (n, more = '') => ({ text: `Row${n} with words${n}${more}`, minutes: n });
  const edits = {
    keep: (n) => [row(n)],
    change: (n) => [row(n, ' and more')],
    remove: () => [],
    addBelow: (n) => [row(n), { text: `Fresh${n}` }],
  };
  const sorted = (rows) => rows.map((one) => JSON.stringify(one)).sort();
  for (let round = 0; round < 300; round += 1) {
    const drawn = Array.from({ length: 1 + random(7) }, () => ({
      edit: edits[Object.keys(edits)[random(4)]],
      isMine: random(2) === 0,
    }));
    const side = (takes) => drawn.flatMap(({ edit, isMine }, n) => (takes(isMine) ? edit : edits.keep)(n));
    const [base, mine, theirs, both] = [() => false, (own) => own, (own) => !own, () => true].map(side);
    const { value, open } = merge(base, mine, theirs);
    assert.deepEqual([sorted(value), open], [sorted(both), []], JSON.stringify({ base, mine, theirs }));
  }
});

test('each row of a changed list is matched to its old position', () => {
  const before = [{ text: 'Sow twenty seeds.' }, { text: 'Cover one saucer.' }, { text: 'Wait.' }];
  const after = [{ text: 'Draw.' }, { text: 'Wait.' }, { text: 'Sow thirty seeds.' }];
  assert.deepEqual(origins(before, after).found, [-1, 2, 0]);
});

test('the work to merge a long list is limited, whatever was changed', () => {
  for (const length of [1500, 10_000]) {
    const rows = (/** @type {string} */ what) => Array.from({ length }, (_, n) => ({ text: `Sow the ${what}${n}` }));
    const [before, others, more] = [rows('bean'), rows('pea'), rows('lentil')];
    const longer = before.map(({ text }) => ({ text: `${text} now` }));
    const sides = {
      longer,
      others,
      reversed: before.toReversed(),
      shared: before.map((row, n) => (n % 2 ? row : others[n])),
    };
    const expected = before.map((_, n) => n);
    for (const [name, after] of Object.entries(sides)) {
      let found;
      const steps = stepsOf(() => (found = origins(before, after).found));
      assert.ok(steps < 16_000_000, `${name}, ${length} rows: ${steps} steps`);
      assert.deepEqual(found, name === 'reversed' ? expected.toReversed() : expected, name);
    }
    const steps = stepsOf(() => merge(before, [...longer, ...others], [...before, ...more]));
    assert.ok(steps < 16_000_000, `merge of ${length} rows: ${steps} steps`);
  }
});
