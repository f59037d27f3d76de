// @ts-check
// Opens a dialog, which keeps the keyboard focus inside. Escape and leaving the view close it. Afterwards the cursor is
// where it was.

import { caret } from './caret.js';

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
