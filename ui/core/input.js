// @ts-check
// Input of the user: keys that mean undo, redo and print, and files that are dropped, pasted or chosen.

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
 * Takes pictures that are pasted into an element. Programs that copy text often add a picture of it, which should not
 * be pasted.
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
    // Otherwise, the browser would fire no event if the same file is chosen again.
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

/** The characters that Option produces on a Mac, on English and German keyboards. @type {Record<string, string>} */
const OPTION = { Ω: 'z', ˇ: 'z', '¸': 'z', '¥': 'y' };

/**
 * Returns the letter of a key on any keyboard: what is printed on it, or for keys without Latin letters, such as those
 * of a Greek keyboard, the letter at the same position on an English keyboard.
 * @param {KeyboardEvent} event
 */
function letterOf({ key, code, altKey, metaKey }) {
  const made = altKey && metaKey ? OPTION[key] : undefined;
  return made ?? (/\p{Script=Latin}/u.test(key) ? key : code.replace(/^Key/, '')).toLowerCase();
}

/**
 * Returns what keys mean: Control + Z is undo, Control + Y and Control + Shift + Z are redo. Alt makes no difference.
 * @param {KeyboardEvent} event @returns {'undo' | 'redo' | null}
 */
export function stepOf(event) {
  // The right Alt key, which keyboards report as Control + Alt, writes letters such as “ż”.
  if (!(event.ctrlKey || event.metaKey) || event.getModifierState('AltGraph')) return null;
  const letter = letterOf(event);
  if (letter === 'z') return event.shiftKey ? 'redo' : 'undo';
  return letter === 'y' && !event.shiftKey ? 'redo' : null;
}

/**
 * Returns true if Control and a letter are pressed, and nothing else.
 * @param {KeyboardEvent} event @param {string} letter
 */
export function isControl(event, letter) {
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  return (ctrlKey || metaKey) && !shiftKey && !altKey && letterOf(event) === letter;
}

/**
 * Makes Control + P press the button with `data-prints`, if there is one. Otherwise the browser would print the page
 * instead of the sheet.
 */
export function startPrinting() {
  addEventListener('keydown', (event) => {
    const prints = document.querySelector('[data-prints]');
    if (!(prints instanceof HTMLElement) || !isControl(event, 'p')) return;
    event.preventDefault();
    prints.click();
  });
}

/**
 * Returns true if Enter ends a line. While Japanese or Chinese is written, Enter confirms a word. Safari reports this
 * only by the code 229.
 * @param {KeyboardEvent} event
 */
export function endsLine({ key, shiftKey, isComposing, keyCode }) {
  return key === 'Enter' && !shiftKey && !isComposing && keyCode !== 229;
}

/**
 * Cuts off the text after the cursor, and passes it to `add`. Then puts the cursor at the start of the added text.
 * Returns false if the cursor is at an end of the text.
 * @param {HTMLElement} box @param {(rest: string) => void} add adds a control with this text, which gets the focus
 */
export function splitAtCursor(box, add) {
  if (!(box instanceof HTMLTextAreaElement)) return false;
  const { value, selectionStart, selectionEnd } = box;
  const [before, rest] = [value.slice(0, selectionStart).trimEnd(), value.slice(selectionEnd).trimStart()];
  if (!before || !rest) return false;
  box.value = before;
  box.dispatchEvent(new Event('input'));
  add(rest);
  const added = document.activeElement;
  if (added instanceof HTMLTextAreaElement) added.setSelectionRange(0, 0);
  return true;
}
