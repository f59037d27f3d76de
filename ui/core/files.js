// @ts-check
// Files of the user: dropped, pasted or chosen.

import { el } from './dom.js';

/** @typedef {(files: File[]) => any} Take */

/** Takes files that are dropped on an element. @param {HTMLElement} element @param {Take} take */
export function dropped(element, take) {
  const isOver = (/** @type {boolean} */ over) => element.classList.toggle('over', over);
  element.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files') || event.defaultPrevented) return;
    event.preventDefault();
    isOver(true);
  });
  element.addEventListener('dragleave', () => isOver(false));
  element.addEventListener('drop', (event) => {
    isOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0 || event.defaultPrevented) return;
    event.preventDefault();
    take(files);
  });
}

/**
 * Takes pictures that are pasted into an element. Programs that copy text often copy a picture of it, too, which is
 * not meant.
 * @param {HTMLElement} element @param {Take} take
 */
export function pasted(element, take) {
  element.addEventListener('paste', (event) => {
    const { clipboardData: data, defaultPrevented } = event;
    const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
    if (files.length === 0 || defaultPrevented || data?.getData('text/plain')) return;
    event.preventDefault();
    take(files);
  });
}

/**
 * Returns a hidden input for files, and a function that opens it; on a phone, `camera` opens the camera instead.
 * @param {Record<string, any>} traits @param {Take} take
 * @returns {{ input: HTMLInputElement, open: (camera?: boolean) => void }}
 */
export function chosen(traits, take) {
  const given = () => {
    take([...(input.files ?? [])]);
    // The same file can be chosen again.
    input.value = '';
  };
  const input = el('input', { type: 'file', hidden: true, onchange: given, ...traits });
  const open = (camera = false) => {
    if (camera) input.setAttribute('capture', 'environment');
    else input.removeAttribute('capture');
    input.click();
  };
  return { input, open };
}
