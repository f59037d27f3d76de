// @ts-check
// Deletes an investigation after ten seconds. Until then, the user can undo this. If the page is closed, deletes at
// once.

import { call, investigation, service } from './api.js';
import { tell, tellFailure } from './notice.js';
import { dateOf } from './words.js';

/** Time within which the user can undo a deletion. */
const UNDO_MS = 10_000;

/**
 * Functions that send a waiting deletion at once, by investigation id.
 * @type {Map<string, (keepalive?: boolean) => Promise<void>>}
 */
const waiting = new Map();
/** Deletions that were sent and have no response yet. @type {Set<Promise<void>>} */
const running = new Set();
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns true if an investigation is about to be deleted. @param {string} id */
export function isDeleting(id) {
  return waiting.has(id);
}

/** @param {string} id @param {string} title @param {() => void} changed called when it is deleted, kept or failed */
export function deleteSoon(id, title, changed) {
  const timer = setTimeout(() => end(), UNDO_MS);
  const undo = () => {
    clearTimeout(timer);
    waiting.delete(id);
    changed();
  };
  const send = async (/** @type {boolean} */ keepalive) => {
    try {
      await call('DELETE', investigation(id), { keepalive });
    } catch (error) {
      tellFailure(error, () => deleteSoon(id, title, changed));
    }
    changed();
  };
  const end = (keepalive = false) => {
    clearTimeout(timer);
    waiting.delete(id);
    const sent = send(keepalive).finally(() => running.delete(sent));
    running.add(sent);
    return sent;
  };
  waiting.set(id, end);
  untilWhen().then((until) => {
    if (waiting.has(id)) {
      tell(`“${title}” is deleted.${until}`, { act: { label: 'Undo', run: undo }, shownMs: UNDO_MS, stays: true });
    }
  });
}

/** Sends all waiting deletions at once. Resolves when the service has answered all of them. */
export async function deleteNow() {
  waiting.forEach((end) => end());
  await Promise.all(running);
}

/** Returns a sentence about how long the investigation can be restored, or nothing if it cannot be restored. */
async function untilWhen() {
  const { trashDays } = await service().catch(() => ({ trashDays: 0 }));
  if (!trashDays) return '';
  return ` It can be restored until ${dateOf(Date.now() + trashDays * DAY_MS)}.`;
}

addEventListener('pagehide', () => waiting.forEach((end) => end(true)));
