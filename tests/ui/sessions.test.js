// The grouping of versions in the history.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const { sessions } = await import('../../ui/history/sessions.js');

/** Returns a version that was created this many minutes after eight. */
const made = (version, minute, more = {}) => ({
  version,
  kind: 'update',
  withAI: false,
  undone: false,
  name: null,
  by: 'ada',
  at: new Date(Date.UTC(2026, 10, 21, 8, minute)).toISOString(),
  ...more,
});

test('the history groups changes of one person without a long break between them', () => {
  const table = [
    [[made(2, 29), made(1, 0)], [[2, 1]]],
    [
      [made(2, 30), made(1, 0)],
      [[2], [1]],
    ],
    [[made(3, 58), made(2, 29), made(1, 0)], [[3, 2, 1]]],
    [
      [made(2, 1, { by: 'grace' }), made(1, 0)],
      [[2], [1]],
    ],
    [
      [made(3, 2), made(2, 1, { name: 'Before' }), made(1, 0)],
      [[3], [2], [1]],
    ],
    [
      [made(2, 1, { undone: true }), made(1, 0)],
      [[2], [1]],
    ],
    [
      [made(2, 1, { withAI: true }), made(1, 0)],
      [[2], [1]],
    ],
    [
      [made(2, 1, { kind: 'restore' }), made(1, 0)],
      [[2], [1]],
    ],
    [[], []],
  ];
  for (const [records, expected] of table)
    assert.deepEqual(
      sessions(records).map((session) => session.map(({ version }) => version)),
      expected,
    );
});
