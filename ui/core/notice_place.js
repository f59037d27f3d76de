// @ts-check
// Places notices where they cover the least.

import { isText } from './dom.js';
/** The places of notices, best first: in the lower corner, in the middle below, and above. */
const PLACES = ['corner', 'low', 'high'];
/** Elements that people read or click. */
const TEXT = 'a, button, input, textarea, select, summary, p, h1, h2, h3, dt, dd, span, label';

/**
 * Moves notices to the best place. On a phone, this is the lower edge, unless the notices would cover the text field in
 * use, or a control of a dialog. While a dialog is open, elements behind it are ignored.
 * @param {HTMLElement} notices
 */
export function place(notices) {
  if (!notices.firstChild) return;
  const isPhone = matchMedia('(max-width: 45.99rem)').matches;
  const places = isPhone ? PLACES.slice(1) : PLACES;
  const dialog = notices.closest('dialog');
  const around = dialog ? ':scope > :not(#notices)' : ':is(main, .top)';
  const seen = [...(dialog ?? document).querySelectorAll(`${around} :is(${TEXT})`)];
  const all = isPhone && !dialog ? [document.activeElement].filter(isText) : seen;
  const costs = places.map((at) => covered(notices, at, all));
  notices.dataset.at = places[costs.indexOf(Math.min(...costs))];
}

/**
 * Moves notices, and returns how much they cover there. The text field in use has the highest weight, then buttons.
 * @param {HTMLElement} notices @param {string} at @param {Element[]} all what they can cover
 */
function covered(notices, at, all) {
  notices.dataset.at = at;
  const boxes = [...notices.children].map((notice) => notice.getBoundingClientRect());
  const cost = (/** @type {Element} */ one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const weight = one === document.activeElement ? 1000 : one.matches('a, button, input, select, summary') ? 100 : 1;
    const overlap = (/** @type {DOMRect} */ box) =>
      Math.max(0, Math.min(right, box.right) - Math.max(left, box.left)) *
      Math.max(0, Math.min(bottom, box.bottom) - Math.max(top, box.top));
    return boxes.reduce((sum, box) => sum + weight * overlap(box), 0);
  };
  return all.reduce((sum, one) => sum + cost(one), 0);
}
