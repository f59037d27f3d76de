// @ts-check
// Deletes an investigation after ten seconds. Until then, the user can undo this. If the page is closed, deletes at
// once.

import { call, investigation, service } from '../core/api.js';
import { maxEntries } from '../core/constants.js';
import { el } from '../core/dom.js';
import { closedBecause } from '../links/link_options.js';
import { confirmed, tell, tellFailure } from '../core/notice.js';
import { user } from '../core/session.js';
import { counted, dateOf, titleOf } from '../text/words.js';
import { who } from '../core/people.js';

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

/**
 * Asks before a deletion that others would notice: of somebody else's lesson, or one with open links or named versions.
 * @param {any} item @returns {Promise<boolean>} whether to delete it
 */
export async function mayDelete(item) {
  try {
    const path = (/** @type {string} */ rest) => investigation(item._id, rest);
    const [links, versions] = await Promise.all([
      call('GET', path('/links')),
      call('GET', path(`/versions?limit=${maxEntries}`)),
    ]);
    const open = links.data.filter((/** @type {any} */ link) => !closedBecause(link)).length;
    const named = versions.data.filter((/** @type {any} */ version) => version.name).length;
    const isOfAnother = item.author?.id && item.author.id !== user();
    const reasons = [
      isOfAnother && el('p', {}, `It belongs to ${who(item.author.id, item.author)}.`),
      open > 0 && el('p', {}, `It has ${counted(open, 'open link')}. Links to a deleted lesson stop working.`),
      named > 0 && el('p', {}, `It has ${counted(named, 'named version')}.`),
    ].filter(Boolean);
    return reasons.length === 0 || Boolean(await confirmed(`Delete “${titleOf(item)}”?`, reasons, 'Delete it'));
  } catch (error) {
    tellFailure(error);
    return false;
  }
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
