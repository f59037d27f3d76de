// @ts-check
// Suggests what is written in a field: the curricula of other lessons, so that one has one name, and languages.

import { call } from '../core/api.js';
import { el, id } from '../core/dom.js';

/** Returns what is suggested for a field; null for other fields. @param {string} name @param {HTMLElement} field */
export function suggestions(name, field) {
  if (name === 'curriculum') return curricula(field);
  return name === 'language' ? languages() : null;
}

/** Returns a list of curricula, which is read once the field gets the focus. @param {HTMLElement} field */
function curricula(field) {
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

/** Languages that are suggested. Sheets have headings in the first five. */
const LANGUAGES = 'en de fr es ar bn el fa he hi id it ja ko nl pl pt ro ru sv tr uk ur vi zh'.split(' ');

/** Returns a list of languages, each with its name. */
function languages() {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const options = LANGUAGES.map((tag) => el('option', { value: tag }, names.of(tag)));
  return el('datalist', { id: id('languages') }, options);
}
