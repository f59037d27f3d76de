// The texts of the page for list entries, field paths, totals of minutes and days, and its search for similar words.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import './browser.js';

const { changesOf, placeName, plain, summary } = await import('../../ui/history/changes.js');
const { steps } = await import('../../ui/text/values.js');
const { lessonTime, timeInWords } = await import('../../ui/text/lesson_time.js');
const { isNear, shortened } = await import('../../ui/text/similar.js');
const { copyOf, dayOf, inLine, newsOf, spoken } = await import('../../ui/text/words.js');

test('a list entry is shown as one readable line', () => {
  const table = [
    [{ name: 'water', quantity: 300, unit: 'ml', notes: 'warm' }, '300 ml water · warm'],
    [{ name: 'lamp', quantity: 12, unit: 'V' }, '12 V lamp'],
    [{ name: 'saucer', quantity: '1,5' }, '1,5 saucer'],
    [{ name: '250 ml beaker', quantity: 1 }, '1 × 250 ml beaker'],
    [{ text: 'Sow the seeds.', minutes: 10 }, 'Sow the seeds. (10 min)'],
    [{ term: 'germinate', definition: 'begin to grow' }, 'germinate: begin to grow'],
    [{ name: 'water', colour: 'blue' }, null],
    [{ name: { first: 'Ada' } }, null],
  ];
  for (const [entry, expected] of table) assert.equal(spoken(entry), expected);
});

test('values are shown as readable text', () => {
  assert.equal(plain([{ text: 'Sow.' }, { text: 'Wait.', minutes: 5 }]), 'Sow.\nWait. (5 min)');
  assert.equal(plain({ groupSize: 3, ours: { a: true } }), 'Group size: 3\nOurs:\nA: true');
});

const ROOT = {
  properties: {
    steps: {
      title: 'Steps',
      items: {
        title: 'Step',
        required: ['text'],
        properties: { text: { title: 'Text' }, minutes: { title: 'Minutes' } },
      },
    },
    objectives: { title: 'Objectives', items: { type: 'string', title: 'Objective' } },
  },
};

test('field paths are described in words', () => {
  const table = [
    ['steps.2.text', 'Step 3'],
    ['steps.2.minutes', 'Step 3, minutes'],
    ['objectives.0', 'Objective 1'],
    ['a\\.b.c', 'a.b, c'],
  ];
  for (const [path, expected] of table) assert.equal(placeName(steps(path), ROOT), expected);
});

test('a summary names a single change, counts several changes of a field, and omits computed statuses', () => {
  const rows = ['one', 'two', 'three', 'four'];
  const of = (/** @type {any} */ objectives, more = {}) => ({ status: 'draft_incomplete', objectives, ...more });
  const table = [
    [of(rows), of(['one', 'two', 'four']), 'Objective 3 removed'],
    [of(['one', 'two', 'four']), of(rows), 'Objective 3 added'],
    [of(rows), of(['four', 'one', 'two', 'three']), 'Objective 4 moved to 1'],
    [of(rows), of(['one', 'two', 'other', 'four']), 'Objective 3'],
    [of(rows), of(['one']), 'Objectives in 3 places'],
    [of(rows), of(rows, { status: 'published' }), 'Status'],
    [of(rows), of(['one', 'two', 'four'], { status: 'draft_contradictory_complete' }), 'Objective 3 removed'],
  ];
  for (const [before, after, expected] of table) assert.equal(summary(before, after, ROOT), expected);
});

test('the history and messages call the field unplacedText “Text not placed yet”, as the form does', () => {
  assert.equal(placeName(['unplacedText'], ROOT), 'Text not placed yet');
});

