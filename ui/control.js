// @ts-check
// A control for any value under any schema. Controls hold no truth: they show a value and say when people change it.

import { choice, json, number, text, truth } from './plain.js';
import { list } from './entries.js';
import { object } from './nested.js';
import { kind } from './schema.js';

/**
 * Where a control stands and whom it tells.
 * @typedef {object} Place
 * @property {any} root the whole schema, for references
 * @property {string} path dotted: `steps.2.text`
 * @property {string} name for those who listen
 * @property {string} [labelled] the id of its label
 * @property {string} [described] the id of its help
 * @property {string} [id] the id that its label points to
 * @property {string} [hint] shown where nothing is written
 * @property {boolean} [isRow] whether it is an entry of a list, whose parts stand in one row
 * @property {boolean} [required] whether its parent cannot be without it
 * @property {(value: any, fault?: string) => void} change called with each new value, and with what is wrong with it;
 *   undefined where there is no value any more
 * @property {() => void} commit called when people leave it
 */

/** @param {any} schema @param {any} value @param {Place} place @returns {HTMLElement} */
export function control(schema, value, place) {
  const made = { choice, text, number, truth, list, object, json }[kind(schema, value)](schema, value, place);
  made.dataset.path = place.path;
  return made;
}

/**
 * A path as findings and histories write it: dots within a name are escaped.
 * @param {string} path @param {string | number} step
 */
export function below(path, step) {
  return `${path}.${String(step).replaceAll('\\', '\\\\').replaceAll('.', '\\.')}`;
}

/**
 * The control of a path, or of the nearest one around it.
 * @param {ParentNode} form @param {string} path @returns {HTMLElement | null}
 */
export function nearest(form, path) {
  for (let at = path; at; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    const found = form.querySelector(`[data-path="${CSS.escape(at)}"]`);
    if (found instanceof HTMLElement) return found;
  }
  return null;
}

/**
 * Goes to a place to write there. A list without entries gets its first row.
 * @param {ParentNode} form @param {string} path
 */
export function begin(form, path) {
  go(form, path);
  const at = document.activeElement;
  if (at?.matches('.add') && at.closest('[data-path]') === nearest(form, path)) at.dispatchEvent(new Event('begin'));
}

/** Goes to a place of the form. @param {ParentNode} form @param {string} path */
export function go(form, path) {
  const found = nearest(form, path);
  if (!found) return;
  const inner = 'input, textarea, select, button';
  const target = found.matches(inner) ? found : (found.querySelector(inner) ?? found);
  found.scrollIntoView({
    block: 'center',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  });
  /** @type {HTMLElement} */ (target).focus({ preventScroll: true });
}
