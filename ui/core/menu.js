// @ts-check
// The navigation between the views of an investigation, and buttons that open a menu with a few actions.

import { el } from './dom.js';
import { icon } from './icons.js';

/** @param {string} name for screen readers @param {any[]} parts the actions, and text about them */
export function menu(name, parts) {
  const list = el('div', { class: 'acts' }, parts);
  const box = el('details', { class: 'menu' }, el('summary', { 'aria-label': name }, icon('more')), list);
  // Opens where there is room, also after the page was scrolled.
  const place = () => {
    box.classList.remove('up', 'on');
    const { left, top, bottom } = list.getBoundingClientRect();
    box.classList.toggle('up', bottom > innerHeight && box.getBoundingClientRect().top > bottom - top);
    box.classList.toggle('on', left < 0);
  };
  box.addEventListener('toggle', () => {
    if (box.open) place();
    (box.open ? addEventListener : removeEventListener)('scroll', place);
  });
  box.addEventListener('focusout', (/** @type {FocusEvent} */ event) => {
    if (!box.contains(/** @type {Node | null} */ (event.relatedTarget))) box.open = false;
  });
  box.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape') return;
    box.open = false;
    box.querySelector('summary')?.focus();
  });
  // The menu closes before its action begins, so that a dialog of the action returns the focus to the menu button.
  const acts = (/** @type {MouseEvent} */ event) => {
    if (!(event.target instanceof Element) || !event.target.closest('.acts button')) return;
    box.open = false;
    box.querySelector('summary')?.focus({ preventScroll: true });
  };
  box.addEventListener('click', acts, { capture: true });
  return box;
}

/**
 * @param {HTMLElement} way @param {string} docId empty if no tabs should be shown
 * @param {'write' | 'history' | 'links' | 'print'} here
 * @param {boolean} [mayChange]
 */
export function tabs(way, docId, here, mayChange = true) {
  const all = /** @type {const} */ ([
    ['write', mayChange ? 'Write' : 'Read', ''],
    ['history', 'History', '/history'],
    ['links', 'Links', '/links'],
  ]);
  way.replaceChildren(
    el('a', { href: '#/', class: 'back' }, 'All lessons'),
    ...all
      .filter(() => docId)
      .map(([name, words, rest]) =>
        el('a', { href: `#/i/${docId}${rest}`, 'aria-current': name === here ? 'page' : null }, words),
      ),
  );
}
