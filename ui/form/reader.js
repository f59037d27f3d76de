// @ts-check
// The read-only view of a lesson.

import { button, el } from '../core/dom.js';
import { badge, person } from '../core/people.js';
import { mayWrite } from '../core/session.js';
import { sheetFrame } from '../links/sheet.js';
import { clone } from '../list/list_results.js';
import { READS_ONLY, titleOf } from '../text/words.js';

/** Says that the user may not create lessons. */
export function barred() {
  document.title = 'New lesson · Fieldbook';
  return el('section', { class: 'narrow' }, el('h1', { tabindex: -1 }, 'New lesson'), el('p', {}, READS_ONLY));
}

/** @param {any} data */
export function reader(data) {
  const title = titleOf(data);
  document.title = `${title} · Fieldbook`;
  const how = data.author?.id
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
      el('p', {}, mayWrite() ? ['You can read this, but not change it. ', how] : READS_ONLY),
      mayWrite() && button('Make a copy', () => clone(data), { class: 'primary' }),
      el('a', { class: 'button', href: `#/i/${data._id}/print/lesson`, 'data-prints': '' }, 'Print or Word …'),
    ),
    el('p', { class: 'on-paper' }, 'To print the sheet, press “Print or Word …” above it.'),
    sheetFrame(data._id, { for: 'teachers' }),
  );
}
