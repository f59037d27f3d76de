// @ts-check
// Decides where the focus goes when a dialog or a notice closes, or when the focused element is removed.

import { focusable, isText } from './dom.js';

/**
 * Returns the row, the field or another place that can have the focus around an element.
 * @param {Element | null | undefined} at @returns {HTMLElement | null | undefined}
 */
function placeOf(at) {
  /** @type {HTMLElement | null | undefined} */
  const place = at?.closest('[tabindex], [data-field]');
  const field = place?.dataset.field;
  // The messages about a short field are outside of the field.
  return field === undefined ? place : document.querySelector(`.field[data-field="${CSS.escape(field)}"]`);
}

/**
 * Returns the control in a row or a field, in which the user can go on. On a touch screen, returns the place itself,
 * because an on-screen keyboard would hide notices.
 * @param {HTMLElement | null | undefined} place
 */
function controlIn(place) {
  const isTouched = matchMedia('(pointer: coarse)').matches;
  /** @type {HTMLElement | null | undefined} */
  const control = place?.matches('li, .field') && !isTouched ? place.querySelector('[data-path]') : null;
  return control ? focusable(control) : place;
}

/**
 * Returns a function that restores focus and cursor: to the element that had them, or to its replacement, or else to
 * the control of its row or field, or to its nearest ancestor.
 * @param {HTMLElement | null} [at] the focused element
 */
export function caret(at = /** @type {HTMLElement | null} */ (document.activeElement)) {
  const path = /** @type {HTMLElement | null | undefined} */ (at?.closest('[data-path]'))?.dataset.path;
  const place = placeOf(at?.parentElement);
  const [from, to] = isText(at) ? [at.selectionStart, at.selectionEnd] : [null, null];

  return () => {
    /** @type {HTMLElement | null} */
    const again = path === undefined ? null : document.querySelector(`[data-path="${CSS.escape(path)}"]`);
    const places = [at, again && focusable(again), controlIn(place), document.getElementById('main')];
    const target = places.find((one) => one && one !== document.body && one.isConnected && one.checkVisibility());
    target?.focus({ preventScroll: true });
    // A date or a number has no cursor position.
    if (isText(target) && from !== null && target.selectionStart !== null) target.setSelectionRange(from, to);
  };
}

/**
 * Moves the focus from a removed child to the next one if that is folded, such as a finding, or else to what is around.
 * @param {Element} gone @param {Element} parent @param {Element | undefined} next
 */
export function focusInstead(gone, parent, next) {
  /** @type {HTMLElement | null | undefined} */
  const folded = next?.isConnected ? next.querySelector(':scope > summary') : null;
  // What the user goes on writing into a removed row must not get into another row.
  const wasWritten = gone.matches('[data-path], :has([data-path])');
  const target = wasWritten ? placeOf(parent) : (folded ?? controlIn(placeOf(parent)));
  target?.focus({ preventScroll: true });
}
