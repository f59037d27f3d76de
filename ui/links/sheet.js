// @ts-check
// Sheets, which the service writes and this page shows in a frame.

import { investigation } from '../core/api.js';
import { el } from '../core/dom.js';

/**
 * Returns the address of a sheet.
 * @param {string} docId @param {Record<string, string | number>} query whom it is for, which version, and in which form
 */
export function sheetAddress(docId, query) {
  const words = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return investigation(docId, `/sheet?${new URLSearchParams(words)}`);
}

/**
 * Returns a frame with a sheet, as high as the sheet. The event `fit` adapts its height again.
 * @param {string} docId @param {Record<string, string | number>} query whom it is for, and which version
 */
export function sheetFrame(docId, query) {
  /** @type {HTMLIFrameElement} */
  const frame = el('iframe', { class: 'sheet-frame', title: 'The sheet', src: sheetAddress(docId, query) });
  const fit = () => void (frame.height = String(frame.contentDocument?.body?.offsetHeight ?? 0));
  ['load', 'fit'].forEach((event) => frame.addEventListener(event, fit));
  new ResizeObserver(fit).observe(frame);
  return frame;
}
