// @ts-check
// Compares two texts word by word, and two contents place by place.

import { isObject, own, same } from './values.js';

/** Maximum number of comparisons. Longer lists are split at texts that occur once in both. */
const MOST = 4_000_000;
/** Two rows with at least this share of common words are two states of one row. */
const ALIKE = 0.4;
/** A word that occurs in more rows than this is not used to identify a row. */
const COMMON = 50;

/** @typedef {{ kind: 'same' | 'gone' | 'new', text: string }} Piece */

/**
 * Compares two texts word by word. Returns the pieces that they share, and the pieces that only one of them has.
 * @param {string} before @param {string} after @returns {Piece[]}
 */
export function words(before, after) {
  return joined(between(tokens(before), tokens(after)));
}

/** @param {string} text @returns {Piece} */
const keep = (text) => ({ kind: 'same', text });
/** @param {string[]} a @param {string[]} b @returns {Piece[]} */
const different = (a, b) => [
  ...a.map((text) => /** @type {Piece} */ ({ kind: 'gone', text })),
  ...b.map((text) => /** @type {Piece} */ ({ kind: 'new', text })),
];

/** @param {string} text @returns {string[]} */
function tokens(text) {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

/** Compares two lists of texts. @param {string[]} a @param {string[]} b @returns {Piece[]} */
export function between(a, b) {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [was, is] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const middle = was.length * is.length > MOST ? anchored(was, is) : compared(was, is);
  return [...a.slice(0, start).map(keep), ...middle, ...a.slice(a.length - end).map(keep)];
}

/**
 * Compares two long lists between the texts that both have once, in the same order.
 * @param {string[]} a @param {string[]} b @returns {Piece[]}
 */
function anchored(a, b) {
  const others = placesOf(b);
  const both = [...placesOf(a)].map(([text, places]) => [places, others.get(text) ?? []]);
  const anchors = rising(
    both.filter((sides) => sides.every(({ length }) => length === 1)).map((sides) => sides.flat()),
  );
  if (anchors.length === 0) return different(a, b);
  let [i, j] = [0, 0];
  return [...anchors, [a.length, b.length]].flatMap(([x = 0, y = 0]) => {
    const pieces = [...between(a.slice(i, x), b.slice(j, y)), ...a.slice(x, x + 1).map(keep)];
    [i, j] = [x + 1, y + 1];
    return pieces;
  });
}

/** Returns the indexes of each text in a list. @param {string[]} texts */
export function placesOf(texts) {
  /** @type {Map<string, number[]>} */
  const places = new Map(texts.map((text) => [text, []]));
  texts.forEach((text, at) => places.get(text)?.push(at));
  return places;
}

/**
 * Returns the longest sequence of pairs, in order, whose second numbers increase (patience sorting).
 * @param {number[][]} pairs
 */
function rising(pairs) {
  /** For each length, the lowest last pair, and the pair before it. @type {{ pair: number[], last: any }[]} */
  const ends = [];
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Number(ends[middle]?.pair[1]) < Number(pair[1])) low = middle + 1;
      else high = middle;
    }
    ends[low] = { pair, last: ends[low - 1] };
  }
  const chosen = [];
  for (let end = ends.at(-1); end; end = end.last) chosen.push(end.pair);
  return chosen.reverse();
}

/**
 * Compares two lists by their longest common subsequence.
 * @param {string[]} a @param {string[]} b @returns {Piece[]}
 */
function compared(a, b) {
  if (a.length === 0 || b.length === 0) return different(a, b);
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const length = (/** @type {number} */ i, /** @type {number} */ j) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  /** @type {Piece[]} */
  const pieces = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length;) {
    const isGone = j >= b.length || (i < a.length && length(i + 1, j) >= length(i, j + 1));
    const kind = a[i] === b[j] ? 'same' : isGone ? 'gone' : 'new';
    pieces.push({ kind, text: (kind === 'new' ? b[j] : a[i]) ?? '' });
    if (kind !== 'new') i += 1;
    if (kind !== 'gone') j += 1;
  }
  return pieces;
}

/**
 * Joins neighboring pieces of the same kind. White space between two changes becomes part of both changes.
 * @param {Piece[]} pieces @returns {Piece[]}
 */
