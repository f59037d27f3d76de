// @ts-check
// Handles a clash: a text, or a row of a list, that was changed here and elsewhere. Shows both, and the user chooses.
// Closing the dialog changes nothing.

import { call, investigation } from '../core/api.js';
import { marked, placeName, plain } from '../history/changes.js';
import { below, escaped } from '../text/paths.js';
import { el } from '../core/dom.js';
import { ask, tell } from '../core/notice.js';
import { frame } from './picture_frame.js';
import { idsIn } from '../text/picture_refs.js';
import { time } from '../core/marks.js';
import { who } from '../core/people.js';

/** @typedef {import('./desk.js').Desk} Desk */

/** @param {string} title @param {any} value @param {string} docId */
function side(title, value, docId) {
  return el(
    'div',
    { class: 'side' },
    el('h3', {}, title),
    el('pre', { dir: 'auto' }, value === undefined ? '(removed)' : plain(value) || '(empty)'),
    idsIn(value).map((id) => frame(docId, { id, alt: '' })),
  );
}

/**
 * Says which fields were merged with changes made elsewhere.
 * @param {Desk} desk
 */
export function tellMerged({ doc, root }) {
  const names = doc
    .takeMerged()
    .map((field) => placeName([field], root))
    .join(', ');
  if (names) tell(`${names}: changed elsewhere, too. Both changes are kept.`);
}

let asking = false;

/**
 * Asks the user about each clash, one after the other, and then leads to the place of the last one.
 * @param {Desk} desk
 */
export async function settleClashes(desk) {
  const { doc } = desk;
  if (asking) return;
  asking = true;
  try {
    for (let clash = doc.clashes[0]; clash; clash = doc.clashes[0]) {
      const chosen = await choose(clash, desk);
      if (chosen === null) return;
      await doc.decide(clash, chosen);
      // The button that opened the question is gone.
      if (document.activeElement === document.body)
        desk.go([clash.field, ...clash.conflict.path].reduce(below, '').slice(1));
    }
  } finally {
    asking = false;
  }
}

/**
 * @param {import('../doc/state.js').Clash} clash @param {Desk} desk
 * @returns {Promise<import('../text/merge.js').Choice | null>}
 */
function choose({ field, conflict }, { doc, root }) {
  const { path, mine, theirs, both } = conflict;
  const answers = [
    { label: 'Decide later', answer: null },
    { label: 'Take the other', answer: 'theirs' },
    ...(both ? [{ label: 'Keep both', answer: 'both' }] : []),
    { label: 'Keep mine', answer: 'mine', class: 'primary' },
  ];
  const author = el('p', { class: 'muted' });
  said(doc, field).then((words) => author.append(...words));
  const body = [
    el(
      'p',
      {},
      'Which text do you want to keep? The other one is saved and stays in the history either way. ' +
        'Yours is saved only if you keep it.',
    ),
    author,
    el('div', { class: 'sides' }, side('Yours', mine, doc.id), side('The other', theirs, doc.id)),
    el('h3', {}, 'Differences between the other and yours'),
    marked(plain(theirs), plain(mine)),
    both ? side('Both together', both, doc.id) : [],
  ];
  return ask(`${placeName([field, ...path], root)} was changed elsewhere, too`, body, answers, { wide: true });
}

/**
 * Returns a sentence about who wrote the stored text, or nothing if this is not known.
 * @param {import('../doc/doc.js').Doc} doc @param {string} field
 */
async function said(doc, field) {
  const name = encodeURIComponent(escaped(field));
  const found = await call('GET', investigation(doc.id, `/history/${name}?limit=1`)).catch(() => null);
  const newest = found?.data[0];
  return newest ? ['The other one was written by ', who(newest.by, doc.stored.author), ', ', time(newest.at), '.'] : [];
}
