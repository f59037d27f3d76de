// @ts-check
// Unsaved text, kept in this browser from the first keystroke until the service has it.
//
// A draft belongs to a user, an investigation, a field and the window that writes it. Other windows leave it alone
// while that window is open. Two windows that write the same field have two drafts, and neither replaces the other.

import { read } from './api.js';
import { user } from './session.js';

const PREFIX = 'fieldbook.draft:';

/** @typedef {{ value?: any, base: string, title: string }} Draft */
/** @typedef {{ name: string, docId: string, field: string, by: string }} Entry */

/** This window, until it is closed. */
const here = `fieldbook.window:${Math.random().toString(36).slice(2)}`;
// A browser offers locks to pages from https or from the machine itself; elsewhere every window counts as closed.
navigator.locks?.request(here, () => new Promise(() => undefined));

let owner = '';
/** Whose drafts these are; while nobody is signed in, those of the last user. */
const who = () => (owner = user() ?? owner);

/** @param {string} docId @param {string} field */
const key = (docId, field) => PREFIX + JSON.stringify([who(), docId, field, here]);

/** A short mark of a value: two values with the same mark are taken for equal. @param {any} value */
export function mark(value) {
  const text = JSON.stringify(value) ?? '';
  let [low, high] = [0x811c9dc5, text.length];
  for (let i = 0; i < text.length; i += 1) {
    low = Math.imul(low ^ text.charCodeAt(i), 0x01000193);
    high = (Math.imul(high, 31) + text.charCodeAt(i)) | 0;
  }
  return `${text.length}.${low >>> 0}.${high >>> 0}`;
}

/**
 * Keeps what was typed.
 * @param {string} docId @param {string} field @param {any} value undefined where the field goes
 * @param {string} base the mark of the stored value that it replaces
 * @param {string} title what the list calls the lesson
 * @returns {boolean} false where this browser keeps nothing
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
 * Forgets a draft with this value; a newer one stays.
 * @param {string} docId @param {string} field @param {any} value
 */
export function forget(docId, field, value) {
  const draft = readDraft(key(docId, field));
  if (draft && JSON.stringify(draft.value) === JSON.stringify(value)) localStorage.removeItem(key(docId, field));
}

/** Forgets the drafts of an investigation, but for those of other open windows. @param {string} docId */
export async function forgetAll(docId) {
  (await free()).filter((entry) => entry.docId === docId).forEach(({ name }) => localStorage.removeItem(name));
}

/**
 * The drafts of an investigation that no other window is writing, by field. They are this window's then. Of two drafts
 * of a field, the second is left for the next call.
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
 * The investigations with drafts that no other window is writing, with their titles.
 * @returns {Promise<Map<string, string>>}
 */
export async function waiting() {
  return new Map((await free()).map(({ name, docId }) => [docId, readDraft(name)?.title ?? '']));
}

/** The user's drafts, but for those of other open windows. @returns {Promise<Entry[]>} */
async function free() {
  const locks = await navigator.locks?.query();
  const open = new Set((locks?.held ?? []).map(({ name }) => name));
  return Object.keys(localStorage)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => ({ name, path: read(name.slice(PREFIX.length)) }))
    .filter(({ path }) => path[0] === who() && (path[3] === here || !open.has(path[3])))
    .map(({ name, path }) => ({ name, docId: String(path[1]), field: String(path[2]), by: String(path[3]) }));
}

/** @param {string} name @returns {Draft | null} */
function readDraft(name) {
  const draft = read(localStorage.getItem(name) ?? 'null');
  return typeof draft?.base === 'string' ? draft : null;
}
