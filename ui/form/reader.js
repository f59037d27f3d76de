// @ts-check
// An investigation that the user may read but not change: its text, who can change it, and a button that copies it.

import { button, el } from '../core/dom.js';
import { clone } from '../list/list_row.js';
import { sheetFrame } from '../links/sheet.js';
import { badge } from '../core/marks.js';
import { person } from '../core/people.js';
import { titleOf } from '../text/words.js';

/** @param {any} data */
export function reader(data) {
  const title = titleOf(data);
  document.title = `${title} · Fieldbook`;
  const why = data.author?.id
    ? ['To change it, make a copy, or ask its author to add you: ', person(data.author)]
    : ['It has no author, so only administrators can change it.'];
  return el(
    'article',
    { class: 'handout' },
    el('h1', { class: 'heard', tabindex: -1, dir: 'auto' }, title),
    el(
      'div',
      { class: 'bar', role: 'note' },
      badge(data.status),
      el('p', {}, 'You can read this, but not change it. ', why),
      button('Make a copy', () => clone(data), { class: 'primary' }),
    ),
    sheetFrame(data._id, { for: 'teachers' }),
  );
}
