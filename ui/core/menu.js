// @ts-check
// A button that opens a menu with a few actions.

import { el } from './dom.js';
import { icon } from './icons.js';

/** @param {string} name for screen readers @param {any[]} parts the actions, and text about them */
export function menu(name, parts) {
  const list = el('div', { class: 'acts' }, parts);
  const box = el('details', { class: 'menu' }, el('summary', { 'aria-label': name }, icon('more')), list);
  box.addEventListener('toggle', () => {
    if (!box.open) return;
    box.classList.remove('up');
    const { top, bottom } = list.getBoundingClientRect();
    box.classList.toggle('up', bottom > innerHeight && box.getBoundingClientRect().top > bottom - top);
  });
  box.addEventListener('focusout', (/** @type {FocusEvent} */ event) => {
    if (!box.contains(/** @type {Node | null} */ (event.relatedTarget))) box.open = false;
  });
  box.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape') return;
    box.open = false;
    box.querySelector('summary')?.focus();
  });
  box.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    if (event.target instanceof Element && event.target.closest('.acts button')) box.open = false;
  });
  return box;
}
