// @ts-check
// Creates the control for any value and any schema. A control shows a value and reports changes. It stores nothing.
// Another value of the same kind is shown in the same control, so that the cursor stays where it is.

import { choice, json, number, text, truth } from './plain.js';
import { list } from './entries.js';
import { object } from './nested.js';
import { picture } from './picture.js';
import { focusable } from '../core/dom.js';
import { kind } from '../core/schema.js';

/**
 * The properties of a control's place in the form, and the functions that the control calls.
 * @typedef {object} Place
 * @property {any} root the whole schema, for references
 * @property {string} path dotted: `steps.2.text`
 * @property {string} name for screen readers
 * @property {string} [labelled] the id of its label
 * @property {string} [described] the id of its help
 * @property {string} [id] the id that its label points to
 * @property {import('../doc/pictures.js').Pictures} pictures of the investigation
 * @property {string} [suggestions] the id of a list of suggestions
 * @property {string} [hint] shown while the control is empty
 * @property {boolean} [isRow] whether it is an entry of a list, whose parts are in one row
 * @property {boolean} [isLine] whether its texts have no paragraphs
 * @property {boolean} [required] whether its parent must contain it
 * @property {(value: any, fault?: string, did?: string) => void} change called with each new value, undefined if it was
 *   removed; with what is wrong with it; and with what was done, if this can be taken back
 * @property {() => void} commit called when the focus leaves it
 */

/**
 * The result of a function that creates a control: its element, and a function that shows another value in it.
 * @typedef {{ element: HTMLElement, show: (value: any) => void }} Made
 */

/** For each control, the function that shows another value in it. @type {WeakMap<HTMLElement, (value: any) => void>} */
const renewals = new WeakMap();

/** @param {any} schema @param {any} value @param {Place} place @returns {HTMLElement} */
export function control(schema, value, place) {
  const makers = { choice, text, number, truth, list, object, picture, json };
  const { element, show } = makers[kind(schema, value)](schema, value, place);
  element.dataset.path = place.path;
  renewals.set(element, (value) => {
    element.dataset.path = place.path;
    show(value);
  });
  return element;
}

/** Returns the attributes that name a control. @param {Place} place */
export function naming({ labelled, described, id, name }) {
  const label = labelled || id ? null : name;
  return { 'aria-labelledby': labelled, 'aria-label': label, 'aria-describedby': described };
}

/** The ids of the help of each control, which `describe` keeps. @type {WeakMap<Element, string | null>} */
const helps = new WeakMap();

/** Returns the element at which screen readers say what describes a control. @param {any} control */
export const heardAt = (control) => (control.matches('[role=group]:not(.row)') ? control : focusable(control));

/** Describes a control with other elements, after its help. @param {Element} target @param {string[]} ids of them */
export function describe(target, ids) {
  if (!helps.has(target)) helps.set(target, target.getAttribute('aria-describedby'));
  const all = [helps.get(target), ...ids].filter(Boolean).join(' ');
  if (all) target.setAttribute('aria-describedby', all);
  else target.removeAttribute('aria-describedby');
}

/** Shows another value of the same kind in a control. @param {HTMLElement} element @param {any} value */
export function renew(element, value) {
  renewals.get(element)?.(value);
}

/**
 * Returns the control at a path, or the nearest control around it.
 * @param {ParentNode} form @param {string} path @returns {HTMLElement | null}
 */
export function nearest(form, path) {
  for (let at = path; at; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    const found = form.querySelector(`[data-path="${CSS.escape(at)}"]`);
    if (found instanceof HTMLElement) return found;
  }
  return null;
}
