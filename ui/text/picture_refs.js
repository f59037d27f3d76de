// @ts-check
// Finds the pictures that a content refers to: objects such as `{ id, alt, caption? }`. The id of a picture that is not
// stored in the service yet begins with `draft:`. The functions are pure: they send and store nothing.

import { isBlank, isObject, own } from './values.js';

const DRAFT = 'draft:';
const ID = /^(draft:.+|[0-9a-f]{64})$/;

/** @typedef {{ id: string, alt: string, caption?: string }} Reference */

/** Returns an id for a picture that is not sent yet. */
export function draftId() {
  return DRAFT + crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** @param {string} id */
export function isDraft(id) {
  return id.startsWith(DRAFT);
}

/** @param {any} value @returns {value is Reference} */
export function isReference(value) {
  return isObject(value) && isId(own(value, 'id')) && own(value, 'alt') !== undefined;
}

/** Returns true for the id of a picture. @param {any} value */
export function isId(value) {
  return typeof value === 'string' && ID.test(value);
}

/** Returns the ids of all pictures in a value, in order. @param {any} value @returns {string[]} */
export function idsIn(value) {
  if (isReference(value)) return [value.id];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  return isObject(value) ? Object.values(value).flatMap(idsIn) : [];
}

/**
 * Returns the dotted paths of the descriptions that are still to be written, such as `pictures.0.alt`.
 * @param {any} value @param {string} [path] @returns {string[]}
 */
export function undescribed(value, path = '') {
  if (isReference(value)) return isBlank(value.alt) ? [`${path}alt`] : [];
  const isNested = Array.isArray(value) || isObject(value);
  return isNested ? Object.entries(value).flatMap(([name, part]) => undescribed(part, `${path}${name}.`)) : [];
}

/**
 * Returns a value with other ids of pictures. A picture without an id is left out, with its row.
 * @param {any} value @param {(id: string) => string | undefined} idOf @returns {any}
 */
export function withIds(value, idOf) {
  if (idsIn(value).every((id) => idOf(id) === id)) return value;
  if (isReference(value)) {
    const id = idOf(value.id);
    return id && { ...value, id };
  }
  const given = (/** @type {any} */ part) => part !== undefined;
  if (Array.isArray(value)) return value.map((part) => withIds(part, idOf)).filter(given);
  const parts = Object.entries(value).map(([name, part]) => [name, withIds(part, idOf)]);
  return Object.fromEntries(parts.filter(([, part]) => given(part)));
}

/** Returns a value without the pictures that are not stored in the service yet. @param {any} value */
export function withoutDrafts(value) {
  return withIds(value, (id) => (isDraft(id) ? undefined : id));
}
