// @ts-check
// Suggests the curricula of other lessons, so that one has one name.

import { call } from './api.js';
import { el, id } from './dom.js';

/** Returns a list of suggestions, which is read once the field gets the focus. @param {HTMLElement} field */
export function curricula(field) {
  const list = el('datalist', { id: id('curricula') });
  const read = async () => {
    // Without suggestions, the field is written as others are.
    const found = await call('GET', '/api/investigation?limit=1&fields=title').catch(() => null);
    const names = (found?.data.groups ?? []).map((/** @type {any} */ group) => group.curriculum).filter(Boolean);
    list.replaceChildren(...names.map((/** @type {string} */ name) => el('option', { value: name })));
  };
  field.addEventListener('focusin', read, { once: true });
  return list;
}
