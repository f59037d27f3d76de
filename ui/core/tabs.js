// @ts-check
// The navigation between the views of one investigation.

import { el } from './dom.js';

/**
 * @param {HTMLElement} way @param {string} docId empty for a view without others beside it
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
