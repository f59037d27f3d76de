// @ts-check
// Opens a dialog, which keeps the keyboard focus inside. Escape and leaving the view close it. Afterwards the cursor is
// where it was.

/** @param {HTMLDialogElement} dialog @param {() => void} [closed] called once the dialog is closed */
export function modal(dialog, closed) {
  const restore = caret();
  const leave = () => dialog.close();
  dialog.addEventListener('close', () => {
    removeEventListener('hashchange', leave);
    dialog.remove();
    restore();
    closed?.();
  });
  addEventListener('hashchange', leave);
  document.body.append(dialog);
  dialog.showModal();
}

/** Returns a function that puts the focus and the cursor back, also if the control was replaced meanwhile. */
function caret() {
  const at = /** @type {HTMLElement | null} */ (document.activeElement);
  const path = /** @type {HTMLElement | null | undefined} */ (at?.closest('[data-path]'))?.dataset.path;
  /** @param {any} one @returns {one is HTMLTextAreaElement} */
  const isText = (one) => one instanceof HTMLTextAreaElement || one instanceof HTMLInputElement;
  const [from, to] = isText(at) ? [at.selectionStart, at.selectionEnd] : [null, null];

  return () => {
    const again = path === undefined ? null : document.querySelector(`[data-path="${CSS.escape(path)}"]`);
    const target = at?.isConnected ? at : again && focusable(/** @type {HTMLElement} */ (again));
    target?.focus({ preventScroll: true });
    if (isText(target) && from !== null) target.setSelectionRange(from, to);
  };
}

/** Returns the part of a control that takes the focus. @param {HTMLElement} control @returns {HTMLElement} */
export function focusable(control) {
  const inner = 'input, textarea, select, button';
  return control.matches(inner) ? control : (control.querySelector(inner) ?? control);
}
