// @ts-check
// Placeholders for content: a skeleton while it loads, and an error with a retry button.

import { wordsOf } from './api.js';
import { button, el } from './dom.js';
import { icon } from './icons.js';

/** If content loads within this time, no skeleton is shown. */
const SLOW_MS = 300;

/** The bars of each skeleton, from top to bottom. @type {Record<string, string[]>} */
const OUTLINES = {
  editor: ['title', 'short', 'tall', 'tall'],
  list: ['title', '', '', '', '', ''],
  rows: ['title', 'short', '', '', ''],
};

/**
 * Shows a skeleton after `SLOW_MS`. Returns a function that cancels this.
 * @param {HTMLElement} place @param {string} kind
 */
export function awaited(place, kind) {
  const timer = setTimeout(() => {
    const bars = (OUTLINES[kind] ?? []).map((name) => el('div', { class: name }));
    const outline = el('div', { class: 'skeleton', 'aria-hidden': 'true' }, bars);
    place.replaceChildren(
      el('div', { class: kind === 'editor' ? '' : 'narrow' }, el('h1', { class: 'heard' }, 'Loading …'), outline),
    );
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
