// @ts-check
// Looks up the names of people.

import { call } from '../core/api.js';
import { keepName, knowsName, who } from '../text/words.js';

/** Maximum number of names in one request. */
const MOST = 100;

/**
 * Looks up names that this window does not know yet, so that `who` has them. A look-up that fails costs the names
 * alone.
 * @param {(string | null | undefined)[]} ids
 */
export async function learnNames(ids) {
  const unknown = [...new Set(ids)].filter((id) => id && !knowsName(id)).slice(0, MOST);
  if (unknown.length === 0) return;
  const found = await call('GET', `/api/people?ids=${unknown.join(',')}`).catch(() => null);
  found?.data.items.forEach((/** @type {any} */ one) => keepName(one.id, one.name));
}

/** Returns the people whose names have words that begin with a text. @param {string} text @returns {Promise<any[]>} */
export async function peopleNamed(text) {
  const found = await call('GET', `/api/people?search=${encodeURIComponent(text)}`);
  return found.data.items;
}

/** Returns the name of somebody who changed an investigation. @param {string} by @param {import('../doc/doc.js').Doc} doc */
export async function nameOf(by, doc) {
  await learnNames([by]);
  return who(by, doc.stored.author);
}
