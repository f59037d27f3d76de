// @ts-check
// An investigation that the user may read but not change: its text, who can change it, and a button that copies it.

import { button, el } from './dom.js';
import { clone } from './list_row.js';
import { sectionsOf } from './print.js';
import { badge, person, titleOf } from './words.js';

/** Returns all text of an investigation. @param {any} data @param {any} root */
export function wholeText(data, root) {
  return el('div', { class: 'text' }, sectionsOf(data, root, true));
}

/** @param {any} data @param {any} root */
export function reader(data, root) {
  const title = titleOf(data);
  document.title = `${title} · Fieldbook`;
  const why = data.author?.id
    ? ['To change it, make a copy, or ask its author to add you: ', person(data.author)]
    : ['It has no author, so only administrators can change it.'];
  return el(
    'article',
    { class: 'handout' },
    el(
      'div',
      { class: 'bar screen', role: 'note' },
      el('p', {}, 'You can read this, but not change it. ', why),
      button('Make a copy', () => clone(data), { class: 'primary' }),
    ),
    el('header', {}, el('h1', { tabindex: -1, dir: 'auto' }, title), badge(data.status)),
    wholeText(data, root),
  );
}
