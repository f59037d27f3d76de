// @ts-check
// Asks the service to read documents into fields.

import { Failure, call, wordsOf } from '../core/api.js';
import { entryOf, hasPictures, resolved } from '../core/schema.js';
import { draftId } from '../text/picture_refs.js';
import { isBlank, isObject, number, own } from '../text/values.js';
import { capitalised } from '../text/words.js';

/**
 * A document: a text, the HTML of a clipboard, or a file.
 * @typedef {{ text: string } | { html: string } | Blob} Source
 * @typedef {{ type?: string, data?: string, path?: string, caption?: string }} Picture
 * @typedef {{ id: string, kind: string, level: number, text: string, field?: string, label?: boolean, below?: number,
 *   picture?: Picture }} Block
 * @typedef {{ content: Record<string, any>, blocks: Block[], notPlaced: string[], notices: string[], splitBy: string }}
 *   Reading
 * Pictures of a document, by block.
 * @typedef {Map<string, { id: string, blob: Blob, url: string }>} Pictures
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
/** The `place` parameter that puts all blocks of a document into one field. */
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
 * Returns the content of a document with references to its pictures.
 * @param {Reading} reading @param {Map<string, { id: string }>} pictures by block
 */
export function withPictures({ content, blocks }, pictures) {
  const lesson = { ...content };
  for (const { id, text, picture } of blocks) {
    const [field, at, member] = picture?.path?.split('.') ?? [];
    const made = pictures.get(id);
    if (!made || field === undefined) continue;
    const reference = { id: made.id, alt: text, ...(picture?.caption && { caption: picture.caption }) };
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

/**
 * Returns the pictures that came with a document, each with the id of a draft. Puts pictures without a place into the
 * field of pictures, so that none is lost.
 * @param {Reading} reading @param {string} [gallery] the name of the field of pictures
 */
export function picturesOf(reading, gallery) {
  /** @type {Pictures} */
  const pictures = new Map();
  for (const block of reading.blocks) {
    const { id, picture: { type, data, path } = {} } = block;
    if (!data) continue;
    if (gallery && path === undefined)
      Object.assign(block, { field: gallery, picture: { ...block.picture, path: gallery } });
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const blob = new Blob([bytes], type ? { type } : {});
    pictures.set(id, { id: draftId(), blob, url: `data:${type};base64,${data}` });
  }
  return pictures;
}

/** Returns the texts of a document that are in no field. @param {Reading} reading @param {Pictures} pictures */
export function restOf({ blocks, notPlaced }, pictures) {
  return blocks
    .filter(({ id, text }) => notPlaced.includes(id) && !pictures.has(id) && text !== '')
    .map(({ text }) => text);
}

/** Returns true for a field of pictures, or of entries with pictures. @param {any} schema @param {any} root */
export function takesPictures(schema, root) {
  const members = Object.values(resolved(schema.items, root).properties ?? {});
  return hasPictures(schema, root) || members.some((member) => hasPictures(resolved(member, root), root));
}

/**
 * Returns true if the service refused a document itself, so that sending it again does not help.
 * @param {unknown} error @returns {error is Failure}
 */
export function isRefused(error) {
  return error instanceof Failure && [400, 413, 415].includes(error.status);
}

/**
 * Returns why a document could not be read, in plain language.
 * @param {unknown} error @param {Source} source
 */
export function whyUnread(error, source) {
  const name = source instanceof Blob ? 'The file' : 'The text';
  if (!isRefused(error)) return wordsOf(error);
  const why = error.errors[0]?.message ?? error.reason ?? error.message;
  // The service states the limit in bytes, which is hard to read.
  if (/\d bytes/.test(why)) return `${name} is larger than 5 MiB.`;
  return capitalised(why).replace(/[.:]?$/, '.');
}

/** Returns true if a field has room for several lines. @param {any} schema */
const takesLines = ({ type, maxLength }) => ['array', 'object'].includes(type) || (type === 'string' && !maxLength);

/**
 * Returns the blocks after the user chose a field for one of them. If it is a heading, the blocks that belong to it
 * move as well, except those for which the user chose a field, and the heading becomes a label, which is no entry. If
 * it is a picture, its caption moves as well. In a field that holds one line, the block replaces the others.
 * @param {Block[]} blocks @param {number} at @param {string} field @param {any} schema of the field, if it is one
 * @param {Set<string>} chosen the ids of blocks that stay
 * @returns {{ blocks: Block[], isLabel: boolean }}
 */
export function moved(blocks, at, field, schema, chosen) {
  const { below = 0, picture } = blocks[at] ?? {};
  const takes = field === '' || takesLines(schema);
  const end = at + 1 + (takes ? below : 0);
  const follows = (/** @type {Block} */ { id, kind }, /** @type {number} */ place) =>
    place > at && place < end && kind !== 'picture' && !chosen.has(id);
  const goes = (/** @type {Block} */ block, /** @type {number} */ place) =>
    place === at ||
    follows(block, place) ||
    (place === at + 1 && block.text === picture?.caption && !chosen.has(block.id));
  const yields = (/** @type {Block} */ block) => !takes && block.field === field;
  return {
    blocks: blocks.map((block, place) => {
      if (goes(block, place)) return { ...block, field };
      return yields(block) ? { ...block, field: '' } : block;
    }),
    isLabel: field !== '' && blocks.some(follows),
  };
}

/**
 * Returns the blocks of each field, and the labels, such as “materials:1-4,7;safety:8;*:1”.
 * @param {Block[]} blocks @param {Set<string>} [labels] the ids of blocks that only name what is below them
 */
export function placeOf(blocks, labels = new Set()) {
  /** @type {Map<string, { first: number, last: number }[]>} */
  const places = new Map();
  blocks.forEach(({ id, field }, at) => {
    for (const name of [field, labels.has(id) && '*']) {
      if (!name) continue;
      const runs = places.get(name) ?? [];
      const run = runs.at(-1);
      if (run?.last === at) run.last = at + 1;
      else runs.push({ first: at + 1, last: at + 1 });
      places.set(name, runs);
    }
  });
  return [...places]
    .map(([field, runs]) => `${field}:${runs.map(({ first, last }) => `${first}-${last}`).join()}`)
    .join(';');
}

/**
 * Returns the list entries for several lines or a table. No text is left out.
 * @param {Source} source @param {string} path of the list @param {any} schema of an entry
 * @returns {Promise<any[]>}
 */
export async function entriesOf(source, path, schema) {
  const { content, blocks, notPlaced } = await read(source, { place: `${path}:${ALL}` });
  const found = Array.isArray(content[path]) ? content[path] : [];
  // Pictures cannot be pasted into a list. Their captions become entries, so that no text is lost.
  const isCaption = (/** @type {number} */ at) => blocks[at]?.text === blocks[at - 1]?.picture?.caption;
  const isLeft = (/** @type {Block} */ { id }, /** @type {number} */ at) => notPlaced.includes(id) || isCaption(at);
  const rest = blocks.filter((block, at) => block.text !== '' && (found.length === 0 || isLeft(block, at)));
  return [...found, ...rest.map(({ text }) => entryOf(schema, text))];
}

/**
 * Returns the parts of “250 g clay” or “Sow. (5 min)” as an entry, if the text is in the main part of an entry and all
 * other parts are empty.
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
  // The minutes of a step are written in the same forms as the minutes of the lesson.
  const field = /minutes$/i.test(path) ? 'durationMinutes' : path;
  const { content } = await read({ text }, { place: `${field}:${ALL}` });
  return number(JSON.stringify(content[field] ?? ''));
}
