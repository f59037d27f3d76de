// @ts-check
// What stands where content is not there: while it comes, where there is none, and where it could not be had.

import { wordsOf } from './api.js';
import { button, el } from './dom.js';
import { icon } from './icons.js';

/** What is quicker than this is shown without an outline before it. */
const SLOW_MS = 300;

/** The outlines, from top to bottom. @type {Record<string, string[]>} */
const OUTLINES = {
  editor: ['title', 'short', 'tall', 'tall'],
  list: ['title', '', '', '', '', ''],
  rows: ['title', 'short', '', '', ''],
};

/**
 * Shows an outline in a place if nothing else comes. Returns what stops it.
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

/** Says what went wrong, with a way to try again. @param {unknown} error @param {() => any} again */
export function failed(error, again) {
  return el(
    'div',
    { class: 'failed' },
    icon('warning'),
    el('p', { role: 'alert' }, wordsOf(error)),
    button('Try again', again),
  );
}
