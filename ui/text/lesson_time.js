// @ts-check
// Counts the minutes of steps as the rule `duration_sum` does, with the patterns that the service gives.

import { isNumber, isObject } from './values.js';

/** Returns the value of a number, which may keep its notation, such as 6.0. @param {any} number */
export function valueOf(number) {
  return Number(JSON.stringify(number));
}

/**
 * Returns minutes in words, such as “40 of 45 min, and 1,470 outside the lesson”.
 * @param {ReturnType<typeof lessonTime>} sums @param {any} most the minutes of the lesson
 */
export function timeInWords({ inside, outside }, most) {
  const total = `${inside}${isNumber(most) ? ` of ${JSON.stringify(most)}` : ''} min`;
  return outside > 0 ? `${total}, and ${outside.toLocaleString('en')} outside the lesson` : total;
}

/**
 * Returns the minutes of the steps in the lesson, and those in parallel or outside it.
 * @param {any} steps @param {any} root the content schema
 */
export function lessonTime(steps, root) {
  const rule = (root['x-rules'] ?? []).find((/** @type {any} */ { id }) => id === 'duration_sum');
  const pattern = (/** @type {string} */ name) => new RegExp(rule?.patterns[name] ?? '(?!)', 'i');
  const [beside, later, first] = [pattern('beside'), pattern('later'), pattern('first')];
  const told = new RegExp(pattern('told'), 'gi');
  const timed = (Array.isArray(steps) ? steps : []).filter(isObject);
  const textOf = (/** @type {any} */ { text }) => (typeof text === 'string' ? text : '');
  // If the steps belong to several lessons, the minutes of all lessons are lesson time.
  const areSeveral = timed.some((step) => first.test(textOf(step)));
  const takesTime = (/** @type {string} */ text) => {
    const own = text.replace(told, '');
    return !beside.test(own) && (areSeveral || !later.test(own));
  };
  const sums = { inside: 0, outside: 0 };
  for (const step of timed) {
    const minutes = isNumber(step.minutes) ? valueOf(step.minutes) : 0;
    if (minutes > 0) sums[takesTime(textOf(step)) ? 'inside' : 'outside'] += minutes;
  }
  const rounded = (/** @type {number} */ sum) => Math.round(sum * 1e6) / 1e6;
  return { inside: rounded(sums.inside), outside: rounded(sums.outside) };
}
