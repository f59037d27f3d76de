// @ts-check
// Saves text that its editor could not save: later, once the service, the network or the sign-in is back, or as a new
// lesson. Also creates lessons with pictures, for example from documents.

import * as drafts from './drafts.js';
import { el, said } from '../core/dom.js';
import { tell } from '../core/notice.js';
import * as bytes from './picture_bytes.js';
import { isSignedIn } from '../core/session.js';
import { create, investigation } from '../core/api.js';
import { draftId, idsIn, isDraft, withIds } from '../text/picture_refs.js';
import { own } from '../text/values.js';
import { titleOf } from '../text/words.js';

/** Time between two searches for unsaved text. */
const LOOK_MS = 10_000;

/** Investigations that are open in an editor, which saves them itself. @type {Set<string>} */
const held = new Set();
/** The last saves of closed editors. @type {Set<Promise<any>>} */
const leaving = new Set();
let busy = false;
/** The investigation that is being saved, and a promise that resolves when this save ends. */
let sending = { docId: '', done: /** @type {Promise<void>} */ (Promise.resolve()) };

/**
 * Lets an editor save its investigation itself, until the editor is closed. Resolves after a save in progress, so that
 * the editor reads the saved state.
 * @param {string} docId @param {AbortSignal} signal
 */
export async function hold(docId, signal) {
  held.add(docId);
  signal.addEventListener('abort', () => held.delete(docId));
  if (sending.docId === docId) await sending.done;
}

/** Adds the last save of an editor that is being closed. @param {Promise<any>} save */
export function left(save) {
  leaving.add(save);
  save.finally(() => leaving.delete(save)).catch(() => undefined);
}

/** Resolves once the last saves of all closed editors have ended. */
export async function settled() {
  await Promise.allSettled(leaving);
}

/** Returns the investigations with unsaved text that are not open in an editor: titles by id. */
export async function unsaved() {
  return new Map([...(await drafts.waiting())].filter(([docId]) => !held.has(docId)));
}

/** Returns links to the investigations with unsaved text in this browser, or null if there are none. */
export async function unsavedLinks() {
  const all = [...(await unsaved())];
  const link = (/** @type {[string, string]} */ [docId, title]) => el('a', { href: `#/i/${docId}` }, said(title));
  return all.length === 0 ? null : all.flatMap((one, i) => [i > 0 ? ', ' : '', link(one)]);
}

/** Saves all unsaved text that can be saved now. Fires the event `sent` on the window for each saved text. */
export async function send() {
  if (busy || !isSignedIn() || !navigator.onLine) return;
  busy = true;
  try {
    for (const [docId, title] of await unsaved()) {
      if (held.has(docId)) continue;
      sending = { docId, done: save(docId, title) };
      await sending.done;
    }
  } finally {
    busy = false;
  }
}

/** @param {string} docId @param {string} title */
async function save(docId, title) {
  try {
    const { open } = await import('./opening.js');
    const doc = await open(docId, { background: true });
    if (!(await doc.leave())) return;
    tell(`Your text in “${title}” is saved now.`, { stays: true });
    dispatchEvent(new Event('sent'));
  } catch {
    // The text stays in this browser, and the next search for unsaved text tries to save it again.
  }
}

export function start() {
  ['online', 'signed-in'].forEach((event) => addEventListener(event, send));
  setInterval(send, LOOK_MS);
  bytes.sweep();
  send();
}

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
 * Creates an investigation. Its pictures become drafts, which are sent once it is opened. A picture that neither this
 * browser nor the service has is left out.
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
