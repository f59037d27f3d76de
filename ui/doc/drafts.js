// @ts-check
// Unsaved text, kept in this browser from the first keystroke until the service has stored it.
//
// A draft belongs to a user, an investigation, a field and the window in which the user writes. Other windows do not
// touch the draft while that window is open. If two windows write the same field, each has its own draft.

import { read } from '../core/api.js';
import { user } from '../core/session.js';

const PREFIX = 'fieldbook.draft:';
/** Prefix of the ids of lessons that are not stored yet. */
const FRESH = 'new-';

/** @typedef {{ value?: any, base?: any, title: string }} Draft `base` is the stored value that `value` replaces. */
/** @typedef {{ name: string, docId: string, field: string, by: string }} Entry */

/** The id of this window. The window holds a lock with this name until it is closed. */
const here = `fieldbook.window:${Math.random().toString(36).slice(2)}`;
// Other windows see by this lock that this window is open. Browsers offer locks only on https and localhost. Without
// locks, every other window counts as closed.
navigator.locks?.request(here, () => new Promise(() => undefined));

let owner = '';
/** Returns the owner of the drafts: the user, or the last user while nobody is signed in. */
export const who = () => (owner = user() ?? owner);

/** Returns the id of a lesson that is stored once something is written in it. */
export function freshId() {
  return FRESH + crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** @param {string} docId */
export const isFresh = (docId) => docId.startsWith(FRESH);

/** @param {string} docId @param {string} field */
const key = (docId, field) => PREFIX + JSON.stringify([who(), docId, field, here]);

/**
 * Keeps a change in this browser.
 * @param {string} docId @param {string} field @param {any} value undefined if the field is removed
 * @param {any} base the stored value that the change replaces
 * @param {string} title the title of the lesson in the list
 * @returns {boolean} false if this browser cannot keep the change
 */
export function keep(docId, field, value, base, title) {
  try {
    localStorage.setItem(key(docId, field), JSON.stringify({ value, base, title }));
    return true;
  } catch {
    return false;
  }
}

/**
 * Forgets a draft if it has this value. A newer draft stays.
 * @param {string} docId @param {string} field @param {any} value
 */
export function forget(docId, field, value) {
  const draft = readDraft(key(docId, field));
  if (draft && JSON.stringify(draft.value) === JSON.stringify(value)) localStorage.removeItem(key(docId, field));
}

/** Forgets the drafts of an investigation, except the drafts of other open windows. @param {string} docId */
export async function forgetAll(docId) {
  (await free()).filter((entry) => entry.docId === docId).forEach(({ name }) => localStorage.removeItem(name));
}

/**
 * Returns the drafts of an investigation that belong to no other open window, by field, and moves them to this
 * window. If a field has two drafts, the second one is left for the next call.
 * @param {string} docId @returns {Promise<Map<string, Draft>>}
 */
export async function take(docId) {
  /** @type {Map<string, Draft>} */
  const found = new Map();
  const entries = (await free()).filter((entry) => entry.docId === docId);
  entries.sort((a, b) => Number(b.by === here) - Number(a.by === here));
  for (const { name, field, by } of entries) {
    const draft = readDraft(name);
    if (!draft || found.has(field)) continue;
    if (by !== here) {
      localStorage.removeItem(name);
      keep(docId, field, draft.value, draft.base, draft.title);
    }
    found.set(field, draft);
  }
  return found;
}

/**
 * Returns the investigations with drafts that belong to no other open window: titles by id.
 * @returns {Promise<Map<string, string>>}
 */
export async function waiting() {
  return new Map((await free()).map(({ name, docId }) => [docId, readDraft(name)?.title ?? '']));
}

/** Returns the number of investigations with drafts, of all users. */
export function count() {
  return lessons(all());
}

/** Returns the number of investigations with drafts of the user, in all windows. */
export function countOwn() {
  return lessons(own());
}

/** Discards the drafts of the user, in all windows. */
export function discardOwn() {
  own().forEach(({ name }) => localStorage.removeItem(name));
}

/** Returns true if a draft of any user contains this text. @param {string} text */
export function mention(text) {
  return all().some(({ name }) => localStorage.getItem(name)?.includes(text));
}

/** @param {{ path: any[] }[]} drafts */
const lessons = (drafts) => new Set(drafts.map(({ path }) => path[1])).size;

const own = () => all().filter(({ path }) => path[0] === who());

function all() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  return names.map((name) => ({ name, path: read(name.slice(PREFIX.length)) }));
}

/** Returns the user's drafts, except the drafts of other open windows. @returns {Promise<Entry[]>} */
async function free() {
  const locks = await navigator.locks?.query();
  const open = new Set((locks?.held ?? []).map(({ name }) => name));
  return own()
    .filter(({ path }) => path[3] === here || !open.has(path[3]))
    .map(({ name, path }) => ({ name, docId: String(path[1]), field: String(path[2]), by: String(path[3]) }));
}

/** @param {string} name @returns {Draft | null} */
function readDraft(name) {
  const draft = read(localStorage.getItem(name) ?? 'null');
  return typeof draft?.title === 'string' ? draft : null;
}
