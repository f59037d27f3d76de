// Random numbers that are the same in every run.

/**
 * Returns a function that draws a whole number below its argument (mulberry32).
 * @param {number} seed
 */
export function randomOf(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
