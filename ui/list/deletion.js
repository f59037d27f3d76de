// @ts-check
// Deletes an investigation ten seconds after the user has asked for it, so that the user can undo the deletion. If the
// page is closed, deletes it at once. Also contains the view of deleted investigations, which can be restored if the
// service has a trash.

import { call, investigation, service } from '../core/api.js';
import { maxEntries } from '../core/constants.js';
import { actOn, button, el, said, shared } from '../core/dom.js';
import { closedBecause } from '../links/link_options.js';
import { attempt, confirmed, tell, tellFailure, whenUnused } from '../core/notice.js';
import { isAdmin, mayWrite, user } from '../core/session.js';
import { counted, dateOf, titleOf } from '../text/words.js';
import { learnNames, person, time, who } from '../core/people.js';
import { menu, tabs } from '../core/menu.js';

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
    const [links, versions, until] = await Promise.all([
      call('GET', path('/links')),
      call('GET', path(`/versions?named=true&limit=${maxEntries}`)),
      untilWhen(),
    ]);
    const open = links.data.filter((/** @type {any} */ link) => !closedBecause(link)).length;
    const named = versions.data.length;
    const isOfAnother = item.author?.id && item.author.id !== user();
    const reasons = [
      isOfAnother && el('p', {}, `It belongs to ${who(item.author.id, item.author)}.`),
      open > 0 && el('p', {}, `It has ${counted(open, 'open link')}. Links to a deleted lesson stop working.`),
      named > 0 && el('p', {}, `It has ${counted(named, 'named version')}.`),
    ].filter(Boolean);
    const body = [reasons, until && el('p', {}, until)];
    return reasons.length === 0 || Boolean(await confirmed(`Delete “${titleOf(item)}”?`, body, 'Delete it'));
  } catch (error) {
    tellFailure(error);
    return false;
  }
}

/** @param {string} id @param {string} title @param {() => void} changed called when it is deleted, kept or failed */
export function deleteSoon(id, title, changed) {
  const cancel = whenUnused(() => end(), UNDO_MS);
  const undo = () => {
    cancel();
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
  let close = () => {};
  const end = (keepalive = false) => {
    cancel();
    close();
    waiting.delete(id);
    const sent = send(keepalive).finally(() => running.delete(sent));
    running.add(sent);
    return sent;
  };
  waiting.set(id, end);
  untilWhen().then((until) => {
    if (waiting.has(id)) {
      close = tell(`“${title}” is deleted.${until}`, {
        act: { label: 'Undo', run: undo },
        shownMs: UNDO_MS,
        stays: true,
      });
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

/**
 * Returns a link to this view. The link is invisible until it is known whether there is a trash, but has its place in
 * the page, so that nothing moves. If there are no lessons, the link appears only if the trash is not empty.
 * @param {boolean} isEmpty whether there are no lessons
 */
export function wayToTrash(isEmpty) {
  const link = el('a', { class: 'awaited', href: '#/trash' }, 'Deleted');
  const look = async () => {
    const { trashDays } = await service();
    if (!trashDays) return link.remove();
    const leads = !isEmpty || (await call('GET', '/api/trash?limit=1')).data.length > 0;
    link.className = leads ? 'leads' : '';
  };
  look().catch(() => undefined);
  return link;
}

/** @param {import('../core/app.js').View} view */
export async function trash({ signal, way }) {
  document.title = 'Deleted · Fieldbook';
  tabs(way, '', 'write');
  const count = el('p', { class: 'muted', role: 'status' });
  const rows = el('ul', { class: 'rows' });
  const end = el('div', { class: 'more', hidden: true });
  const report = () => {
    count.textContent = rows.children.length > 0 ? '' : 'There are no deleted lessons that you can restore.';
  };
  const read = async (/** @type {string} */ query) => {
    const { data, pagination } = await call('GET', `/api/trash${query}`, { signal });
    await learnNames(data.flatMap((/** @type {any} */ item) => [item.author, item.deletedBy]));
    rows.append(...data.map((/** @type {any} */ item) => row(item, report)));
    const next = `?cursor=${encodeURIComponent(pagination?.nextCursor)}`;
    end.hidden = !pagination;
    end.replaceChildren(
      button(
        'Show more',
        shared(() => attempt(() => read(next))),
      ),
    );
    report();
  };
  await deleteNow();
  await read('');
  return el(
    'div',
    { class: 'list' },
    el('div', { class: 'head' }, el('h1', { tabindex: -1 }, 'Deleted')),
    count,
    rows,
    end,
  );
}

/** @param {any} item @param {() => void} changed called when the row is removed */
function row(item, changed) {
  const title = item.title || 'Untitled';
  const leave = () => {
    const near = line.nextElementSibling ?? line.previousElementSibling;
    line.remove();
    changed();
    /** @type {HTMLElement | null} */ ((near ?? document).querySelector(near ? 'button' : 'h1'))?.focus();
  };
  const restore = () =>
    attempt(async () => {
      const { data } = await call('POST', investigation(item.investigationId, '/undelete'));
      const left = data.linksLeftOut ?? [];
      const lost = left.length > 0 ? ` Other links have these addresses now: ${left.join(', ')}.` : '';
      const open = () => void (location.hash = `#/i/${item.investigationId}`);
      tell(`“${title}” is restored.${lost}`, { act: { label: 'Open', run: open } });
      leave();
    });
  const purge = async () => {
    const act = () => call('DELETE', `/api/trash/${item.investigationId}`);
    const words = 'Its text, history and links will be deleted. This cannot be undone.';
    if (!(await confirmed(`Delete “${title}” for good?`, el('p', {}, words), 'Delete for good', { act }))) return;
    leave();
    tell(`“${title}” is deleted for good.`);
  };
  const line = el(
    'li',
    {},
    el(
      'div',
      { class: 'what' },
      el('span', { class: 'title', dir: 'auto' }, title),
      el(
        'p',
        { class: 'facts' },
        person({ id: item.author, name: null, avatar: null }),
        el(
          'span',
          { class: 'muted' },
          'deleted ',
          item.deletedBy && ['by ', said(who(item.deletedBy, null)), ' '],
          time(item.deletedAt),
        ),
        el('span', { class: 'muted' }, 'kept until ', dateOf(new Date(item.until))),
      ),
    ),
    mayWrite() && actOn(title, 'Restore', restore),
    isAdmin() &&
      menu(`Actions for ${title}`, [
        button('Delete for good', purge, { class: 'grave', 'aria-label': `Delete ${title} for good` }),
      ]),
  );
  return line;
}
