// @ts-check
// Makes new investigations with pictures: of text that cannot be saved where it was written, and of documents.

import { create, investigation } from '../core/api.js';
import * as drafts from './drafts.js';
import * as bytes from './picture_bytes.js';
import { draftId, idsIn, isDraft, withIds } from './picture_refs.js';
import { own } from '../core/schema.js';
import { titleOf } from '../text/words.js';

/**
 * Creates an investigation, and forgets the drafts of the one that it was written in.
 * @param {string} docId @param {Record<string, any>} content @returns {Promise<string>} the id of the new one
 */
export async function saveAsNew(docId, content) {
  const id = await createWithPictures(content, (picture) => bytesOf(docId, picture));
  await drafts.forgetAll(docId);
  return id;
}

/**
 * Creates an investigation. Its pictures become drafts, which are sent once it is opened. A picture that nobody has is left
 * out.
 * @param {Record<string, any>} content @param {(picture: string) => Promise<Blob | undefined>} bytesOf
 * @returns {Promise<string>} the id of the investigation
 */
export async function createWithPictures(content, bytesOf) {
  const { data } = await create(
    '/api/investigation',
    withIds(content, () => undefined),
  );
  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const id of new Set(idsIn(content))) {
    const blob = await bytesOf(id);
    if (!blob) continue;
    ids.set(id, draftId());
    await bytes.keep(data._id, ids.get(id) ?? '', blob);
  }
  for (const [field, value] of Object.entries(content)) {
    const draft = withIds(value, (id) => ids.get(id));
    if (idsIn(draft).length > 0) drafts.keep(data._id, field, draft, own(data, field), titleOf(data));
  }
  return data._id;
}

/** Returns the bytes of a picture from this browser, or from the service. @param {string} docId @param {string} id */
async function bytesOf(docId, id) {
  const kept = (await bytes.ofDoc(docId)).find((one) => one.id === id || one.sentAs === id);
  if (kept || isDraft(id)) return kept?.blob;
  const response = await fetch(investigation(docId, `/pictures/${id}`)).catch(() => null);
  return response?.ok ? response.blob() : undefined;
}
