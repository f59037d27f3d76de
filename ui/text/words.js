// @ts-check
// Words for the codes of the service, for times, and for people.

import { el, said } from '../core/dom.js';
import { icon } from '../core/icons.js';
import { user, userName } from '../core/session.js';
import { isBlank } from '../core/schema.js';

/**
 * The label, icon and meaning of each status.
 * @type {Record<string, { words: string, sign: import('../core/icons.js').Icon, means: string }>}
 */
export const STATUSES = {
  draft_incomplete: { words: 'Incomplete', sign: 'open', means: 'Something that a complete lesson needs is missing.' },
  draft_contradictory_complete: {
    words: 'Contradicts itself',
    sign: 'warning',
    means: 'Complete, but two places cannot both be true.',
  },
  draft_non_contradictory_complete: {
    words: 'Complete',
    sign: 'done',
    means: 'Nothing is missing, and no contradiction was found.',
  },
  in_development: {
    words: 'In development',
    sign: 'diamond',
    means: 'Set by a person; stays until a person changes it.',
  },
  published: { words: 'Published', sign: 'check', means: 'Set by a person; stays until a person changes it.' },
};

/** @param {string} status */
export function badge(status) {
  const { words, sign } = STATUSES[status] ?? { words: status, sign: /** @type {const} */ ('open') };
  return el('span', { class: 'badge', 'data-status': status }, icon(sign), words);
}

/** @type {Record<string, [string, string]>} Verbs for each kind of version, for a person and for the assistant. */
export const KINDS = {
  update: ['changed', 'changed'],
  resolve: ['had a contradiction resolved', 'resolved a contradiction in'],
  regenerate: ['had fields regenerated', 'fitted'],
  converse: ['asked for a change', 'changed, as asked'],
  restore: ['restored an earlier', 'restored an earlier'],
};

/** @param {string} kind @param {boolean} withAI */
export function didWhat(kind, withAI) {
  return (KINDS[kind] ?? [kind, kind])[withAI ? 1 : 0];
}

/**
 * Returns what the page calls the part of the service that changes lessons on request: `subject` is used in a
 * sentence, `tag` as a label. Without a language model, it is not called an assistant.
 * @param {boolean} converses whether a language model is set up
 */
export function helper(converses) {
  return converses ? { subject: 'the assistant', tag: 'assistant' } : { subject: 'Fieldbook', tag: 'automatic' };
}

/** Names that were looked up; null for those who have none. @type {Map<string, string | null>} */
const names = new Map();

/** @param {string} id @param {string | null} name */
export function keepName(id, name) {
  names.set(id, name);
}

/** @param {string} id */
export function knowsName(id) {
  return names.has(id);
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

/** Makes the first letter of a text a capital. @param {string} text */
export function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
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

/** Creates the formats of times on first use, because this takes long on a phone. */
const formats = () =>
  (created ??= {
    date: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
    day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
    clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
    ago: new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }),
  });
/**
 * @type {Record<'date' | 'day' | 'clock', Intl.DateTimeFormat> & { ago: Intl.RelativeTimeFormat } | undefined}
 */
let created;

/** Returns a date without the time of day. @param {Date | number} at */
export function dateOf(at) {
  return formats().date.format(at);
}

/** Returns the time of day. @param {Date | number} at */
export function clockOf(at) {
  return formats().clock.format(at);
}

/** Returns “Today”, “Yesterday” or a date. @param {Date} at @param {Date} [now] */
export function dayOf(at, now = new Date()) {
  const days = [at, now].map((one) => Date.UTC(one.getFullYear(), one.getMonth(), one.getDate()) / 86_400_000);
  const ago = (days[1] ?? 0) - (days[0] ?? 0);
  return ago < 2 ? capitalised(formats().ago.format(-ago, 'day')) : dateOf(at);
}

/** Time between two renewals of the times that are shown. */
const RENEWAL_MS = 30_000;
let renewing = false;
/** @type {ReturnType<typeof setInterval> | undefined} */
let clock;

/** Shows all times by one clock. */
function renewTimes() {
  renewing = false;
  for (const one of document.getElementsByTagName('time')) one.textContent = relative(new Date(one.dateTime));
}

/** @param {string} at */
export function time(at) {
  clock ??= setInterval(renewTimes, RENEWAL_MS);
  // The times that are already there are renewed, so that the new one does not seem to be older.
  if (!renewing) queueMicrotask(renewTimes);
  renewing = true;
  const date = new Date(at);
  return el('time', { datetime: at, title: formats().day.format(date) }, relative(date));
}

/**
 * The units of times: the number of seconds below which they are used, and their length in seconds.
 * @type {[number, number, Intl.RelativeTimeFormatUnit][]}
 */
const UNITS = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86400, 3600, 'hour'],
  [604800, 86400, 'day'],
];

/** Returns words such as “3 minutes ago”. @param {Date} date */
function relative(date) {
  const seconds = (date.getTime() - Date.now()) / 1000;
  const [, size, unit] = UNITS.find(([limit]) => Math.abs(seconds) < limit) ?? [];
  return size && unit ? formats().ago.format(Math.round(seconds / size), unit) : formats().day.format(date);
}

/** @param {any} investigation */
export function titleOf(investigation) {
  return isBlank(investigation.title)
    ? 'Untitled'
    : typeof investigation.title === 'string'
      ? investigation.title
      : JSON.stringify(investigation.title);
}

/** Returns the title of a copy: “Cress” becomes “Cress (copy)”, and this “Cress (copy 2)”. @param {string} title */
export function copyOf(title) {
  const [, name = title, copy, number] = /^(.*) \((copy)(?: (\d+))?\)$/s.exec(title) ?? [];
  return copy ? `${name} (copy ${Number(number ?? 1) + 1})` : `${title} (copy)`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
