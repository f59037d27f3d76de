// @ts-check
// Compares two texts word by word, and two contents place by place.

import { isObject, own, same } from './values.js';

/** Maximum number of comparisons of words. Texts that need more are shown as completely different. */
const MOST = 4_000_000;

/** @typedef {{ kind: 'same' | 'gone' | 'new', text: string }} Piece */

/**
 * Compares two texts word by word. Returns the pieces that they share, and the pieces that only one of them has.
 * @param {string} before @param {string} after @returns {Piece[]}
 */
export function words(before, after) {
  const [a, b] = [tokens(before), tokens(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const middle = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return joined([...a.slice(0, start).map(keep), ...middle, ...a.slice(a.length - end).map(keep)]);
}

/** @param {string} text @returns {Piece} */
const keep = (text) => ({ kind: 'same', text });

/** @param {string} text @returns {string[]} */
function tokens(text) {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

/**
 * Compares two lists of texts by their longest common subsequence.
 * @param {string[]} a @param {string[]} b @returns {Piece[]}
 */
export function between(a, b) {
  const gone = () => a.map((text) => /** @type {Piece} */ ({ kind: 'gone', text }));
  const fresh = () => b.map((text) => /** @type {Piece} */ ({ kind: 'new', text }));
  if (a.length === 0 || b.length === 0 || a.length * b.length > MOST) return [...gone(), ...fresh()];
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      length[i * width + j] =
        a[i] === b[j]
          ? (length[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(length[(i + 1) * width + j] ?? 0, length[i * width + j + 1] ?? 0);
    }
  }
  /** @type {Piece[]} */
  const pieces = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      pieces.push(keep(a[i] ?? ''));
      i += 1;
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && (length[(i + 1) * width + j] ?? 0) >= (length[i * width + j + 1] ?? 0))
    ) {
      pieces.push({ kind: 'gone', text: a[i] ?? '' });
      i += 1;
    } else {
      pieces.push({ kind: 'new', text: b[j] ?? '' });
      j += 1;
    }
  }
  return pieces;
}

/**
 * Joins neighbouring pieces of the same kind. White space between two changes becomes part of both changes.
 * @param {Piece[]} pieces @returns {Piece[]}
 */
function joined(pieces) {
  /** @type {Piece[]} */
  const out = [];
  let [gone, fresh] = ['', ''];
  const flush = () => {
    if (gone) out.push({ kind: 'gone', text: gone });
    if (fresh) out.push({ kind: 'new', text: fresh });
    [gone, fresh] = ['', ''];
  };
  pieces.forEach((piece, at) => {
    const bridge =
      piece.kind === 'same' &&
      /^\s+$/.test(piece.text) &&
      gone + fresh !== '' &&
      pieces[at + 1] &&
      pieces[at + 1]?.kind !== 'same';
    if (piece.kind !== 'new' && (piece.kind === 'gone' || bridge)) gone += piece.text;
    if (piece.kind !== 'gone' && (piece.kind === 'new' || bridge)) fresh += piece.text;
    if (piece.kind === 'same' && !bridge) {
      flush();
      const last = out.at(-1);
      if (last?.kind === 'same') last.text += piece.text;
      else out.push({ ...piece });
    }
  });
  flush();
  return out;
}

/**
 * Returns where a selection of a text is in another state of this text: around the same words. A cursor stays after the
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
 * Compares words that were replaced letter by letter, so that “seed” stays in “seeds”.
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
 * Compares two lists. Entries that are in both lists are unchanged or have moved. The other entries are compared in
 * order.
 * @param {any[]} a @param {any[]} b @param {(string | number)[]} path
 */
function entryDifferences(a, b, path) {
  const [texts, others] = [a, b].map((list) => list.map((entry) => JSON.stringify(entry)));
  const pieces = between(texts ?? [], others ?? []);
  /** @type {{ at: number, text: string }[]} */
  const gone = [];
  /** @type {{ at: number, text: string }[]} */
  const fresh = [];
  let [i, j] = [0, 0];
  for (const { kind, text } of pieces) {
    if (kind === 'gone') gone.push({ at: i, text });
    if (kind === 'new') fresh.push({ at: j, text });
    if (kind !== 'new') i += 1;
    if (kind !== 'gone') j += 1;
  }
  /** @type {Difference[]} */
  const moved = [];
  for (const one of [...fresh]) {
    const from = gone.findIndex(({ text }) => text === one.text);
    if (from < 0) continue;
    moved.push({ path: [...path, one.at], before: b[one.at], after: b[one.at], movedFrom: gone[from]?.at ?? 0 });
    gone.splice(from, 1);
    fresh.splice(fresh.indexOf(one), 1);
  }
  const changed = Array.from({ length: Math.max(gone.length, fresh.length) }, (_, n) => {
    const [before, after] = [gone[n], fresh[n]];
    return differences(before && a[before.at], after && b[after.at], [...path, (after ?? before)?.at ?? 0]);
  });
  return [...moved, ...changed.flat()].sort((x, y) => Number(x.path[path.length]) - Number(y.path[path.length]));
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
