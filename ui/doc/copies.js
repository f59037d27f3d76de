// @ts-check
// The investigations that this window has opened, as it saw them last, for the time when the service cannot be reached.

import { user } from '../core/session.js';

/** Maximum number of investigations: the last ones. */
const MOST = 20;
/** @type {Map<string, { stored: any, mayChange: boolean }>} */
const copies = new Map();

/** @param {string} id */
const key = (id) => `${user()} ${id}`;

/** @param {import('./doc.js').Doc} doc */
export function keepCopy({ id, stored, mayChange }) {
  copies.delete(key(id));
  copies.set(key(id), { stored, mayChange });
  if (copies.size > MOST) copies.delete([...copies.keys()][0] ?? '');
}

/** @param {string} id */
export const copyOf = (id) => copies.get(key(id));