test('minutes of steps in parallel or after the lesson are not added to its time', () => {
  const patterns = { beside: '^meanwhile|a day', later: '^homework', first: '^lesson 1', told: 'has been [^.]*' };
  const rule = { id: 'duration_sum', patterns };
  const root = { 'x-rules': [rule] };
  const timed = [
    { text: 'Sow what has been in water for a day.', minutes: 10 },
    { text: 'Meanwhile, draw.', minutes: 5 },
    { text: 'Homework: read.', minutes: 30 },
    { text: 'Wait.', minutes: 'long' },
  ];
  assert.deepEqual(lessonTime(timed, root), { inside: 10, outside: 35 });
  assert.deepEqual(lessonTime([{ text: 'Lesson 1', minutes: 40 }, ...timed], root), { inside: 80, outside: 5 });
  assert.deepEqual(lessonTime(undefined, root), { inside: 0, outside: 0 });
  assert.equal(timeInWords({ inside: 40, outside: 1470 }, 45), '40 of 45 min, and 1,470 outside the lesson');
});

test('search words with one or two wrong letters find the lesson', () => {
  const pendulum = { title: 'The pendulum swings' };
  const table = [
    ['pendulm', true],
    ['pendluum', true],
    ['swing', true],
    ['photosynthesis', false],
    ['the swinks', true],
    ['teh', false],
  ];
  for (const [search, expected] of table) assert.equal(isNear(pendulum, search), expected, search);
  assert.equal(shortened('my pendulm'), 'my pen');
  assert.equal(shortened('my pen'), '');
});

test('the title of a copy ends with “(copy)”, and the title of a copy of a copy with a number', () => {
  const table = [
    ['Cress', 'Cress (copy)'],
    ['Cress (copy)', 'Cress (copy 2)'],
    ['Cress (copy 2)', 'Cress (copy 3)'],
    ['Cress (dark)', 'Cress (dark) (copy)'],
  ];
  for (const [title, expected] of table) assert.equal(copyOf(title), expected);
});

test('a day is shown as today, yesterday or its date', () => {
  const now = new Date(2026, 10, 29, 0, 5);
  const table = [
    [new Date(2026, 10, 29, 0, 1), 'Today'],
    [new Date(2026, 10, 28, 23, 59), 'Yesterday'],
    [new Date(2026, 10, 27, 12), 'Nov 27, 2026'],
  ];
  for (const [at, expected] of table) assert.equal(dayOf(at, now), expected);
});

test('after a change, the page announces a new contradiction, the number left, or the new status', () => {
  const state = (status, ...reasons) => ({ status, contradictions: reasons.map((reason) => ({ reason })) });
  const [draft, whole] = [state('draft_incomplete'), state('draft_non_contradictory_complete')];
  const [one, two] = [state('draft_contradictory', 'A.'), state('draft_contradictory', 'A.', 'B.')];
  const table = [
    [draft, draft, ''],
    [draft, whole, 'Complete'],
    [whole, one, 'A.'],
    [one, two, 'B.'],
    [two, one, '1 contradiction left.'],
    [one, whole, 'No contradiction is left.'],
    [one, state('draft_contradictory', 'B.'), 'B.'],
    [one, one, ''],
  ];
  for (const [before, now, expected] of table) assert.equal(newsOf(before, now), expected);
});

test('line breaks in a one-line field become spaces, and a line break at the end is removed', () => {
  const table = [
    ['Cress', 'Cress'],
    ['Cress\n', 'Cress'],
    ['Cress \n\n in the dark', 'Cress in the dark'],
    ['Cress ', 'Cress '],
  ];
  for (const [text, expected] of table) assert.equal(inLine(text), expected);
});

test('a version record names a changed status in words and a moved row as moved', () => {
  const changes = [
    { fieldPath: 'steps.0', before: 'Sow.', after: 'Water.' },
    { fieldPath: 'steps.1', before: 'Water.', after: 'Sow.' },
    { fieldPath: 'status', before: 'draft_incomplete', after: 'published' },
  ];
  assert.deepEqual(changesOf({ changes }, { steps: ['Water.', 'Sow.'] }).changes, [
    { path: ['steps', 1], before: 'Sow.', after: 'Sow.', movedFrom: 0 },
    { path: ['Status'], before: 'Incomplete', after: 'Published' },
  ]);
});
