// @ts-check
// The links of an investigation: a form for new ones, and those that exist.

import { Failure, call, investigation } from './api.js';
import { button, el, id, said } from './dom.js';
import { icon } from './icons.js';
import { linkCard } from './link_card.js';
import { field, optionControls } from './link_options.js';
import { tell, tellFailure } from './notice.js';
import { tabs } from './tabs.js';
import { titleOf } from './words.js';

/** The most links that are shown at once. */
const SHOWN = 50;

/** @param {import('./app.js').View} view @param {string} docId */
export async function links({ signal, way }, docId) {
  /** A page of links after a cursor, or the oldest. @param {string} [cursor] */
  const page = (cursor) => {
    const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    return call('GET', investigation(docId, `/links?limit=${SHOWN}${after}`), { signal });
  };
  const [{ data: doc }, first] = await Promise.all([call('GET', investigation(docId), { signal }), page()]);
  tabs(way, docId, 'links');
  const title = titleOf(doc);
  document.title = `Links to ${title} · Fieldbook`;
  const none = el(
    'div',
    { class: 'empty' },
    icon('book'),
    el(
      'p',
      { class: 'muted' },
      'There are no links yet. Create one above, and pupils open the lesson with its address or code.',
    ),
  );
  const rows = el('ul', { class: 'links' });
  const changed = () => void (none.hidden = rows.children.length > 0);
  const card = (/** @type {any} */ link) => linkCard(link, { docId, version: doc.version, signal, changed });

  /** Adds a page of links, and a button where more follow. @param {any} found @returns {Promise<void>} */
  async function add({ data, pagination }) {
    // A link that was made here is shown already.
    const shown = new Set([...rows.children].map((row) => row.getAttribute('data-link')));
    const fresh = data.filter((/** @type {any} */ link) => !shown.has(`${link.key}/${link.subLink}`));
    rows.append(...(await Promise.all(fresh.map(card))));
    if (!pagination) return;
    const next = async () => {
      try {
        const found = await page(pagination.nextCursor);
        more.remove();
        await add(found);
      } catch (error) {
        tellFailure(error);
      }
    };
    const more = el('li', { class: 'older' }, button('Show more', next));
    rows.append(more);
  }

  await add(first);
  changed();
  const form = newLink(docId, doc.version, async (link) => {
    rows.prepend(await card(link));
    changed();
  });
  return el('section', { class: 'narrow' }, el('h1', { tabindex: -1 }, 'Links to ', said(title)), form, none, rows);
}

/** The form for a new link. @param {string} docId @param {number} version @param {(link: any) => Promise<void>} made */
function newLink(docId, version, made) {
  const faultId = id();
  const name = {
    pattern: '[A-Za-z0-9_\\-]{1,64}',
    maxlength: 64,
    autocomplete: 'off',
    spellcheck: 'false',
    autocapitalize: 'none',
    title: 'Letters, digits, - and _',
    'aria-describedby': faultId,
  };
  const key = el('input', { required: true, placeholder: 'class-5b', ...name });
  const sub = el('input', { placeholder: 'generated if empty', ...name });
  const about = el('input', { maxlength: 500, dir: 'auto' });
  const fault = el('p', { id: faultId, class: 'fault', role: 'alert' });
  const { shows, more, values } = optionControls({}, version);

  /** @param {Event} event */
  async function make(event) {
    event.preventDefault();
    fault.textContent = '';
    const subLink = sub.value.trim();
    const body = { key: key.value.trim(), description: about.value, ...values(), ...(subLink ? { subLink } : {}) };
    try {
      const { data } = await call('POST', investigation(docId, '/links'), { body });
      await made(data);
      sub.value = '';
      about.value = '';
      tell(`The link ${data.key}/${data.subLink} was created.`);
    } catch (error) {
      if (!(error instanceof Failure) || error.status === 0) return tellFailure(error);
      const exists = error.code === 'link_exists';
      fault.textContent = exists
        ? 'This link already exists. Choose another second part, or leave it empty.'
        : error.words;
      (exists ? sub : key).focus();
    }
  }

  return el(
    'form',
    { class: 'make', onsubmit: make },
    field('First part (the class)', key),
    field('Second part', sub),
    field('Purpose', about),
    shows,
    el(
      'details',
      { class: 'whole' },
      el('summary', {}, 'When it closes, and which text it shows'),
      el('div', { class: 'make' }, more),
    ),
    el('button', { class: 'primary' }, 'Create a link'),
    fault,
  );
}
