// @ts-check
// Three-way merge: merges two changes of one value, based on the value before both. Lists are merged row by
// row, objects part by part, and texts sentence by sentence. The functions are pure: they send and store nothing.

import { origins, placesOf, words } from './diff.js';
import { isObject, own, same } from './values.js';

/**
 * A place that was changed on both sides: `mine` and `theirs` are undefined where a side removed it. `both` is the
 * value that keeps both sides: two rows, or one text; null if both cannot be kept.
 * @typedef {{ path: (string | number)[], base: any, mine: any, theirs: any, both: any[] | null }} Conflict
 * @typedef {'mine' | 'theirs' | 'both'} Choice
 */

/** Returns the key of a conflict. It stays the same until one side changes. @param {Conflict} conflict */
export function keyOf({ base, mine, theirs }) {
  return JSON.stringify([base, mine, theirs].map((value) => value ?? null));
}

/**
 * Merges two changes of `base`. Where both changed the same place, takes what `choices` says by the key of the
 * conflict, or else `mine`.
 * @param {any} base @param {any} mine @param {any} theirs @param {Map<string, Choice>} [choices]
 * @returns {{ value: any, open: Conflict[] }} `open` are the conflicts without a choice
 */
export function merge(base, mine, theirs, choices = new Map()) {
  /** @type {Conflict[]} */
  const open = [];
  const value = merged({ choices, open }, [], base, mine, theirs)[0];
  return { value, open };
}

/** @typedef {{ choices: Map<string, Choice>, open: Conflict[] }} Merge */

/**
 * Returns the merged values of one place: one value, or two rows if both are kept, or none if a row was removed.
 * @param {Merge} merge @param {(string | number)[]} path @param {any} base @param {any} mine @param {any} theirs
 * @param {boolean} [isRow] @returns {any[]}
 */
function merged(merge, path, base, mine, theirs, isRow = false) {
  const only = (/** @type {any} */ value) => (isRow && value === undefined ? [] : [value]);
  if (same(mine, theirs) || same(base, theirs)) return only(mine);
  if (same(base, mine)) return only(theirs);
  if (Array.isArray(mine) && Array.isArray(theirs) && Array.isArray(base ?? [])) {
    const rows = mergedRows(merge, path, base ?? [], mine, theirs);
    if (rows) return [rows];
  } else if (isObject(mine) && isObject(theirs) && isObject(base ?? {})) {
    const inner = isRow ? { choices: merge.choices, open: [] } : merge;
    const parts = mergedParts(inner, path, base ?? {}, mine, theirs);
    // The user chooses a row as a whole, because its parts make sense only together.
    if (inner.open.length === 0 || !isRow) return [parts];
  } else if (typeof mine === 'string' && typeof theirs === 'string') {
    const both = bothTexts(base, mine, theirs);
    if (both?.areApart) return [both.text];
  }
  const conflict = { path, base, mine, theirs, both: bothOf(base, mine, theirs, isRow) };
  const choice = merge.choices.get(keyOf(conflict));
  if (!choice) merge.open.push(conflict);
  if (choice === 'both' && conflict.both) return conflict.both;
  return only(choice === 'theirs' ? theirs : mine);
}

/** @param {any} base @param {any} mine @param {any} theirs @param {boolean} isRow */
function bothOf(base, mine, theirs, isRow) {
  if (isRow) return mine === undefined || theirs === undefined ? null : [theirs, mine];
  if (typeof mine !== 'string' || typeof theirs !== 'string') return null;
  return [bothTexts(base, mine, theirs)?.text ?? `${theirs}\n${mine}`];
}

/** Characters that end a sentence. */
const SENTENCE_END = /[.!?…。！？\n]/;

/**
 * Makes both changes of a text, if they do not touch each other. A line that only one side added comes after what the
 * other side wrote before it.
 * @param {any} base @param {string} mine @param {string} theirs
 * @returns {{ text: string, areApart: boolean } | null} `areApart` if no sentence has changes of both
 */
function bothTexts(base, mine, theirs) {
  if (typeof base !== 'string') return null;
  const all = [...editsOf(base, mine), ...editsOf(base, theirs)].map((edit) => {
    const isEnd = edit.from === edit.to && (base[edit.to] ?? '\n') === '\n';
    return { ...edit, isLine: isEnd && edit.made.startsWith('\n') };
  });
  all.sort((a, b) => a.from - b.from || Number(a.isLine) - Number(b.isLine));
  let [text, at, areApart] = ['', 0, true];
  for (const [n, { from, to, made, isLine }] of all.entries()) {
    const touches = n > 0 && from <= at;
    if (touches && (from < at || !isLine || all[n - 1]?.isLine)) return null;
    const kept = base.slice(at, from);
    if (n > 0 && !isLine && !SENTENCE_END.test(kept)) areApart = false;
    text += kept + made;
    at = to;
  }
  return { text: text + base.slice(at), areApart };
}

