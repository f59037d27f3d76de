// @ts-check
// Remembers where the user writes, and puts the cursor back there after a dialog or after a control was replaced.

/** Returns the part of a control that takes the focus. @param {HTMLElement} control @returns {HTMLElement} */
export function focusable(control) {
  const inner = 'input, textarea, select, button';
  return control.matches(inner) ? control : (control.querySelector(inner) ?? control);
}

/** Returns a function that puts the focus and the cursor back, by default into the same element. */
export function caret() {
  const at = /** @type {HTMLElement | null} */ (document.activeElement);
  const writes = at instanceof HTMLTextAreaElement || at instanceof HTMLInputElement;
  const [from, to] = writes ? [at.selectionStart, at.selectionEnd] : [null, null];
  const path = /** @type {HTMLElement | null | undefined} */ (at?.closest('[data-path]'))?.dataset.path;

  return (/** @type {HTMLElement | null} */ control = null) => {
    const again = path === undefined ? null : document.querySelector(`[data-path="${CSS.escape(path)}"]`);
    const element = control ?? (at?.isConnected ? at : /** @type {HTMLElement | null} */ (again));
    if (!element) return;
    // A button of a list is replaced with the list.
    const add = at?.matches('button') ? element.querySelector('.add') : null;
    const target = add instanceof HTMLElement ? add : focusable(element);
    target.focus({ preventScroll: true });
    const isText = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
    if (isText && from !== null) target.setSelectionRange(from, to);
  };
}
