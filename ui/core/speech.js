// @ts-check
// What only screen readers say. Text that a view shows all the time is no live region, because they would say it again
// with each change of it.

import { el, settled } from './dom.js';
import { whenIdle } from './notice.js';

/** Time within which several changes are one. */
const PAUSE_MS = 500;
/** Time after which words are removed, so that nobody who reads the page comes upon them. */
const KEPT_MS = 5000;

/** Has screen readers say something. @param {string} words */
export function speak(words) {
  const line = el('p', {}, words);
  document.getElementById('spoken')?.append(line);
  setTimeout(() => line.remove(), KEPT_MS);
}

/**
 * Returns a function that has screen readers say what is new about a state: once for several changes, and not while
 * somebody types. What the state is at first is not said.
 * @template T @param {() => T | undefined} read returns the state, or undefined while it is between two others
 * @param {(before: T | undefined, now: T) => string} words returns what is new, or an empty text
 */
export function announcer(read, words) {
  let known = read();
  const say = () => {
    const [before, now] = [known, read()];
    if (now === undefined) return;
    known = now;
    const news = words(before, now);
    if (news) speak(news);
  };
  return settled(() => whenIdle(say), PAUSE_MS);
}
