// @ts-check
// Copies texts, even without TLS, where browsers do not let a page use the clipboard.

import { el } from './dom.js';
import { tell } from './notice.js';

/**
 * Copies a text, and shows the message `done` or `failed`.
 * @param {string} text @param {string} done @param {string} failed
 */
export async function copy(text, done, failed) {
  try {
    await navigator.clipboard.writeText(text);
    tell(done);
  } catch {
    tell(copySelected(text) ? done : failed);
  }
}

/** Copies a text without the clipboard API. Returns false if that did not work. @param {string} text */
function copySelected(text) {
  const field = el('textarea', { class: 'heard', 'aria-hidden': 'true', tabindex: -1 });
  field.value = text;
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  // Puts the field into an open dialog, because nothing outside of it can be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  before?.focus();
  return isCopied;
}
