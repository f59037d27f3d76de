// @ts-check
// Saves text that an editor left unsaved, once the service, the network or the sign-in is back.

import { Doc } from './doc.js';
import * as drafts from './drafts.js';
import { tell } from './notice.js';
import { token } from './session.js';

/** How often it looks for unsaved text. */
const LOOK_MS = 10_000;

/** Investigations in an open editor, which saves them itself. @type {Set<string>} */
const held = new Set();
let busy = false;
/** The text that is being saved, and the end of that. */
let sending = { docId: '', done: /** @type {Promise<void>} */ (Promise.resolve()) };

/**
 * Leaves an investigation to its editor until that is left. Resolves once a save that had begun is over, so that the
 * editor reads what it stored.
 * @param {string} docId @param {AbortSignal} signal
 */
export async function hold(docId, signal) {
  held.add(docId);
  signal.addEventListener('abort', () => held.delete(docId));
  if (sending.docId === docId) await sending.done;
}

/** The unsaved texts that no editor holds: titles by id. */
export async function unsaved() {
  return new Map([...(await drafts.waiting())].filter(([docId]) => !held.has(docId)));
}

/** Saves what can be saved now. Event on the window: `sent`, when a text was saved. */
export async function send() {
  if (busy || !token() || !navigator.onLine) return;
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
    const doc = await Doc.open(docId);
    if (!(await doc.leave())) return;
    tell(`Your text in “${title}” is saved now.`, { stays: true });
    dispatchEvent(new Event('sent'));
  } catch {
    // It stays in this browser, and the next look tries again.
  }
}

export function start() {
  ['online', 'signed-in'].forEach((event) => addEventListener(event, send));
  setInterval(send, LOOK_MS);
  send();
}
