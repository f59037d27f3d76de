// @ts-check
// Handles a clash: a field that was changed here and elsewhere. Shows both texts, and the user chooses. Closing the
// dialog changes nothing.

import { call, investigation } from './api.js';
import { marked, plain } from './changes.js';
import { between, words } from './diff.js';
import { el } from './dom.js';
import { fieldLabel } from './findings.js';
import { ask } from './notice.js';
import { time, who } from './words.js';

/** @param {string} title @param {any} value */
function side(title, value) {
  return el('div', { class: 'side' }, el('h3', {}, title), el('pre', { dir: 'auto' }, plain(value) || '(empty)'));
}

/**
 * Merges two values: keeps what both have, and what only one of them has.
 * @param {any} mine @param {any} theirs @returns {any} undefined if the result is equal to one of them
 */
export function together(mine, theirs) {
  const made =
    typeof mine === 'string' && typeof theirs === 'string'
      ? bothTexts(mine, theirs)
      : Array.isArray(mine) && Array.isArray(theirs)
        ? bothLists(mine, theirs)
        : undefined;
  return [mine, theirs].some((one) => plain(one) === plain(made)) ? undefined : made;
}

/** @param {string} mine @param {string} theirs */
function bothTexts(mine, theirs) {
  const pieces = words(theirs, mine);
  if (!pieces.some(({ kind, text }) => kind === 'same' && /[\p{L}\p{N}]/u.test(text))) return `${theirs}\n${mine}`;
  let text = '';
  pieces.forEach((piece, at) => {
    const touches = piece.kind === 'new' && pieces[at - 1]?.kind === 'gone';
    text += touches && /\S$/.test(text) && /^\S/.test(piece.text) ? ` ${piece.text}` : piece.text;
  });
  return text;
}

/** @param {any[]} mine @param {any[]} theirs */
function bothLists(mine, theirs) {
  const [ours, others] = [mine, theirs].map((list) => list.map((entry) => JSON.stringify(entry)));
  const known = new Map([...mine, ...theirs].map((entry) => [JSON.stringify(entry), entry]));
  return between(others ?? [], ours ?? []).map(({ text }) => known.get(text));
}

let asking = false;

/**
 * Asks the user about each clash, one after the other.
 * @param {import('./doc.js').Doc} doc @param {any} root
 */
export async function settleClashes(doc, root) {
  if (asking) return;
  asking = true;
  try {
    for (let clash = doc.clashes[0]; clash; clash = doc.clashes[0]) {
      const both = together(clash.mine, clash.theirs);
      const chosen = await choose(clash, both, doc, root);
      if (chosen === null) return;
      await doc.decide(clash.field, chosen !== 'theirs', chosen === 'both' ? both : clash.mine);
    }
  } finally {
    asking = false;
  }
}

/**
 * @param {import('./doc.js').Clash} clash @param {any} both @param {import('./doc.js').Doc} doc @param {any} root
 * @returns {Promise<'mine' | 'theirs' | 'both' | null>}
 */
function choose({ field, mine, theirs }, both, doc, root) {
  const answers = [
    { label: 'Decide later', answer: null },
    { label: 'Take the other', answer: 'theirs' },
    ...(both === undefined ? [] : [{ label: 'Keep both', answer: 'both' }]),
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
    el('div', { class: 'sides' }, side('Yours', mine), side('The other', theirs)),
    el('h3', {}, 'Differences between the other and yours'),
    marked(plain(theirs), plain(mine)),
    both === undefined ? [] : side('Both together', both),
  ];
  return ask(`${fieldLabel(field, root)} was changed elsewhere, too`, body, answers, { wide: true });
}

/**
 * Returns a sentence about who wrote the stored text, or nothing if this is not known.
 * @param {import('./doc.js').Doc} doc @param {string} field
 */
async function said(doc, field) {
  const name = encodeURIComponent(field.replaceAll('\\', '\\\\').replaceAll('.', '\\.'));
  const found = await call('GET', investigation(doc.id, `/history/${name}?limit=1`)).catch(() => null);
  const newest = found?.data[0];
  return newest ? ['The other one was written by ', who(newest.by, doc.stored.author), ', ', time(newest.at), '.'] : [];
}
