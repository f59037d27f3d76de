// @ts-check
// Decides where the focus goes when a dialog or a notice closes, or when the focused element is removed.

import { focusable, isText } from './dom.js';

/**
 * Returns a function that restores focus and cursor: to the element that had them, or to its replacement, or else to
 * its nearest ancestor.
 * @param {HTMLElement | null} [at] the focused element
 */
export function caret(at = /** @type {HTMLElement | null} */ (document.activeElement)) {
  const path = /** @type {HTMLElement | null | undefined} */ (at?.closest('[data-path]'))?.dataset.path;
  const around = /** @type {HTMLElement | null | undefined} */ (at?.parentElement?.closest('[tabindex]'));
  const [from, to] = isText(at) ? [at.selectionStart, at.selectionEnd] : [null, null];

  return () => {
    /** @type {HTMLElement | null} */
    const again = path === undefined ? null : document.querySelector(`[data-path="${CSS.escape(path)}"]`);
    const places = [at, again && focusable(again), around, document.getElementById('main')];
    const target = places.find((one) => one && one !== document.body && one.isConnected && one.checkVisibility());
    target?.focus({ preventScroll: true });
    if (isText(target) && from !== null) target.setSelectionRange(from, to);
  };
}

/** Moves the focus to the nearest focusable ancestor of an element. @param {Element} one */
export function focusAround(one) {
  const around = one.closest('[tabindex]');
  if (around instanceof HTMLElement) around.focus({ preventScroll: true });
}