function joined(pieces) {
  /** Both texts, in equal and different parts. @type {{ differ: boolean, a: string, b: string }[]} */
  const runs = [];
  pieces.forEach(({ kind, text }, at) => {
    const isBetween = runs.at(-1)?.differ && /^\s+$/.test(text) && (pieces[at + 1]?.kind ?? 'same') !== 'same';
    const differ = kind !== 'same' || Boolean(isBetween);
    if (runs.at(-1)?.differ !== differ) runs.push({ differ, a: '', b: '' });
    const run = /** @type {typeof runs[0]} */ (runs.at(-1));
    if (kind !== 'new') run.a += text;
    if (kind !== 'gone') run.b += text;
  });
  const parts = runs.flatMap(({ differ, a, b }) => (differ ? different([a], [b]) : [keep(a)]));
  return parts.filter(({ text }) => text !== '');
}

/**
 * Returns the position of a selection in another version of a text: around the same words. A cursor stays after the
 * nearest preceding character that still exists.
 * @param {string} text @param {string} other @param {number} from @param {number} to @returns {[number, number]}
 */
export function selected(text, other, from, to) {
  /** Where each character of the text is in the other one; -1 if it is gone. @type {number[]} */
  const now = [];
  let at = 0;
  for (const { kind, text: piece } of words(text, other).flatMap(finer)) {
    if (kind !== 'new') for (let n = 0; n < piece.length; n += 1) now.push(kind === 'same' ? at + n : -1);
    if (kind !== 'gone') at += piece.length;
  }
  const stays = (/** @type {number} */ one) => one >= 0;
  const end = (now.slice(0, to).findLast(stays) ?? -1) + 1;
  return [from === to ? end : Math.min(now.slice(from).find(stays) ?? end, end), end];
}

/**
 * Compares replaced words letter by letter, so that “seed” is unchanged in “seeds”.
 * @param {Piece} piece @param {number} at @param {Piece[]} all
 */
function finer(piece, at, all) {
  const [before, after] = [all[at - 1], all[at + 1]];
  if (piece.kind === 'new' && before?.kind === 'gone') return [];
  return piece.kind === 'gone' && after?.kind === 'new' ? between([...piece.text], [...after.text]) : [piece];
}

/**
 * A place where two values differ. A list entry that has only moved has `movedFrom`, its earlier index.
 * @typedef {{ path: (string | number)[], before: any, after: any, movedFrom?: number }} Difference
 */

/**
 * Returns the places where two values differ, leaf by leaf.
 * @param {any} a @param {any} b @param {(string | number)[]} [path] @returns {Difference[]}
 */
export function differences(a, b, path = []) {
  if (same(a, b)) return [];
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
      differences(own(a, name), own(b, name), [...path, name]),
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) return entryDifferences(a, b, path);
  return [{ path, before: a, after: b }];
}

/**
 * Compares two lists: entries that only moved, other entries with what they were, and entries that only one list has.
 * @param {any[]} a @param {any[]} b @param {(string | number)[]} path
 */
function entryDifferences(a, b, path) {
  const { found, left, moved } = origins(a, b);
  const moves = moved.map((at) => ({ path: [...path, at], before: b[at], after: b[at], movedFrom: found[at] ?? 0 }));
  const changed = found.map((from, at) => differences(a[from], b[at], [...path, at]));
  const gone = [...left].map((at) => ({ path: [...path, at], before: a[at], after: undefined }));
  return [...moves, ...gone, ...changed.flat()].sort(
    (x, y) => Number(x.path[path.length]) - Number(y.path[path.length]),
  );
}

/**
 * Finds the entries of a list in an earlier state of the list: first those in the same order, then those that moved.
 * @param {any[]} before @param {any[]} after
 * @returns {{ found: number[], left: Set<number>, moved: number[] }} the earlier index of each entry, or -1; the
 *   earlier indexes of the removed entries; and the new indexes of the moved entries
 */
