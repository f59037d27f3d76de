// @ts-check
// Updates the elements of a list. An element with the same key is kept, so that its open parts and its text
// are kept.

import { focusInstead } from './focus.js';

/** The item that each element shows. @type {WeakMap<Node, { name: any, item: any }>} */
const shown = new WeakMap();

/**
 * Gives an element a child for each item, in order. `make` makes the child of a new key, and `update` shows an item in
 * a child; `before` is the item that the child showed before.
 * @template T @param {Element} parent @param {readonly T[]} items
 * @param {{ key: (item: T) => any, make: (item: T) => any,
 *   update?: (child: any, item: T, at: number, before: T | undefined) => void }} how
 */
export function keyed(parent, items, { key, make, update }) {
  const known = new Map([...parent.children].map((child) => [shown.get(child)?.name, child]));
  const children = items.map((item, at) => {
    const name = key(item);
    const child = known.get(name) ?? make(item);
    // A second item with this key gets a separate child.
    known.delete(name);
    update?.(child, item, at, shown.get(child)?.item);
    shown.set(child, { name, item });
    return child;
  });
  arrange(parent, children);
}

/**
 * Keeps the scroll position of an element while `act` changes the page.
 * @param {Element} one @param {() => void} act
 */
export function still(one, act) {
  const { top } = one.getBoundingClientRect();
  act();
  if (!one.isConnected) return;
  scrollBy({ top: one.getBoundingClientRect().top - top, behavior: 'instant' });
}

/**
 * Makes elements the only children of another, in order. The focused element is not moved, because moving it would blur
 * it. If it is removed, `focusInstead` decides what gets the focus.
 * @param {Element} parent @param {Element[]} children
 */
export function arrange(parent, children) {
  const wanted = new Set(/** @type {Node[]} */ (children));
  const before = [...parent.children];
  const at = before.findIndex((child) => child.contains(document.activeElement));
  for (const node of [...parent.childNodes]) if (!wanted.has(node)) node.remove();
  const gone = before[at];
  if (gone && document.activeElement === document.body) focusInstead(gone, parent, children[at] ?? children.at(-1));
  const focused = children.findIndex(
    (child) => child.parentElement === parent && child.contains(document.activeElement),
  );
  const put = (/** @type {Element | undefined} */ child, /** @type {Node | null} */ next) => {
    if (child && child !== next && (child.nextSibling !== next || child.parentElement !== parent)) {
      parent.insertBefore(child, next);
    }
  };
  for (let at = focused - 1; at >= 0; at -= 1) put(children[at], children[at + 1] ?? null);
  for (let at = Math.max(focused, 0); at < children.length; at += 1) {
    if (at !== focused) put(children[at], at === 0 ? parent.firstChild : (children[at - 1]?.nextSibling ?? null));
  }
}
