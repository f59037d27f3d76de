// @ts-check
// Opens an investigation with the unsaved changes in this browser. While the service is unreachable, opens the last
// known state.

import { readLesson, schema } from '../core/api.js';
import { beginning } from '../core/schema.js';
import { mayWrite, user } from '../core/session.js';
import { Doc } from './doc.js';
import { isFresh } from './drafts.js';

/** Number of investigations that this window can show without the service: the last ones that it opened. */
const MOST = 20;
/** @type {Map<string, { stored: any, mayChange: boolean }>} */
const copies = new Map();
/** @param {string} id */
const key = (id) => `${user()} ${id}`;

/** @param {string} id @param {import('../core/api.js').Options} [options] */
export async function open(id, options) {
  if (isFresh(id)) return begun(await fresh(id));
  const { data, mayChange } = await readLesson(id, options);
  const doc = new Doc(data, mayChange);
  keepCopy(doc);
  return begun(doc);
}

/**
 * Opens the last state of an investigation that this window has loaded. If there is none, throws `failure`.
 * @param {string} id @param {unknown} failure
 */
export function openCopy(id, failure) {
  const copy = copies.get(key(id));
  if (!copy) throw failure;
  return begun(new Doc(copy.stored, copy.mayChange));
}

/** Returns an investigation that is not stored yet, with the minimum that the schema requires. @param {string} id */
async function fresh(id) {
  const root = await schema();
  const least = beginning({ type: 'object', required: root.required, properties: root.properties }, root);
  const lists = { contradictions: [], hints: [], dismissed: [] };
  const first = { ...least, ...lists, _id: id, author: { id: user() }, status: 'draft_incomplete', version: 0 };
  return new Doc(first, mayWrite());
}

/** @param {Doc} doc */
function begun(doc) {
  doc.addEventListener('taken', () => keepCopy(doc));
  return doc.recover();
}

/** Keeps the stored state for the time when the service cannot be reached. @param {Doc} doc */
function keepCopy({ id, stored, mayChange }) {
  copies.delete(key(id));
  copies.set(key(id), { stored, mayChange });
  if (copies.size > MOST) copies.delete([...copies.keys()][0] ?? '');
}
