// The announcements of screen readers: each new text once, after a pause.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import './browser.js';

const said = [];
const element = () => ({
  append(...words) {
    this.words = words.join('');
  },
  remove: () => undefined,
});
globalThis.Node = class {};
Object.assign(document, {
  createElement: element,
  getElementById: () => ({ append: ({ words }) => said.push(words) }),
});

const { announcer, lingering } = await import('../../ui/core/speech.js');

test('a screen reader announces only the last of several quick changes, and no unchanged value', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let minutes = /** @type {number | undefined} */ (45);
  const announce = announcer(
    () => minutes,
    (before, now) => (now === before ? '' : `${now} min`),
  );
  const become = (/** @type {(number | undefined)[]} */ ...all) => {
    for (minutes of all) announce();
    mock.timers.tick(1000);
    return said.splice(0);
  };
  assert.deepEqual(become(45), [], 'what it is at first is known');
  assert.deepEqual(become(2, 20), ['20 min']);
  assert.deepEqual(become(2, 20), []);
  assert.deepEqual(become(undefined), [], 'it is between two states');
  assert.deepEqual(become(20), []);
  assert.deepEqual(become(45), ['45 min']);
  mock.timers.reset();
});

test('a state is announced once if it lasts for five seconds, and not if it ends before', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let state = 'saved';
  const heard = [];
  const linger = lingering(
    () => state === 'saving',
    () => heard.push(state),
  );
  const become = (/** @type {string} */ next, /** @type {number} */ ms) => {
    state = next;
    linger();
    mock.timers.tick(ms);
    return heard.splice(0);
  };
  assert.deepEqual(become('saving', 4000), []);
  assert.deepEqual(become('saved', 4000), []);
  assert.deepEqual(become('saving', 4000), []);
  assert.deepEqual(become('saving', 1000), ['saving']);
  assert.deepEqual(become('saving', 9000), [], 'it was announced');
  mock.timers.reset();
});
