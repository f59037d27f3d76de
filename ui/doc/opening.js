// @ts-check
// Opens an investigation with the unsaved changes that this browser kept.

import { call, investigation, schema } from '../core/api.js';
import { beginning } from '../core/schema.js';
import { user } from '../core/session.js';
import { copyOf, keepCopy } from './copies.js';
import { Doc } from './doc.js';

/** How the ids of lessons begin that are not stored yet. */
const FRESH = 'new-';

/** Returns the id of a lesson that is stored once something is written in it. */
export function freshId() {
  return FRESH + crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** @param {string} id @param {import('../core/api.js').Options} [options] */
export async function open(id, options) {
  if (id.startsWith(FRESH)) return (await fresh(id)).recover();
  let mayChange = true;
  const onHeaders = (/** @type {Headers} */ headers) => void (mayChange = !headers.has('allow'));
  const { data } = await call('GET', investigation(id), { ...options, onHeaders });
  const doc = new Doc(data, mayChange);
  keepCopy(doc);
  return doc.recover();
}

/** Opens an investigation as this window saw it last, if it did. @param {string} id @param {unknown} failure why */
export function openCopy(id, failure) {
  const copy = copyOf(id);
  if (!copy) throw failure;
  return new Doc(copy.stored, copy.mayChange).recover();
}

/** Returns an investigation that is not stored yet, with the least that the schema asks for. @param {string} id */
async function fresh(id) {
  const root = await schema();
  const least = beginning({ type: 'object', required: root.required, properties: root.properties }, root);
  const lists = { contradictions: [], hints: [], dismissed: [] };
  return new Doc({ ...least, ...lists, _id: id, author: { id: user() }, status: 'draft_incomplete', version: 0 });
}
