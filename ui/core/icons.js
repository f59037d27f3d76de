// @ts-check
// The icons: lines on a grid of 16 × 16, in the color of the text. An icon is only decoration, because a text
// next to it has the same meaning.

import { svg } from './dom.js';

/** The SVG path of each icon. */
const LINES = {
  add: 'M8 3v10M3 8h10',
  book: 'M4.5 2h8v12h-8a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM6 2v12M8.5 5.5h2',
  camera: 'M2.5 5H5l1-2h4l1 2h2.5v8h-11zM8 6.75a2.25 2.25 0 1 0 0 4.5 2.25 2.25 0 0 0 0-4.5z',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  close: 'm4 4 8 8m0-8-8 8',
  diamond: 'm8 2 6 6-6 6-6-6z',
  done: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM5.25 8.25l2 2 3.5-4',
  down: 'M8 3v10m-4-4 4 4 4-4',
  grip: 'M6 4h.010M10 4h.010M6 8h.010M10 8h.010M6 12h.010M10 12h.01',
  lost: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm2.25 3.75-1.5 3-3 1.5 1.5-3z',
  more: 'M3.5 8h.010M8 8h.010M12.5 8h.01',
  open: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z',
  picture: 'M2.5 3h11v10h-11zM2.5 11 6 7.5l3 3 2-2 2.5 2.5M10.5 6h.010',
  redo: 'm10.5 3 3 3-3 3m3-3h-7a4 4 0 0 0 0 8H9',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zm3.25 7.75L13.5 13.5',
  undo: 'm5.5 3-3 3 3 3m-3-3h7a4 4 0 0 1 0 8H7',
  up: 'M8 13V3M4 7l4-4 4 4',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5V9.5M8 11.5h.01',
};

/** @typedef {keyof typeof LINES} Icon */
/** Dots are drawn as short lines, which have to be thick to be seen. */
const DOTS = new Set(['grip', 'more']);

/** The icons that were drawn already. Copying an icon is faster than drawing it again. @type {Map<Icon, Element>} */
const drawn = new Map();

/** @param {Icon} name @returns {any} */
export function icon(name) {
  const sign = drawn.get(name) ?? draw(name);
  drawn.set(name, sign);
  return sign.cloneNode(true);
}

/** @param {Icon} name @returns {Element} */
function draw(name) {
  return svg(
    'svg',
    { class: 'glyph', viewBox: '0 0 16 16', 'aria-hidden': 'true' },
    svg('path', { d: LINES[name], ...(DOTS.has(name) ? { 'stroke-width': 2 } : {}) }),
  );
}
