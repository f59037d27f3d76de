// @ts-check
// Placeholders for content: a skeleton while it loads, and an error with a retry button.

import { wordsOf } from './api.js';
import { button, el } from './dom.js';
import { icon } from './icons.js';

/** If content loads within this time, no skeleton is shown. */
const SLOW_MS = 300;

/** Shows a skeleton after `SLOW_MS`. Returns a function that cancels this. @param {HTMLElement} place */
export function awaited(place) {
  const timer = setTimeout(() => {
    const bars = Array.from({ length: 5 }, () => el('div'));
    const outline = el('div', { class: 'skeleton', 'aria-hidden': 'true' }, bars);
    place.replaceChildren(el('div', { class: 'narrow' }, el('h1', { class: 'heard' }, 'Loading …'), outline));
  }, SLOW_MS);
  return () => clearTimeout(timer);
}

/** Shows what went wrong, and a button to try again. @param {unknown} error @param {() => any} again */
export function failed(error, again) {
  return el(
    'div',
    { class: 'failed' },
    icon('warning'),
    el('p', { role: 'alert' }, wordsOf(error)),
    button('Try again', again),
  );
}