function equalEntries(before, after) {
  const [a = [], b = []] = [before, after].map((entries) => entries.map((entry) => JSON.stringify(entry)));
  const found = after.map(() => -1);
  const left = new Set(before.keys());
  let [i, j] = [0, 0];
  for (const { kind } of between(a, b)) {
    if (kind === 'same') found[j] = i;
    if (kind === 'same') left.delete(i);
    if (kind !== 'new') i += 1;
    if (kind !== 'gone') j += 1;
  }
  const gone = [...left];
  const places = placesOf(gone.map((at) => a[at] ?? ''));
  const moved = [...after.keys()].filter((at) => {
    const from = found[at] === -1 ? gone[places.get(b[at] ?? '')?.shift() ?? -1] : undefined;
    if (from !== undefined) found[at] = from;
    return left.delete(from ?? -1);
  });
  return { found, left, moved };
}

/**
 * Finds the rows of a list in an earlier one. Equal rows are the same, even if they have moved. Changed rows are found
 * by their place between unchanged rows, and by their words.
 * @param {any[]} before @param {any[]} after @returns {ReturnType<typeof equalEntries>}
 */
export function origins(before, after) {
  const { found, left, moved } = equalEntries(before, after);
  const bags = new Map([...left].map((from) => [from, bag(before[from])]));
  /** For each word, the indexes of the rows that contain it. @type {Map<string, number[]>} */
  const rows = new Map([...bags.values()].flatMap((words) => [...words].map((word) => [word, []])));
  bags.forEach((words, from) => words.forEach((word) => rows.get(word)?.push(from)));
  const pairs = [...after.keys()].flatMap((at) => {
    const words = found[at] === -1 ? bag(after[at]) : new Set();
    const near = [...words].map((word) => rows.get(word) ?? []).filter(({ length }) => length <= COMMON);
    const froms = [...new Set(near.flat())].sort((x, y) => x - y);
    return froms.map((from) => ({ at, from, alike: likeness(bags.get(from) ?? new Set(), words) }));
  });
  pairs.sort((x, y) => y.alike - x.alike);
  for (const { at, from, alike } of pairs)
    if (alike >= ALIKE && found[at] === -1 && left.delete(from)) found[at] = from;
  pairBetween(found, left, before.length);
  return { found, left, moved };
}

/**
 * Pairs rewritten rows with the rows that had the same neighbors before.
 * @param {number[]} found is modified @param {Set<number>} left rows that were not found
 * @param {number} length of the list before
 */
function pairBetween(found, left, length) {
  for (let at = 0; at < found.length; at += 1) {
    if (found[at] !== -1) continue;
    let end = at;
    while (found[end] === -1) end += 1;
    const from = at === 0 ? 0 : (found[at - 1] ?? 0) + 1;
    const to = end === found.length ? length : (found[end] ?? 0);
    const places = Array.from({ length: end - at }, (_, n) => from + n);
    if (to - from === end - at && places.every((place) => left.has(place))) {
      found.splice(at, end - at, ...places);
      places.forEach((place) => left.delete(place));
    }
    at = end;
  }
}

/** Returns the different words of a row. @param {any} row @returns {Set<string>} */
function bag(row) {
  const leaves = Array.isArray(row) ? row : isObject(row) ? Object.values(row) : null;
  if (leaves) return new Set(leaves.flatMap((leaf) => [...bag(leaf)]));
  const text = typeof row === 'string' ? row : (JSON.stringify(row) ?? '');
  return new Set(text.match(/[\p{L}\p{N}]+/gu));
}

/** Returns the share of common words, by letters, from 0 to 1. @param {Set<string>} one @param {Set<string>} other */
function likeness(one, other) {
  const size = (/** @type {string[]} */ all) => all.join('').length;
  return size([...one].filter((word) => other.has(word))) / Math.max(size([...one]), size([...other]), 1);
}

/**
 * Returns a value with an earlier value at a path, whose last step may be missing now.
 * @param {any} value @param {string[]} path @param {any} before undefined if nothing was there @returns {any}
 */
export function reverted(value, [step = '', ...rest], before) {
  const inner = rest.length > 0 ? reverted(own(value, step), rest, before) : before;
  const made = inner === undefined ? [] : [inner];
  if (Array.isArray(value)) return value.toSpliced(Number(step), 1, ...made);
  const names = Object.hasOwn(value, step) ? Object.keys(value) : [...Object.keys(value), step];
  return Object.fromEntries(names.flatMap((name) => (name === step ? made : [value[name]]).map((one) => [name, one])));
}
