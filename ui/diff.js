// @ts-check
// Differences: of two texts in words, and of two contents place by place.

import { isObject, own, same } from './schema.js';

/** Beyond so many comparisons two texts are shown as wholly different. */
const MOST = 4_000_000;

/** @typedef {{ kind: 'same' | 'gone' | 'new', text: string }} Piece */

/**
 * The pieces that two texts share and do not share, in words.
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

/** By the longest common subsequence. @param {string[]} a @param {string[]} b @returns {Piece[]} */
function between(a, b) {
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

/** Neighbours of one kind become one piece; white space between two changes belongs to both. @param {Piece[]} pieces @returns {Piece[]} */
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

/** @typedef {{ path: (string | number)[], before: any, after: any }} Difference */

/** Where two values differ, leaf by leaf; lists of different length are compared entry by entry. @param {any} a @param {any} b @param {(string | number)[]} [path] @returns {Difference[]} */
export function differences(a, b, path = []) {
  if (same(a, b)) return [];
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
      differences(own(a, name), own(b, name), [...path, name]),
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => differences(a[i], b[i], [...path, i])).flat();
  }
  return [{ path, before: a, after: b }];
}
