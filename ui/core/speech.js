// @ts-check
// Announcements for screen readers. Text that is always visible is not a live region, because screen readers would read
// it again after each change.

import { el, settled } from './dom.js';

/** Time without a keystroke after which something is said. */
const IDLE_MS = 1000;
let lastKey = -IDLE_MS;
addEventListener('keydown', () => void (lastKey = performance.now()), { capture: true });

/** Runs `act` once no key was pressed for `IDLE_MS`. @param {() => any} act */
function whenIdle(act) {
  const wait = lastKey + IDLE_MS - performance.now();
  if (wait <= 0) act();
  else setTimeout(() => whenIdle(act), wait);
}

/** Time within which several changes are announced together. */
const PAUSE_MS = 500;
/** Time after which an announcement is removed, so that users who read through the page do not find it. */
const KEPT_MS = 5000;

/** Makes screen readers announce a text. @param {string} words */
export function speak(words) {
  const line = el('p', {}, words);
  document.getElementById('spoken')?.append(line);
  setTimeout(() => line.remove(), KEPT_MS);
}

/** Time after which a state that is short as a rule is announced. */
const LONG_MS = 5000;

/**
 * Returns a function that runs `say` once if a state lasts long. Call it after each change of the state.
 * @param {() => boolean} isThere whether it is this state @param {() => void} say
 */
export function lingering(isThere, say) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    if (isThere()) timer ??= setTimeout(say, LONG_MS);
    else timer = void clearTimeout(timer);
  };
}

/**
 * Returns a function that makes screen readers announce changes of a state: several changes together, and not while
 * somebody types. The initial state is not announced.
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
