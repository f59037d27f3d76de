// @ts-check
// Converts codes of the service, times, titles and list entries to readable text.

import { isBlank, isObject } from './values.js';
import { isReference } from './picture_refs.js';

/**
 * The label, the name of the icon and the meaning of each status.
 * @type {Record<string, { words: string, sign: string, means: string }>}
 */
export const STATUSES = {
  draft_incomplete: { words: 'Incomplete', sign: 'open', means: 'Something that a complete lesson needs is missing.' },
  draft_contradictory_complete: {
    words: 'Contradicts itself',
    sign: 'warning',
    means: 'Complete, but two statements contradict each other.',
  },
  draft_non_contradictory_complete: {
    words: 'Complete',
    sign: 'done',
    means: 'Nothing is missing, and no contradiction was found.',
  },
  in_development: {
    words: 'In development',
    sign: 'diamond',
    means: 'Set by hand; stays until someone changes it.',
  },
  published: {
    words: 'Published',
    sign: 'check',
    means: 'Marked as ready, until someone changes it. Pupils open a lesson by a link, whatever its status.',
  },
};

/** Replaces “investigation” by “lesson”, which is the word of the page. @param {string} text */
export function asLesson(text) {
  const one = text.replace(/\b(a)n (?=investigation)/gi, '$1 ');
  return one.replaceAll('investigation', 'lesson').replaceAll('Investigation', 'Lesson');
}

/** @type {Record<string, [string, string]>} Verbs for each kind of version, for a person and for the assistant. */
export const KINDS = {
  update: ['changed', 'changed'],
  resolve: ['had a contradiction resolved', 'resolved a contradiction in'],
  regenerate: ['had fields regenerated', 'fitted'],
  converse: ['asked for a change', 'changed, as asked'],
  restore: ['went back to an earlier version of', 'went back to an earlier version of'],
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

/** What the page calls the dialog that reads a lesson. */
export const PASTE = 'Paste or open from Word';

/** Message for users who may not change anything. */
export const READS_ONLY = 'Your role is Reader: you can read everything. Ask an administrator if you want to write.';

/** Capitalizes the first letter of a text. @param {string} text */
export function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
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

/** Returns a date with the time of day. @param {Date} at */
export function momentOf(at) {
  return formats().day.format(at);
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
export function relative(date) {
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

/** Returns true for a text whose first letter is of a script that is written from the right. @param {string} text */
export const isFromRight = (text) =>
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text);

/**
 * Returns the title of a copy: “Cress (copy)” for “Cress”, and “Cress (copy 2)” for “Cress (copy)”.
 * @param {string} title
 */
export function copyOf(title) {
  const [, name = title, copy, number] = /^(.*) \((copy)(?: (\d+))?\)$/s.exec(title) ?? [];
  return copy ? `${name} (copy ${Number(number ?? 1) + 1})` : `${title} (copy)`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** @param {any} value */
const wordOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** @param {import('./picture_refs.js').Reference} picture */
function ofPicture({ alt, caption }) {
  return `Picture: ${[alt, caption].filter((part) => !isBlank(part)).join(' · ') || 'without a description'}`;
}

/**
 * Returns an entry as people write it: “300 ml water · warm”, “Sow the seeds. (10 min)”, “germinate: begin to grow”.
 * @param {Record<string, any>} entry @returns {string | null} null if the entry has other parts
 */
export function spoken(entry) {
  if (isReference(entry)) return ofPicture(entry);
  const { name, quantity, unit, notes, text, minutes, term, definition, picture, ...rest } = entry;
  if (Object.keys(rest).length > 0 || [name, unit, notes, text, term, definition].some(isObject)) return null;
  if (picture !== undefined && !isReference(picture)) return null;
  // “1 250 ml beaker” would be read as 1250.
  const times = isBlank(unit) && !isBlank(quantity) && /^\d/.test(name) ? '×' : unit;
  const all = [
    [isBlank(quantity) ? '' : wordOf(quantity), times, name].filter((part) => !isBlank(part)).join(' '),
    [text, !isBlank(minutes) && `(${wordOf(minutes)} min)`].filter((part) => part && !isBlank(part)).join(' '),
    [term, definition].filter((part) => !isBlank(part)).join(': '),
    notes,
    picture && ofPicture(picture),
  ];
  return all.filter((part) => !isBlank(part)).join(' · ');
}

/** Returns a text without line breaks. @param {string} text */
export const inLine = (text) => text.replace(/\s*\n$/, '').replace(/\s*\n\s*/g, ' ');

/**
 * Returns a sentence about changes of the contradictions of a lesson, or else of its status.
 * @param {any} before @param {any} now @returns {string}
 */
export function newsOf(before, now) {
  const reasons = (/** @type {any} */ one) => one.contradictions.map((/** @type {any} */ { reason }) => reason);
  const found = reasons(now).filter((/** @type {string} */ reason) => !reasons(before).includes(reason));
  if (found.length > 0) return found.join(' ');
  const [was, is] = [before.contradictions.length, now.contradictions.length];
  if (is < was) return is === 0 ? 'No contradiction is left.' : `${counted(is, 'contradiction')} left.`;
  return before.status === now.status ? '' : (STATUSES[now.status]?.words ?? now.status);
}
