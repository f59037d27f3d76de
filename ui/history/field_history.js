// @ts-check
// The history of one field, in a dialog over the editor.

import { call, investigation, service } from '../core/api.js';
import { changed } from './changes.js';
import { maxEntries } from '../core/constants.js';
import { button, el, said } from '../core/dom.js';
import { fieldLabel } from '../core/schema.js';
import { ask, attempt, work } from '../core/notice.js';
import { learnNames, who } from '../core/people.js';
import { escaped } from '../text/paths.js';
import { same } from '../text/values.js';
import { helper } from '../text/words.js';
import { time } from '../core/marks.js';

/** @param {string} field @param {import('../form/desk.js').Desk} desk */
export function fieldHistory(field, { doc, root, left }) {
  return attempt(async () => {
    await doc.saved();
    const path = encodeURIComponent(escaped(field));
    const answer = await work(
      'Fetching the history …',
      (signal) => call('GET', investigation(doc.id, `/history/${path}?limit=${maxEntries}`), { signal }),
      left,
    );
    if (!answer) return;
    const { subject } = helper((await service()).converses);
    await learnNames(answer.data.map((/** @type {any} */ record) => record.by));
    await showHistory(doc, field, fieldLabel(field, root), answer.data, subject);
  });
}

/**
 * @param {import('../doc/doc.js').Doc} doc @param {string} field @param {string} name @param {any[]} records
 * @param {string} subject
 */
function showHistory(doc, field, name, records, subject) {
  const putBack = (/** @type {any} */ record) => {
    body.closest('dialog')?.querySelector('.answers button')?.click();
    doc.put(field, record.after);
  };
  const entry = (/** @type {any} */ record) =>
    el(
      'li',
      { class: record.undone ? 'undone' : '' },
      el(
        'p',
        {},
        el('strong', {}, record.name && [said(record.name), ', '], `Version ${record.version} `),
        record.withAI ? `by ${subject}, asked by ` : 'by ',
        said(who(record.by, doc.stored.author)),
        record.undone && [' · ', el('span', { class: 'badge' }, 'undone')],
        ' · ',
        time(record.at),
      ),
      changed(record.before, record.after, doc.id),
      !same(record.after, doc.value(field)) &&
        button('Restore this', () => putBack(record), {
          class: 'link',
          'aria-label': `Restore this: ${name} of version ${record.version}`,
        }),
    );
  const body =
    records.length === 0
      ? el('p', {}, 'It has not been changed since the beginning.')
      : el('ol', { class: 'timeline', reversed: true }, records.map(entry));
  return ask(`History of ${name}`, body, [{ label: 'Close', answer: null }], { wide: true });
}
