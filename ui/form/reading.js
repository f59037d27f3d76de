// @ts-check
// Has the service read documents into fields.

import { call } from '../core/api.js';
import { isBlank, isObject, number, own } from '../text/values.js';

/**
 * A document: a text, the HTML of a clipboard, or a file.
 * @typedef {{ text: string } | { html: string } | Blob} Source
 * @typedef {{ type?: string, data?: string, path?: string }} Picture
 * @typedef {{ id: string, kind: string, level: number, text: string, field?: string, picture?: Picture }} Block
 * @typedef {{ content: Record<string, any>, blocks: Block[], notPlaced: string[], notices: string[], splitBy: string }}
 *   Reading
 */

/** Media types of files by the ends of their names, since browsers do not know all. @type {Record<string, string>} */
const TYPES = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  htm: 'text/html',
  md: 'text/markdown',
  txt: 'text/plain',
};
/** The names of files that can be opened. */
export const ENDINGS = Object.keys(TYPES)
  .map((ending) => `.${ending}`)
  .join(',');
/** The place of a field for all blocks of a document. */
const ALL = '1-10000';

/** Returns a file with its media type. @param {File} file */
export function sourceOf(file) {
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? '';
  return new Blob([file], { type: own(TYPES, ending) ?? (file.type || 'application/octet-stream') });
}

/**
 * Returns the fields of a document.
 * @param {Source} source
 * @param {{ assistant?: boolean, place?: string, signal?: AbortSignal }} [options] `place` has the blocks of each field
 * @returns {Promise<Reading>}
 */
export async function read(source, { assistant = false, place, signal } = {}) {
  const query = place === undefined ? `assistant=${assistant}` : `place=${encodeURIComponent(place)}`;
  const options = signal ? { body: source, signal } : { body: source };
  const { data } = await call('POST', `/api/investigation/split?${query}`, options);
  for (const block of data.blocks) if (block.picture?.path) block.field = block.picture.path.split('.')[0];
  return data;
}

/**
 * Returns the content of a document with its pictures.
 * @param {Reading} reading @param {Map<string, { id: string }>} pictures by block
 */
export function withPictures({ content, blocks }, pictures) {
  const lesson = { ...content };
  for (const { id, text, picture } of blocks) {
    const [field, at, member] = picture?.path?.split('.') ?? [];
    const made = pictures.get(id);
    if (!made || field === undefined) continue;
    const reference = { id: made.id, alt: text };
    const list = lesson[field] ?? [];
    lesson[field] =
      member === undefined
        ? [...list, reference]
        : list.map((/** @type {any} */ entry, /** @type {number} */ place) =>
            String(place) === at ? { ...entry, [member]: reference } : entry,
          );
  }
  return lesson;
}

/** Returns the blocks of each field, such as “materials:1-4,7;safety:8”. @param {Block[]} blocks */
export function placeOf(blocks) {
  /** @type {Map<string, { first: number, last: number }[]>} */
  const places = new Map();
  blocks.forEach(({ field }, at) => {
    if (!field) return;
    const runs = places.get(field) ?? [];
    const run = runs.at(-1);
    if (run?.last === at) run.last = at + 1;
    else runs.push({ first: at + 1, last: at + 1 });
    places.set(field, runs);
  });
  return [...places]
    .map(([field, runs]) => `${field}:${runs.map(({ first, last }) => `${first}-${last}`).join()}`)
    .join(';');
}

/**
 * Returns the entries of a list that several lines or a table make. Nothing is left out.
 * @param {Source} source @param {string} path of the list @param {any} schema of an entry
 * @returns {Promise<any[]>}
 */
export async function entriesOf(source, path, schema) {
  const { content, blocks, notPlaced } = await read(source, { place: `${path}:${ALL}` });
  const found = Array.isArray(content[path]) ? content[path] : [];
  const [first = 'text'] = schema.required ?? Object.keys(schema.properties ?? {});
  const rest = blocks.filter(({ id, text }) => text !== '' && (found.length === 0 || notPlaced.includes(id)));
  return [...found, ...rest.map(({ text }) => (isObject(schema.properties) ? { [first]: text } : text))];
}

/**
 * Returns the entry that “250 g clay” or “Sow. (5 min)” makes, if it is only in the main part of an entry.
 * @param {any} entry @param {any} schema of an entry @param {string} path of the list
 * @returns {Promise<Record<string, any> | null>} null if nothing is to be split
 */
export async function separated(entry, schema, path) {
  if (!isObject(schema.properties) || !isObject(entry)) return null;
  const [main = '', ...others] = Object.keys(entry).filter((name) => !isBlank(entry[name]));
  const text = entry[main];
  if (others.length > 0 || typeof text !== 'string' || !/[\d½⅓¼:–—]/.test(text)) return null;
  const { content } = await read({ text }, { place: `${path}:${ALL}` });
  const [made, ...more] = content[path] ?? [];
  return more.length === 0 && Object.keys(made ?? {}).length > 1 ? made : null;
}

/** Returns the number that a field takes from words such as “1 h 20”. @param {string} text @param {string} path */
export async function numberIn(text, path) {
  // The minutes of a step are written as those of the lesson.
  const field = /minutes$/i.test(path) ? 'durationMinutes' : path;
  const { content } = await read({ text }, { place: `${field}:${ALL}` });
  return number(JSON.stringify(content[field] ?? ''));
}
