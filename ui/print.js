// @ts-check
// Sheets to print: the whole lesson for the teacher, or the hand-out for pupils, with the QR code of a link.

import { call, investigation, schema, service } from './api.js';
import { button, el, id, said } from './dom.js';
import { address, path } from './link_address.js';
import { closedBecause } from './link_options.js';
import { plain } from './changes.js';
import { amount } from './spoken.js';
import { figure } from './picture_frame.js';
import { isReference } from './picture_refs.js';
import { content, fields, isBlank, isObject, label, own, resolved } from './schema.js';
import { tabs } from './tabs.js';
import { titleOf } from './words.js';

/** Maximum number of links to choose from. */
const LINKS = 100;
/** Hosts that other devices cannot reach. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the hand-out with the QR code of a link.
 * @param {import('./app.js').View} view @param {string} docId @param {string} key @param {string} subLink
 */
export function handout(view, docId, key, subLink) {
  return sheet(view, docId, false, (links) => {
    const known = links.find((link) => link.key === key && link.subLink === subLink);
    return known ?? { key, subLink };
  });
}

/**
 * Returns a sheet with the QR code of the only open link. If there are several, the user chooses one on the sheet.
 * @param {import('./app.js').View} view @param {string} docId @param {string} audience
 */
export function printed(view, docId, audience) {
  return sheet(view, docId, audience === 'lesson', (links) => {
    const open = links.filter((link) => !closedBecause(link));
    return open.length === 1 ? open[0] : undefined;
  });
}

/**
 * @param {import('./app.js').View} view @param {string} docId @param {boolean} lesson
 * @param {(links: any[]) => any} choose returns the link whose code is shown first; undefined for none
 */
async function sheet({ signal, way }, docId, lesson, choose) {
  const [root, { data }, { data: links }] = await Promise.all([
    schema(),
    call('GET', investigation(docId), { signal }),
    call('GET', investigation(docId, `/links?limit=${LINKS}`), { signal }),
  ]);
  tabs(way, docId, 'print');
  const title = titleOf(data);
  document.title = `${title} · Fieldbook`;
  const text = el('div', { class: 'text' });
  const name = el('p', { class: 'pupil' }, el('span', {}, 'Name:'), el('span', {}, 'Date:'));
  const show = () => {
    name.hidden = whole.checked;
    text.replaceChildren(...sectionsOf(data, root, whole.checked));
  };
  const whole = el('input', { type: 'checkbox', onchange: show });
  whole.checked = lesson;
  show();
  const code = await codeOf(links, choose(links));
  return el(
    'article',
    { class: 'handout' },
    el(
      'div',
      { class: 'bar screen' },
      button('Print', () => print(), { class: 'primary' }),
      el('label', { class: 'check' }, whole, ' For teachers, with the whole lesson'),
      code.menu,
    ),
    code.warnings,
    el('header', {}, el('h1', { tabindex: -1, dir: 'auto' }, title), code.figure),
    name,
    text,
  );
}

/** Maximum length of a value that shares a row with its neighbours. */
const FACT = 24;

/**
 * Returns the fields as text to read.
 * @param {any} data @param {any} root @param {boolean} lesson whether to show what only teachers read
 * @param {string} [docId] of the pictures
 */
export function sectionsOf(data, root, lesson, docId = data._id) {
  const read = fields(root, content(data))
    .filter(({ known, schema }) => known && (lesson || schema['x-audience'] === 'pupil'))
    .filter(({ name }) => name !== 'title' && !isBlank(own(data, name)));
  /** @type {HTMLElement[][]} */
  const rows = [];
  let joins = false;
  for (const { name, label, schema } of read) {
    const value = own(data, name);
    const heading = (!lesson && schema['x-pupil-title']) || label;
    const section = el('section', { 'data-field': name }, el('h2', {}, heading), shown(value, schema, root, docId));
    const isFact = !isObject(value) && !Array.isArray(value) && plain(value).length <= FACT;
    if (isFact && joins) rows.at(-1)?.push(section);
    else rows.push([section]);
    joins = isFact;
  }
  return rows.flatMap((row) => (row.length > 1 ? el('div', { class: 'brief' }, row) : row));
}

/**
 * Returns a sheet of the current draft. It is visible only while the editor is printed.
 * @param {import('./doc.js').Doc} doc @param {any} root @param {AbortSignal} signal
 */
export function printedDraft(doc, root, signal) {
  const draft = el('article', { class: 'handout', hidden: true });
  const show = (/** @type {boolean} */ prints) => {
    draft.hidden = !prints;
    if (!prints) return draft.replaceChildren();
    const text = el('div', { class: 'text' }, sectionsOf(doc.written, root, true, doc.id));
    draft.replaceChildren(el('header', {}, el('h1', { dir: 'auto' }, titleOf(doc.written))), text);
  };
  addEventListener('beforeprint', () => show(true), { signal });
  addEventListener('afterprint', () => show(false), { signal });
  matchMedia('print').addEventListener('change', ({ matches }) => show(matches), { signal });
  return draft;
}

