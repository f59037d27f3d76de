// @ts-check
// One investigation in the list, and its actions.

import { call, create, investigation } from '../core/api.js';
import { deleteSoon, mayDelete } from './deletion.js';
import { button, el, said } from '../core/dom.js';
import { menu } from '../core/menu.js';
import { attempt, tell } from '../core/notice.js';
import { isBlank } from '../text/values.js';
import { badge, time } from '../core/marks.js';
import { copyOf, counted, titleOf } from '../text/words.js';
import { person } from '../core/people.js';

/** @param {string} words @param {any} value */
function fact(words, value) {
  if (value === undefined || value === null || value === '') return null;
  return el('span', {}, words, said(typeof value === 'object' ? JSON.stringify(value) : value));
}

/** @param {any} item @param {(deleted?: HTMLElement) => void} changed called when a row is deleted or restored */
export function listRow(item, changed) {
  const title = titleOf(item);
  const found = item.contradictions.length;
  const minutes = item.durationMinutes;
  const line = el(
    'li',
    { 'data-id': item._id },
    el(
      'div',
      { class: 'what' },
      el('a', { class: 'title', href: `#/i/${item._id}`, dir: 'auto' }, title),
      el(
        'p',
        { class: 'facts' },
        badge(item.status),
        found > 0 && el('span', {}, counted(found, 'contradiction')),
        fact('Grade ', item.grade),
        minutes !== undefined && fact('', `${typeof minutes === 'object' ? JSON.stringify(minutes) : minutes} min`),
        fact('', item.curriculum),
        person(item.author),
        el('span', { class: 'muted' }, 'changed ', time(item.updatedAt)),
      ),
    ),
    menu(`Actions for ${title}`, [
      button('Make a copy', () => clone(item), { 'aria-label': `Make a copy of ${title}` }),
      button('Delete', () => remove(), { class: 'grave', 'aria-label': `Delete ${title}` }),
    ]),
  );
  const remove = async () => {
    if (!(await mayDelete(item))) return;
    deleteSoon(item._id, title, changed);
    changed(line);
  };
  return line;
}

/** @param {any} item */
export function clone(item) {
  return attempt(async () => {
    const { data } = await create(investigation(item._id, '/clone'));
    const named = { title: copyOf(titleOf(item)) };
    // A copy without this title is better than none.
    if (!isBlank(item.title)) await call('PATCH', investigation(data._id), { body: named }).catch(() => undefined);
    tell(`This is a copy of “${titleOf(item)}”.`, { stays: true });
    location.hash = `#/i/${data._id}`;
  });
}
