// @ts-check
// A sheet to print: the investigation as pupils read it, and the QR code of a link to it.

import { call, investigation, schema } from './api.js';
import { button, el, said } from './dom.js';
import { address, path } from './links.js';
import { plain } from './changes.js';
import { content, fields, isBlank, isObject, label, own, resolved } from './schema.js';
import { tabs } from './tabs.js';
import { titleOf } from './words.js';

/** @param {import('./app.js').View} view @param {string} docId @param {string} key @param {string} subLink */
export async function handout({ signal, way }, docId, key, subLink) {
  const [root, { data }] = await Promise.all([schema(), call('GET', investigation(docId), { signal })]);
  tabs(way, docId, 'links');
  const title = titleOf(data);
  document.title = `${title} · Fieldbook`;
  const link = { key, subLink };
  const where = await address(link);
  const text = el(
    'div',
    { class: 'text' },
    fields(root, content(data))
      .filter(({ name, known }) => known && name !== 'title' && !isBlank(own(data, name)))
      .map((field) => el('section', {}, el('h2', {}, field.label), shown(own(data, field.name), field.schema, root))),
  );
  const whole = el('input', {
    type: 'checkbox',
    onchange: () => {
      text.hidden = !whole.checked;
    },
  });
  whole.checked = true;
  return el(
    'article',
    { class: 'handout' },
    el(
      'div',
      { class: 'bar screen' },
      button('Print', () => print(), { class: 'primary' }),
      el('label', { class: 'check' }, whole, ' With the whole text'),
    ),
    el(
      'header',
      {},
      el('h1', { tabindex: -1, dir: 'auto' }, title),
      el(
        'figure',
        {},
        el('img', { src: path(link, '/qr.svg'), alt: `QR code of ${key}/${subLink}`, width: 180, height: 180 }),
        el('figcaption', {}, where.replace(/^https?:\/\//, '')),
      ),
    ),
    text,
  );
}

/** Whether an entry has nothing to print. @param {any} entry */
function isEmpty(entry) {
  return isBlank(entry) || (isObject(entry) && Object.values(entry).every(isBlank));
}

/** A value to be read, not written. @param {any} value @param {any} schema @param {any} root @returns {HTMLElement} */
function shown(value, schema, root) {
  if (Array.isArray(value)) {
    const part = resolved(schema.items, root);
    return el(
      'ol',
      {},
      value
        .filter((entry) => !isEmpty(entry))
        .map((entry) => el('li', {}, isObject(entry) ? inLine(entry, part) : said(plain(entry)))),
    );
  }
  if (isObject(value)) {
    return el(
      'dl',
      {},
      Object.entries(value)
        .filter(([, part]) => !isBlank(part))
        .map(([name, part]) => [
          el('dt', {}, label(name, resolved(own(schema.properties, name), root))),
          el('dd', { dir: 'auto' }, Array.isArray(part) ? part.map(plain).join(', ') : plain(part)),
        ]),
    );
  }
  const paragraphs = plain(value)
    .split(/\n\s*\n/)
    .map((text) => text.trim())
    .filter(Boolean);
  return el(
    'div',
    {},
    paragraphs.map((text) => said(text, 'p', { class: 'paragraph' })),
  );
}

/** The first part says what it is, the others add to it. @param {Record<string, any>} entry @param {any} schema */
function inLine(entry, schema) {
  const order = Object.keys(schema.properties ?? {});
  const names = Object.keys(entry)
    .filter((name) => !isBlank(entry[name]))
    .sort((a, b) => (order.indexOf(a) + 1 || 99) - (order.indexOf(b) + 1 || 99));
  return names.map((name, i) =>
    i === 0
      ? said(plain(entry[name]))
      : el(
          'span',
          { class: 'muted' },
          ' · ',
          own(schema.properties, name)?.type === 'number'
            ? `${label(name, own(schema.properties, name)).toLowerCase()}: `
            : '',
          said(plain(entry[name])),
        ),
  );
}
