// @ts-check
// Makes a new investigation of text that cannot be saved where it was written. Its pictures go with it.

import { create, investigation } from '../core/api.js';
import * as drafts from './drafts.js';
import * as bytes from './picture_bytes.js';
import { draftId, idsIn, isDraft, withIds } from '../text/picture_refs.js';
import { own } from '../text/values.js';
import { titleOf } from '../text/words.js';

/**
 * Creates an investigation, and forgets the drafts of the one that it was written in. Its pictures become drafts,
 * which are sent once it is opened. A picture that nobody has any more is left out.
 * @param {string} docId @param {Record<string, any>} content @returns {Promise<string>} the id of the new one
 */
export async function saveAsNew(docId, content) {
  const { data } = await create(
    '/api/investigation',
    withIds(content, () => undefined),
  );
  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const id of new Set(idsIn(content))) {
    const blob = await bytesOf(docId, id);
    if (!blob) continue;
    ids.set(id, draftId());
    await bytes.keep(data._id, ids.get(id) ?? '', blob);
  }
  for (const [field, value] of Object.entries(content)) {
    const draft = withIds(value, (id) => ids.get(id));
    if (idsIn(draft).length > 0) drafts.keep(data._id, field, draft, own(data, field), titleOf(data));
  }
  await drafts.forgetAll(docId);
  return data._id;
}

/** Returns the bytes of a picture from this browser, or from the service. @param {string} docId @param {string} id */
async function bytesOf(docId, id) {
  const kept = (await bytes.ofDoc(docId)).find((one) => one.id === id || one.sentAs === id);
  if (kept || isDraft(id)) return kept?.blob;
  const response = await fetch(investigation(docId, `/pictures/${id}`)).catch(() => null);
  return response?.ok ? response.blob() : undefined;
}
