// @ts-check
// Shows a picture, or why it cannot be shown.

import { Failure, call, investigation, wordsOf } from '../core/api.js';
import { el } from '../core/dom.js';
import { icon } from '../core/icons.js';
import { addressOf } from '../doc/pictures.js';

/**
 * @param {string} docId @param {import('../text/picture_refs.js').Reference} reference
 * @returns {HTMLElement}
 */
export function frame(docId, { id, alt }) {
  const src = addressOf(docId, id);
  const box = el('span', { class: 'frame' });
  const show = () =>
    void box.replaceChildren(el('img', { src, alt, loading: 'lazy', decoding: 'async', onerror: () => why() }));
  const why = async () => {
    const missing = src?.startsWith('blob:') ? 'Your browser cannot show this.' : await reason(docId, id);
    box.replaceChildren(el('span', { class: 'gone' }, icon('picture'), missing ?? 'Picture removed'));
    if (missing) addEventListener('reached', show, { once: true });
  };
  if (src) show();
  else box.replaceChildren(el('span', { class: 'gone' }, icon('picture'), 'Picture removed'));
  return box;
}

/**
 * Returns why the service does not show a picture; null if it does not have it any more.
 * @param {string} docId @param {string} id
 */
async function reason(docId, id) {
  try {
    await call('GET', investigation(docId, `/pictures/${id}`), { background: true });
    return 'Your browser cannot show this.';
  } catch (error) {
    return error instanceof Failure && [404, 410].includes(error.status) ? null : wordsOf(error);
  }
}
