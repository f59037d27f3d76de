// @ts-check
// The links of an investigation: a form for a new link, and the existing links.

import { Failure, call, create, investigation } from '../core/api.js';
import { maxLinkDescription, maxLinkName } from '../core/constants.js';
import { button, el, id, said } from '../core/dom.js';
import { icon } from '../core/icons.js';
import { address, partOf } from './link_address.js';
import { linkCard } from './link_card.js';
import { field, optionControls } from './link_options.js';
import { tell, tellFailure } from '../core/notice.js';
import { tabs } from '../core/tabs.js';
import { titleOf } from '../text/words.js';

/** Maximum number of links that are loaded at a time. */
const SHOWN = 50;

/** @param {import('../core/app.js').View} view @param {string} docId */
export async function links({ signal, way }, docId) {
  /** Reads the links after a cursor, or the oldest links. @param {string} [cursor] */
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

  /** Adds a page of links, and a button if more links follow. @param {any} found @returns {Promise<void>} */
  async function add({ data, pagination }) {
    // A link that was created in this view is shown already.
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
  const form = newLink({ docId, version: doc.version }, async (link) => {
    rows.prepend(await card(link));
    changed();
  });
  // On a phone, the form would push the existing links out of sight.
  const isOpen = rows.children.length === 0 || matchMedia('(min-width: 46rem)').matches;
  const making = el('details', { class: 'new', open: isOpen }, el('summary', {}, 'New link'), form);
  const heading = el('hgroup', {}, el('h1', { tabindex: -1 }, 'Links'), said(title, 'p', { class: 'muted' }));
  return el('section', { class: 'narrow' }, heading, making, none, rows);
}

/**
 * Returns the form for a new link.
 * @param {{ docId: string, version: number }} place @param {(link: any) => Promise<void>} made
 */
function newLink(place, made) {
  const { key, sub, shown } = parts();
  const about = el('input', { maxlength: maxLinkDescription, dir: 'auto' });
  const fault = el('p', { class: 'fault', role: 'alert' });
  const options = renewable(place);

  /** @param {Event} event */
  async function make(event) {
    event.preventDefault();
    fault.textContent = '';
    [key, sub].forEach((control) => void (control.value = partOf(control.value)));
    shown();
    if (key.value === '') {
      fault.textContent = 'Write the class, such as 5b.';
      return key.focus();
    }
    if (options.now().isPast()) {
      fault.textContent = 'The link would be closed already. Choose a later moment, or none.';
      options.whole.open = true;
      return options.now().closes.focus();
    }
    const subLink = sub.value ? { subLink: sub.value } : {};
    const body = { key: key.value, description: about.value, ...options.now().values(), ...subLink };
    try {
      const { data } = await create(investigation(place.docId, '/links'), body);
      await made(data);
      sub.value = about.value = '';
      shown();
      options.renew();
      tell(`The link ${data.key}/${data.subLink} was created.`);
    } catch (error) {
      if (!(error instanceof Failure) || error.status === 0) return tellFailure(error);
      const exists = error.code === 'link_exists';
      fault.textContent = exists
        ? 'This link already exists. Choose another short name, or leave it empty.'
        : error.words;
      (exists ? sub : key).focus();
    }
  }

  return el(
    'form',
    { class: 'make', onsubmit: make, novalidate: true, oninput: () => void (fault.textContent = '') },
    field('Class', key),
    field('Short name', sub),
    field('Purpose', about),
    options.shows,
    // The second click of a double click would create another link.
    el('button', { class: 'primary', onclick: once }, 'Create a link'),
    shown(),
    options.whole,
    fault,
  );
}

/** @param {MouseEvent} event */
const once = (event) => event.detail > 1 && event.preventDefault();

/**
 * Returns the options of a new link, which are reset for the next one.
 * @param {{ docId: string, version: number }} place
 */
function renewable(place) {
  const shows = el('div');
  const more = el('div', { class: 'make' });
  const title = 'When it closes, and which text it shows';
  const ontoggle = () => whole.open && options.nameVersions();
  const whole = el('details', { class: 'whole', ontoggle }, el('summary', {}, title), more);
  /** @type {ReturnType<typeof optionControls>} */
  let options;
  const renew = () => {
    options = optionControls({}, place);
    shows.replaceChildren(...options.shows.childNodes);
    more.replaceChildren(...options.more);
    whole.open = false;
  };
  renew();
  return { shows, whole, renew, now: () => options };
}

/** Returns the two controls for the parts of the address, and a function that shows the resulting address. */
function parts() {
  const about = id('address');
  const name = {
    maxlength: maxLinkName,
    autocomplete: 'off',
    spellcheck: 'false',
    autocapitalize: 'none',
    'aria-describedby': about,
    oninput: () => shown(),
    onchange: (/** @type {Event} */ event) => {
      const control = /** @type {HTMLInputElement} */ (event.target);
      control.value = partOf(control.value);
    },
  };
  const key = el('input', { 'aria-required': 'true', ...name });
  const sub = el('input', { placeholder: 'made for you', ...name });
  const words = el('p', { id: about, class: 'help whole' });
  const shown = () => {
    address({ key: partOf(key.value) || '…', subLink: partOf(sub.value) || '…' }).then(
      (where) => words.replaceChildren('The address will be ', el('span', { dir: 'ltr' }, decodeURIComponent(where))),
      () => undefined,
    );
    return words;
  };
  return { key, sub, shown };
}
