// @ts-check
// Moves rows of a list by dragging their handles, with a mouse, a finger or a pen.

/** Distance from the edge of the window within which a dragged row scrolls the page. */
const EDGE_PX = 60;
const SCROLL_PX = 12;

/**
 * @param {HTMLElement} rows the list, whose rows have a `.grip`
 * @param {(row: HTMLElement, from: number) => void} dropped called when a row was moved
 */
export function draggable(rows, dropped) {
  rows.addEventListener('pointerdown', (event) => {
    const grip = /** @type {Element} */ (event.target).closest('.grip');
    const row = grip?.closest('li');
    if (!row || row.parentElement !== rows || event.button !== 0) return;
    event.preventDefault();
    drag(rows, row, dropped);
  });
}

/** @param {HTMLElement} rows @param {HTMLElement} row @param {(row: HTMLElement, from: number) => void} dropped */
function drag(rows, row, dropped) {
  const from = [...rows.children].indexOf(row);
  const ended = new AbortController();
  const { signal } = ended;
  row.classList.add('dragged');
  const end = () => {
    ended.abort();
    row.classList.remove('dragged');
    if (rows.children[from] !== row) dropped(row, from);
  };
  addEventListener('pointermove', ({ clientY }) => follow(rows, row, clientY), { signal });
  addEventListener('pointerup', end, { signal });
  addEventListener('pointercancel', end, { signal });
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      const others = [...rows.children].filter((other) => other !== row);
      rows.insertBefore(row, others[from] ?? null);
      end();
    },
    { signal },
  );
}

/** Moves a row to the pointer. @param {HTMLElement} rows @param {HTMLElement} row @param {number} y */
function follow(rows, row, y) {
  if (y < EDGE_PX) scrollBy(0, -SCROLL_PX);
  if (y > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
  for (const other of rows.children) {
    const { top, bottom } = other.getBoundingClientRect();
    if (other === row || y < top || y > bottom) continue;
    const before = y < (top + bottom) / 2 ? other : other.nextSibling;
    if (before !== row && before !== row.nextSibling) rows.insertBefore(row, before);
  }
}
