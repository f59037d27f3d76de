// @ts-check
// The control of an object: a control for each of its parts.

import { below, isBlank, own } from '../text/values.js';
import { control, naming, renew } from './control.js';
import { el, id } from '../core/dom.js';
import { keyed } from '../core/keyed.js';
import { receives } from './picture.js';
import { isComposite, kind, label, resolved } from '../core/schema.js';

/** @typedef {import('./control.js').Place} Place */

/** @param {any} schema @param {any} value @param {Place} place @returns {import('./control.js').Made} */
export function object(schema, value, place) {
  /** @type {Record<string, any>} */
  let parts = {};
  const known = Object.keys(schema.properties ?? {});
  const box = el('div', { class: place.isRow ? 'object row' : 'object', role: 'group', ...naming(place) });
  /** @type {(name: string, made: any, fault?: string, did?: string) => void} */
  const change = (name, made, fault, did) => {
    parts = { ...parts, [name]: made };
    if (made === undefined) delete parts[name];
    place.change(parts, fault, did);
  };
  const schemaOf = (/** @type {string} */ name) => resolved(own(schema.properties, name), place.root);
  const show = (/** @type {any} */ value) => {
    parts = { ...(value ?? {}) };
    keyed(box, [...known, ...Object.keys(parts).filter((name) => !known.includes(name))], {
      key: (name) => `${kind(schemaOf(name), own(parts, name))} ${name}`,
      make: (name) => {
        const words = known.includes(name) ? label(name, schemaOf(name)) : name;
        return part(schema, name, words, own(parts, name), place, change);
      },
      update: (element, name) => {
        renew(element.lastElementChild, own(parts, name));
        element.classList.toggle('blank', isBlank(own(parts, name)));
      },
    });
  };
  show(value);
  const picture = box.querySelector(':scope > .part > .picture-box');
  if (picture) receives(box, (detail) => picture.dispatchEvent(new CustomEvent('take', { detail })));
  return { element: box, show };
}

/**
 * @param {any} schema @param {string} name @param {string} words its label @param {any} value @param {Place} place
 * @param {(name: string, value: any, fault?: string, did?: string) => void} change
 */
function part(schema, name, words, value, place, change) {
  const inner = resolved(own(schema.properties, name), place.root);
  const form = kind(inner, value);
  const [box, title, help] = [id('f'), id('l'), id('h')];
  const composite = isComposite(form);
  const made = control(inner, value, {
    root: place.root,
    get path() {
      return below(place.path, name);
    },
    name: `${words}, ${place.name}`,
    hint: place.isRow ? words : (inner.description ?? ''),
    required: (schema.required ?? []).includes(name),
    pictures: place.pictures,
    isLine: place.isLine ?? false,
    commit: place.commit,
    ...(composite ? { labelled: title } : { id: box }),
    ...(inner.description ? { described: help } : {}),
    change: (value, fault, did) => {
      element.classList.toggle('blank', isBlank(value));
      change(name, value, fault, did);
    },
  });
  const heard = place.isRow && (!composite || form === 'picture') ? ' heard' : '';
  const element = el(
    'div',
    {
      class: 'part',
      'data-kind': form === 'text' && inner.type !== 'string' ? 'number' : form,
      'data-name': name,
    },
    composite
      ? el('span', { id: title, class: `label${heard}` }, words)
      : el('label', { for: box, id: title, class: `label${heard}` }, words),
    inner.description && el('p', { id: help, class: 'heard' }, inner.description),
    made,
  );
  return element;
}

/**
 * Returns the labels of the parts, above the rows of a list. Screen readers skip them.
 * @param {any} schema @param {any} root
 */
export function columns(schema, root) {
  return el(
    'div',
    { class: 'columns', 'aria-hidden': 'true' },
    Object.entries(schema.properties ?? {}).map(([name, inner]) => {
      const one = resolved(inner, root);
      const form = kind(one, undefined);
      if (form === 'picture') return el('span', { class: 'part blank', 'data-kind': form });
      const size = form === 'text' && one.type !== 'string' ? 'number' : form;
      return el('span', { class: 'part', 'data-kind': size, 'data-name': name }, label(name, one));
    }),
  );
}
