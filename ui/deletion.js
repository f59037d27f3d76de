// @ts-check
// Deletes an investigation after ten seconds, in which it can be undone. A page that goes away deletes at once.

import { call, Failure, investigation } from './api.js';
import { confirmed, tell, tellFailure } from './notice.js';
import { untilWhen } from './trash.js';

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
      if (error instanceof Failure && error.code === 'too_large_for_trash') await deleteForGood(id, title);
      else tellFailure(error, () => deleteSoon(id, title, changed));
    }
    changed();
  };
  waiting.set(id, end);
  untilWhen().then((until) => {
    if (waiting.has(id)) {
      tell(`“${title}” is deleted.${until}`, { act: { label: 'Undo', run: undo }, shownMs: UNDO_MS, stays: true });
    }
  });
}

/** @param {string} id @param {string} title */
async function deleteForGood(id, title) {
  const body = `“${title}” is too large to be restored later. Delete it for good?`;
  if (!(await confirmed('Delete for good', body, 'Delete for good'))) return;
  await call('DELETE', investigation(id, '?permanently=true')).catch((error) => tellFailure(error));
}

addEventListener('pagehide', () => waiting.forEach((end) => end(true)));
