// @ts-check
// Names of people, and badges of lessons and changes: avatars, statuses, and relative times, which are updated while
// shown.

import { call } from './api.js';
import { el, said } from './dom.js';
import { user, userName } from './session.js';
import { STATUSES, capitalised, momentOf, relative } from '../text/words.js';
import { icon } from './icons.js';

/** Names that were looked up; null for those who have none. @type {Map<string, string | null>} */
const names = new Map();

/** Maximum number of names in one request. */
const MOST = 100;

/**
 * Looks up names that this window does not know yet, so that `who` has them. If a lookup fails, only the names are
 * missing.
 * @param {(string | null | undefined)[]} ids
 * @param {{ background?: boolean }} [how] whether the request shows that the user is active
 */
export async function learnNames(ids, how = {}) {
  const unknown = [...new Set(ids)].filter((id) => id && !names.has(id)).slice(0, MOST);
  if (unknown.length === 0) return;
  const found = await call('GET', `/api/people?ids=${unknown.join(',')}`, how).catch(() => null);
  if (found) unknown.forEach((id) => names.set(/** @type {string} */ (id), null));
  found?.data.items.forEach((/** @type {any} */ one) => names.set(one.id, one.name));
}

/** Returns the people whose names have words that begin with a text. @param {string} text @returns {Promise<any[]>} */
export async function peopleNamed(text) {
  const found = await call('GET', `/api/people?search=${encodeURIComponent(text)}`);
  return found.data.items;
}

/**
 * Returns the name of a person for use in a sentence.
 * @param {string | null} by @param {any} author @param {(string | null)[]} [all] the people in the same view
 */
export function who(by, author, all = []) {
  if (!by) return 'somebody';
  if (by === user()) return 'you';
  const isNamed = (/** @type {string} */ one) => names.get(one) || (one === author?.id && author.name);
  const others = new Set(all.filter((one) => one && one !== user() && !isNamed(one)));
  const nameless = others.size > 1 ? `another author …${by.slice(-4)}` : 'another author';
  return (author?.id === by && author.name) || names.get(by) || nameless;
}

/**
 * @param {{ id: string | null, name?: string | null, avatar?: string | null } | undefined} author
 * @param {(string | null)[]} [all] the people in the same view
 */
export function person(author, all) {
  const own = author?.id && author.id === user() ? userName() : null;
  const name =
    author?.name ||
    own ||
    names.get(author?.id ?? '') ||
    (author?.id ? capitalised(who(author.id, author, all)) : 'No author');
  if (!author?.id) return el('span', {}, said(name));
  const shows = /^(https:\/\/|data:image\/)/.test(author.avatar ?? '');
  const face = shows
    ? el('img', {
        class: 'face',
        src: author.avatar,
        alt: '',
        width: 24,
        height: 24,
        loading: 'lazy',
        referrerpolicy: 'no-referrer',
      })
    : el('span', { class: 'face', 'aria-hidden': 'true' }, [...name.trim()].slice(0, 1).join('').toUpperCase());
  return el('span', { class: 'person' }, face, ' ', said(name));
}

/** @param {string} status */
export function badge(status) {
  const { words, sign } = STATUSES[status] ?? { words: status, sign: 'open' };
  return el(
    'span',
    { class: 'badge', 'data-status': status },
    icon(/** @type {import('./icons.js').Icon} */ (sign)),
    words,
  );
}

/** Time between two renewals of the times that are shown. */
const RENEWAL_MS = 30_000;
let renewing = false;
/** @type {ReturnType<typeof setInterval> | undefined} */
let clock;

/** Updates all times with the same current time. */
function renewTimes() {
  renewing = false;
  for (const one of document.getElementsByTagName('time')) one.textContent = relative(new Date(one.dateTime));
}

/** @param {string} at */
export function time(at) {
  clock ??= setInterval(renewTimes, RENEWAL_MS);
  // Updates the existing times as well, so that all times on the page are relative to the same moment.
  if (!renewing) queueMicrotask(renewTimes);
  renewing = true;
  const date = new Date(at);
  return el('time', { datetime: at, title: momentOf(date) }, relative(date));
}
