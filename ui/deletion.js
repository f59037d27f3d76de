// @ts-check
// Deletes an investigation after ten seconds, in which it can be undone. A page that goes away deletes at once.

import { call, investigation } from './api.js';
import { tell, tellFailure } from './notice.js';

/** Time to change one's mind. */
const UNDO_MS = 10_000;

/** What ends each deletion that waits, by id. @type {Map<string, (keepalive?: boolean) => Promise<void>>} */
const waiting = new Map();

/** Whether an investigation is about to be deleted. @param {string} id */
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
  const end = async (keepalive = false) => {
    clearTimeout(timer);
    waiting.delete(id);
    try {
      await call('DELETE', investigation(id), { keepalive });
    } catch (error) {
      tellFailure(error, () => deleteSoon(id, title, changed));
    }
    changed();
  };
  waiting.set(id, end);
  tell(`“${title}” is deleted.`, { act: { label: 'Undo', run: undo }, shownMs: UNDO_MS });
}

addEventListener('pagehide', () => waiting.forEach((end) => end(true)));
