// @ts-check
// Two people changed one field: both texts are shown, and a person chooses. Closing the dialog changes nothing.

import { marked, plain } from './changes.js';
import { el } from './dom.js';
import { fieldLabel } from './findings.js';
import { ask } from './notice.js';

/** @param {string} title @param {any} value */
function side(title, value) {
  return el('div', { class: 'side' }, el('h3', {}, title), el('pre', { dir: 'auto' }, plain(value) || '(empty)'));
}

let asking = false;

/** Asks for every field with two texts, one after the other. @param {import('./doc.js').Doc} doc @param {any} root */
export async function settleClashes(doc, root) {
  if (asking) return;
  asking = true;
  try {
    for (let clash = doc.clashes[0]; clash; clash = doc.clashes[0]) {
      const chosen = await choose(clash, root);
      if (chosen === null) return;
      await doc.decide(clash.field, chosen === 'mine');
    }
  } finally {
    asking = false;
  }
}

/** @param {import('./doc.js').Clash} clash @param {any} root @returns {Promise<'mine' | 'theirs' | null>} */
function choose({ field, mine, theirs }, root) {
  const answers = [
    { label: 'Decide later', answer: null },
    { label: 'Take theirs', answer: 'theirs' },
    { label: 'Keep mine', answer: 'mine', class: 'primary' },
  ];
  const body = [
    el(
      'p',
      {},
      'Which text do you want to keep? Theirs is saved and stays in the history either way. ' +
        'Yours is saved only if you keep it.',
    ),
    el('div', { class: 'sides' }, side('Yours', mine), side('Theirs', theirs)),
    el('h3', {}, 'Differences between theirs and yours'),
    marked(plain(theirs), plain(mine)),
  ];
  return ask(`Somebody else changed ${fieldLabel(field, root)}`, body, answers, { wide: true });
}