/**
 * Returns the QR code of a link, the menu that chooses the link, and warnings about it.
 * @param {any[]} links @param {any} first the link that is shown first
 */
async function codeOf(links, first) {
  const { publicUrl } = await service();
  const isLocal = !publicUrl && LOOPBACK.test(location.hostname);
  const [figure, warnings] = [el('div', { class: 'code' }), el('div', { class: 'screen' })];
  const open = links.filter((link) => link !== first && !closedBecause(link));
  const choices = first ? [first, ...open] : open;
  const menu = el(
    'select',
    { id: id('code'), onchange: () => show() },
    el('option', { value: '' }, 'No code'),
    choices.map((link, at) => el('option', { value: at }, `${link.key}/${link.subLink}`)),
  );
  const show = async () => {
    const link = choices[menu.value === '' ? -1 : Number(menu.value)];
    figure.replaceChildren(...(link ? [await codeFigure(link)] : []));
    const notes = [
      !link && choices.length > 1 && el('p', {}, 'There are several open links. Choose the one whose code pupils get.'),
      link && closedBecause(link) && warning('This link is closed: its code leads nowhere until you open it again.'),
      link && isLocal && warning(UNREACHABLE),
    ];
    warnings.replaceChildren(...notes.filter((note) => note));
  };
  menu.value = first ? '0' : '';
  await show();
  const box = el('div', { class: 'which' }, el('label', { for: menu.id }, 'Code of the link'), menu);
  return { figure, warnings, menu: choices.length > 0 ? box : null };
}

const UNREACHABLE =
  'The code leads to this computer, which phones cannot reach. ' +
  'Ask whoever runs Fieldbook to set the address for others.';

/** @param {string} words */
const warning = (words) => el('p', { class: 'alarm', role: 'alert' }, words);

/** @param {import('./link_address.js').LinkName} link */
async function codeFigure(link) {
  const where = await address(link);
  const alt = `QR code of ${link.key}/${link.subLink}`;
  return el(
    'figure',
    {},
    el('img', { src: path(link, '/qr.svg'), alt, width: 180, height: 180 }),
    // The address may be split after a slash, but not inside a name.
    el(
      'figcaption',
      {},
      where
        .replace(/^https?:\/\//, '')
        .split(/(?<=\/)/)
        .map((part) => el('span', {}, part)),
    ),
  );
}

/**
 * Returns a value as text to read.
 * @param {any} value @param {any} schema @param {any} root @param {string} docId @returns {HTMLElement}
 */
function shown(value, schema, root, docId) {
  if (isReference(value)) return figure(docId, value);
  if (Array.isArray(value)) {
    const part = resolved(schema.items, root);
    const entries = value.filter((entry) => !isBlank(entry));
    const has = (/** @type {string} */ member) =>
      entries.some((entry) => isObject(entry) && !isBlank(own(entry, member)));
    return el(
      has('text') ? 'ol' : 'ul',
      { class: has('name') ? 'checklist' : null },
      entries.map((entry) =>
        el(
          'li',
          {},
          el(
            'div',
            {},
            isReference(entry)
              ? figure(docId, entry)
              : isObject(entry)
                ? inLine(entry, part, root, docId)
                : said(plain(entry)),
          ),
        ),
      ),
    );
  }
  if (isObject(value)) {
    const parts = Object.entries(value).filter(([, part]) => !isBlank(part));
    return el(
      'dl',
      {},
      parts.map(([name, part]) => [
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

/**
 * Returns an entry as people write it: “300 ml water”, “Sow the seeds. (10 min)”.
 * @param {Record<string, any>} entry @param {any} schema @param {any} root @param {string} docId
 */
function inLine(entry, schema, root, docId) {
  const { name, quantity, unit, text, minutes, picture, ...rest } = entry;
  const lead = [];
  const tail = { ...rest };
  if (!isBlank(name)) lead.push(said([amount(quantity, unit), plain(name)].filter(Boolean).join(' ')));
  else Object.assign(tail, { quantity, unit });
  if (!isBlank(text)) lead.push(said(plain(text)));
  if (!isBlank(minutes)) lead.push(el('span', { class: 'muted' }, ` (${plain(minutes)}\u00a0min)`));
  const order = Object.keys(schema.properties ?? {});
  const names = Object.keys(tail)
    .filter((part) => !isBlank(tail[part]))
    .sort((a, b) => (order.indexOf(a) + 1 || 99) - (order.indexOf(b) + 1 || 99));
  const isNumeric = (/** @type {string} */ part) => resolved(own(schema.properties, part), root).type === 'number';
  return [
    ...lead,
    ...names.map((part, at) => {
      const named = isNumeric(part) ? `${label(part, own(schema.properties, part)).toLowerCase()}: ` : '';
      const words = `${named}${plain(tail[part])}`;
      return at === 0 && lead.length === 0 ? said(words) : el('span', { class: 'muted' }, ' · ', said(words));
    }),
    isReference(picture) ? figure(docId, picture) : picture && said(plain(picture)),
  ];
}
