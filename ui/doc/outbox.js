// @ts-check
// Saves text that was unsaved when its editor was left, once the service, the network or the sign-in is back.

import * as drafts from './drafts.js';
import { tell } from '../core/notice.js';
import { open } from './opening.js';
import { sweep } from './picture_bytes.js';
import { isSignedIn } from '../core/session.js';

/** Time between two searches for unsaved text. */
const LOOK_MS = 10_000;

/** Investigations that are open in an editor, which saves them itself. @type {Set<string>} */
const held = new Set();
/** The last saves of editors that were left. @type {Set<Promise<any>>} */
const leaving = new Set();
let busy = false;
/** The investigation that is being saved, and the end of this save. */
let sending = { docId: '', done: /** @type {Promise<void>} */ (Promise.resolve()) };

/**
 * Leaves the saving of an investigation to its editor, until the editor is left. Resolves after a save in progress,
 * so that the editor reads the saved state.
 * @param {string} docId @param {AbortSignal} signal
 */
export async function hold(docId, signal) {
  held.add(docId);
  signal.addEventListener('abort', () => held.delete(docId));
  if (sending.docId === docId) await sending.done;
}

/** Notes the last save of an editor. @param {Promise<any>} save */
export function left(save) {
  leaving.add(save);
  save.finally(() => leaving.delete(save)).catch(() => undefined);
}

/** Resolves once the editors that were left have saved what they can. */
export async function settled() {
  await Promise.allSettled(leaving);
}

/** Returns the investigations with unsaved text that are not open in an editor: titles by id. */
export async function unsaved() {
  return new Map([...(await drafts.waiting())].filter(([docId]) => !held.has(docId)));
}

/** Saves all unsaved text that can be saved now. Fires the event `sent` on the window for each saved text. */
export async function send() {
  if (busy || !isSignedIn() || !navigator.onLine) return;
  busy = true;
  for (const [docId, title] of await unsaved()) {
    if (held.has(docId)) continue;
    sending = { docId, done: save(docId, title) };
    await sending.done;
  }
  busy = false;
}

/** @param {string} docId @param {string} title */
async function save(docId, title) {
  try {
    const doc = await open(docId, { background: true });
    if (!(await doc.leave())) return;
    tell(`Your text in “${title}” is saved now.`, { stays: true });
    dispatchEvent(new Event('sent'));
  } catch {
    // The text stays in this browser, and the next search tries again.
  }
}

export function start() {
  ['online', 'signed-in'].forEach((event) => addEventListener(event, send));
  setInterval(send, LOOK_MS);
  sweep();
  send();
}
