// @ts-check
// Marks on lessons and changes: the badge of a status, and times, which stay true while they are shown.

import { el } from './dom.js';
import { icon } from './icons.js';
import { STATUSES, momentOf, relative } from '../text/words.js';

/** @param {string} status */
export function badge(status) {
  const { words, sign } = STATUSES[status] ?? { words: status, sign: 'open' };
  return el(
    'span',
    { class: 'badge', 'data-status': status },
    icon(/** @type {import('./icons.js').Icon} */ (sign)),
    words,
  );
}

/** Time between two renewals of the times that are shown. */
const RENEWAL_MS = 30_000;
let renewing = false;
/** @type {ReturnType<typeof setInterval> | undefined} */
let clock;

/** Shows all times by one clock. */
function renewTimes() {
  renewing = false;
  for (const one of document.getElementsByTagName('time')) one.textContent = relative(new Date(one.dateTime));
}

/** @param {string} at */
export function time(at) {
  clock ??= setInterval(renewTimes, RENEWAL_MS);
  // The times that are already there are renewed, so that the new one does not seem to be older.
  if (!renewing) queueMicrotask(renewTimes);
  renewing = true;
  const date = new Date(at);
  return el('time', { datetime: at, title: momentOf(date) }, relative(date));
}
