// @ts-check
// The read-only view of a lesson, and of text that cannot be saved any more.

import { button, el } from '../core/dom.js';
import * as drafts from '../doc/drafts.js';
import { plain } from '../history/changes.js';
import { attempt } from '../core/notice.js';
import * as outbox from '../doc/outbox.js';
import { fieldLabel } from '../core/schema.js';
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

/**
 * Shows unsaved text of an investigation that was deleted, or that the user may no longer change.
 * @param {string} docId @param {Map<string, import('../doc/drafts.js').Draft>} kept @param {any} root
 * @param {string} why
 */
export function leftOver(docId, kept, root, why) {
  const save = () =>
    attempt(async () => {
      const content = Object.fromEntries(
        [...kept].filter(([, { value }]) => value !== undefined).map(([field, { value }]) => [field, value]),
      );
      location.hash = `#/i/${await outbox.saveAsNew(docId, content)}`;
    });
  const discard = async () => {
    await drafts.forgetAll(docId);
    location.hash = '#/';
  };
  document.title = `${why} · Fieldbook`;
  return el(
    'section',
    { class: 'narrow' },
    el('h1', { tabindex: -1 }, why),
    el('p', {}, 'This browser still has your text that was not saved:'),
    el(
      'dl',
      {},
      [...kept].map(([field, { value }]) => [
        el('dt', {}, fieldLabel(field, root)),
        el('dd', { dir: 'auto' }, plain(value) || '(empty)'),
      ]),
    ),
    !mayWrite() && el('p', {}, READS_ONLY),
    el(
      'p',
      { class: 'acts' },
      mayWrite() && button('Save as new', save, { class: 'primary' }),
      button('Discard it', discard),
    ),
  );
}
