// @ts-check
// Finds words that are nearly the same, such as “pendulm” and “pendulum”.

/** Minimum length of a word in which one letter may differ. */
const MIN_LENGTH = 5;
/** Minimum length of a word in which two letters may differ. */
const TWO_FROM = 8;

/** @param {string} text */
function words(text) {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Shortens the long words of a search to their beginnings: “my pendulm” becomes “my pen”.
 * @param {string} search @returns {string} empty if all words are short
 */
export function shortened(search) {
  const all = words(search);
  if (!all.some((word) => word.length >= MIN_LENGTH)) return '';
  return all.map((word) => (word.length < MIN_LENGTH ? word : word.slice(0, Math.max(3, word.length >> 1)))).join(' ');
}

/**
 * Returns true if a content has a similar word for each word of a search.
 * @param {any} content @param {string} search
 */
export function isNear(content, search) {
  const known = new Set(words(JSON.stringify(content)));
  return words(search).every((word) => [...known].some((other) => isLike(word, other)));
}

/** @param {string} typed @param {string} word */
function isLike(typed, word) {
  if (word.startsWith(typed)) return true;
  if (typed.length < MIN_LENGTH) return false;
  const most = typed.length < TWO_FROM ? 1 : 2;
  return Math.abs(typed.length - word.length) <= most && distance(typed, word) <= most;
}

/**
 * Returns the number of letters to add, leave out, change or swap (optimal string alignment).
 * @param {string} a @param {string} b
 */
function distance(a, b) {
  /** @type {number[][]} */
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    const above = rows[i - 1] ?? [];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed);
      const swaps = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swaps) row[j] = Math.min(row[j] ?? 0, (rows[i - 2]?.[j - 2] ?? 0) + 1);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
