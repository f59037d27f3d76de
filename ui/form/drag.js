// @ts-check
// Moves rows of a list by dragging their handles, with a mouse, a finger or a pen.

import { arrange, still } from '../core/keyed.js';

/** Distance from the edge of the window within which a dragged row scrolls the page. */
const EDGE_PX = 60;
const SCROLL_PX_PER_MS = 0.5;

/**
 * @param {HTMLElement} rows the list, whose rows have a `.grip`
 * @param {(from: number, to: number) => void} dropped called when a row was moved
 */
export function draggable(rows, dropped) {
  rows.addEventListener('pointerdown', (event) => {
    const grip = /** @type {Element} */ (event.target).closest('.grip');
    const row = grip?.closest('li');
    if (!row || row.parentElement !== rows || event.button !== 0) return;
    // On touch screens, only the grip of the row in use moves a row. Other rows scroll the page.
    if (event.pointerType === 'touch' && !row.matches(':focus-within')) return;
    event.preventDefault();
    drag(rows, row, dropped);
  });
}

/** @param {HTMLElement} rows @param {HTMLElement} row @param {(from: number, to: number) => void} dropped */
function drag(rows, row, dropped) {
  const from = [...rows.children].indexOf(row);
  const ended = new AbortController();
  const { signal } = ended;
  let y = NaN;
  still(row, () => row.classList.add('dragged'));
  const end = () => {
    ended.abort();
    still(row, () => row.classList.remove('dragged'));
    const to = [...rows.children].indexOf(row);
    if (to !== from) dropped(from, to);
  };
  // The page also scrolls while the pointer rests at an edge of the window, up to the end of the list.
  let last = performance.now();
  const scroll = (/** @type {number} */ now) => {
    if (signal.aborted) return;
    const { top, bottom } = rows.getBoundingClientRect();
    const most = Math.max(0, now - last) * SCROLL_PX_PER_MS;
    last = now;
    const [above, below] = [EDGE_PX - top, bottom - innerHeight + EDGE_PX].map((room) => Math.max(0, room));
    const by = y < EDGE_PX ? -Math.min(most, above ?? 0) : y > innerHeight - EDGE_PX ? Math.min(most, below ?? 0) : 0;
    if (by !== 0) {
      scrollBy(0, by);
      follow(rows, row, y);
    }
    requestAnimationFrame(scroll);
  };
  scroll(last);
  const move = (/** @type {PointerEvent} */ { clientY }) => {
    y = clientY;
    follow(rows, row, y);
  };
  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', end, { signal });
  const cancel = () => {
    putRow(rows, row, from);
    end();
  };
  addEventListener('pointercancel', cancel, { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && cancel(), { signal });
}

/**
 * Moves a row to the pointer, which may be above or below the list.
 * @param {HTMLElement} rows @param {HTMLElement} row @param {number} y
 */
function follow(rows, row, y) {
  const middle = (/** @type {Element} */ other) => {
    const { top, bottom } = other.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  const above = [...rows.children].filter((other) => other !== row && middle(other) <= y);
  putRow(rows, row, above.length);
}

/** @param {HTMLElement} rows @param {HTMLElement} row @param {number} at its place in the list */
function putRow(rows, row, at) {
  const others = [...rows.children].filter((other) => other !== row);
  arrange(rows, others.toSpliced(at, 0, row));
}

/** True while a mouse button is down. */
let pressing = false;
addEventListener('mousedown', () => void (pressing = true), { capture: true });
addEventListener('mouseup', () => void (pressing = false), { capture: true });

/** Runs `act` once no mouse button is down, so that the clicked element does not move away. @param {() => void} act */
export function afterPress(act) {
  if (pressing) addEventListener('mouseup', () => setTimeout(act), { capture: true, once: true });
  else act();
}