/** Returns the replaced parts of a text, each with its position. @param {string} base @param {string} after */
function editsOf(base, after) {
  /** @type {{ from: number, to: number, made: string }[]} */
  const edits = [];
  let at = 0;
  for (const { kind, text } of words(base, after)) {
    const to = kind === 'new' ? at : at + text.length;
    const last = edits.at(-1);
    if (kind === 'new' && last?.to === at) last.made += text;
    else if (kind !== 'same') edits.push({ from: at, to, made: kind === 'new' ? text : '' });
    at = to;
  }
  return edits;
}

/**
 * @param {Merge} merge @param {(string | number)[]} path @param {any} base @param {any} mine @param {any} theirs
 */
function mergedParts(merge, path, base, mine, theirs) {
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(base)]);
  const parts = [...names].map((name) => [
    name,
    merged(merge, [...path, name], own(base, name), own(mine, name), own(theirs, name))[0],
  ]);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

/**
 * @param {Merge} merge @param {(string | number)[]} path @param {any[]} base @param {any[]} mine @param {any[]} theirs
 * @returns {any[] | undefined} undefined if both sides changed the order in different ways
 */
function mergedRows(merge, path, base, mine, theirs) {
  const [ours, others] = [keysOf(base, mine, 'mine'), keysOf(base, theirs, 'theirs')];
  shareAdded(ours, mine, others, theirs);
  const [outer, inner] = moved(ours) ? [ours, others] : [others, ours];
  const [mineAt, theirsAt] = [ours, others].map((keys) => new Map(keys.map((key, at) => [key, at])));
  const common = (/** @type {string[]} */ keys) => keys.filter((key) => mineAt?.has(key) && theirsAt?.has(key));
  if (moved(inner) && !same(common(ours), common(others))) return undefined;
  return order(outer, inner).flatMap((key) => {
    const [at = -1, other = -1] = [mineAt?.get(key), theirsAt?.get(key)];
    return merged(merge, [...path, at < 0 ? other : at], base[baseOf(key)], mine[at], theirs[other], true);
  });
}

/**
 * Names the rows of a changed list: a row of `base` by its index there, a new row by its side and its own index.
 * @param {any[]} base @param {any[]} rows @param {string} side
 */
function keysOf(base, rows, side) {
  return origins(base, rows).found.map((from, at) => (from < 0 ? `${side} ${at}` : `base ${from}`));
}

/** Returns the index in the base, or -1 for a new row. @param {string} key */
function baseOf(key) {
  return key.startsWith('base ') ? Number(key.slice(5)) : -1;
}

/**
 * Gives one key to a row that both sides added.
 * @param {string[]} ours @param {any[]} mine @param {string[]} others @param {any[]} theirs
 */
function shareAdded(ours, mine, others, theirs) {
  const twins = placesOf(others.map((key, at) => (baseOf(key) < 0 ? JSON.stringify(theirs[at]) : '')));
  ours.forEach((key, at) => {
    const twin = baseOf(key) < 0 ? twins.get(JSON.stringify(mine[at]))?.shift() : undefined;
    if (twin !== undefined) others[twin] = key;
  });
}

/** Returns true if rows of the base are in another order. @param {string[]} keys */
function moved(keys) {
  const known = keys.map(baseOf).filter((at) => at >= 0);
  return known.some((at, n) => n > 0 && at < (known[n - 1] ?? 0));
}

/**
 * Returns all keys in the order of `outer`. A key that only `inner` has comes after the key that precedes it in
 * `inner`, and after the rows that `outer` added at the same place.
 * @param {string[]} outer @param {string[]} inner
 */
function order(outer, inner) {
  const [known, shared] = [new Set(outer), new Set(inner)];
  /** The keys that come after a shared one, or at the beginning. @type {Map<string, string[]>} */
  const following = new Map(['', ...inner].map((key) => [key, []]));
  let last = '';
  for (const key of inner) {
    if (known.has(key)) last = key;
    else following.get(last)?.push(key);
  }
  let waiting = following.get('') ?? [];
  const keys = outer.flatMap((key) => {
    if (baseOf(key) < 0 && !shared.has(key)) return [key];
    const placed = [...waiting, key];
    waiting = following.get(key) ?? [];
    return placed;
  });
  return [...keys, ...waiting];
}
