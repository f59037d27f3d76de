// @ts-check
// The keys of the page: their names, and the dialog that lists them. docs/authors/using-the-page.md has the same list.

import { el } from './dom.js';
import { ask } from './notice.js';

export const isMac = /^(Mac|iP)/.test(navigator.platform ?? '');

/** Names of keys that people know by another one; the second name of each pair is used on a Mac. */
const NAMES = [
  ['Control', 'Ctrl', 'Command'],
  ['Alt', 'Alt', 'Option'],
  ['ArrowUp', '↑', '↑'],
  ['ArrowDown', '↓', '↓'],
];

/** Returns keys such as `Control+Alt+Z` as people call them. @param {string} keys @param {boolean} [onMac] */
export function namesOf(keys, onMac = isMac) {
  const name = (/** @type {string} */ key) => NAMES.find(([one]) => one === key)?.[onMac ? 2 : 1] ?? key;
  return keys.split('+').map(name).join(' + ');
}

/** The keys that the buttons name, too. */
export const UNDO = 'Control+Alt+Z';
export const REDO = 'Control+Alt+Y';

/** What keys do. @type {[string, string][]} */
export const SHORTCUTS = [
  [UNDO, 'Undo (Alt is not needed outside a text, or right after removing a row)'],
  [REDO, 'Redo (Alt is not needed outside a text, or right after undoing the removal of a row)'],
  ['Control+S', 'Save now, and say whether everything is saved'],
  ['Control+P', 'Print the lesson'],
  ['Enter', 'Go to the next field or cell, and from the last cell to a new row; inside a text of a list, split it'],
  ['Shift+Enter', 'Begin a new line in a row; in a long text, such as the phenomenon, Enter does'],
  ['Backspace', 'Remove an empty row'],
  ['Alt+ArrowUp', 'Move a row up'],
  ['Alt+ArrowDown', 'Move a row down'],
  ['Shift+Tab', 'Go from a field to its menu'],
  ['F8', 'Go to the last notice, or else to a field that was changed elsewhere, too; and back'],
  ['Escape', 'Close a dialog, a menu or a notice'],
  ['?', 'Show these keys; outside a text'],
];

/** Shows the keys in a dialog. */
export function showShortcuts() {
  const rows = SHORTCUTS.map(([keys, does]) =>
    el('tr', {}, el('th', { scope: 'row' }, namesOf(keys)), el('td', {}, does)),
  );
  return ask('Keyboard shortcuts', el('table', { class: 'keys' }, el('tbody', {}, rows)), [
    { label: 'Close', answer: null },
  ]);
}

/** Shows the keys when `?` is pressed outside a text. */
export function startShortcuts() {
  addEventListener('keydown', ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (key !== '?' || ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return;
    if (target instanceof Element && !target.matches('input, textarea, select')) showShortcuts();
  });
}
