// @ts-check
// Remembers where the user writes, and puts the cursor back there after a dialog.

/** Returns the part of a control that takes the focus. @param {HTMLElement} control @returns {HTMLElement} */
export function focusable(control) {
  const inner = 'input, textarea, select, button';
  return control.matches(inner) ? control : (control.querySelector(inner) ?? control);
}

/** Returns a function that puts the focus and the cursor back. */
export function caret() {
  const at = /** @type {HTMLElement | null} */ (document.activeElement);
  const writes = at instanceof HTMLTextAreaElement || at instanceof HTMLInputElement;
  const [from, to] = writes ? [at.selectionStart, at.selectionEnd] : [null, null];
  const path = /** @type {HTMLElement | null | undefined} */ (at?.closest('[data-path]'))?.dataset.path;

  return () => {
    const again = path === undefined ? null : document.querySelector(`[data-path="${CSS.escape(path)}"]`);
    const element = at?.isConnected ? at : /** @type {HTMLElement | null} */ (again);
    if (!element) return;
    const target = focusable(element);
    target.focus({ preventScroll: true });
    const isText = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    if (isText && from !== null) target.setSelectionRange(from, to);
  };
}
