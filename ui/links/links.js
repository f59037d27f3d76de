// @ts-check
// The links of an investigation: a form for a new link, and the existing links.

import { Failure, call, create, investigation, readLesson, service } from '../core/api.js';
import { maxEntries, maxLinkDescription, maxLinkName } from '../core/constants.js';
import { button, el, field, id, said } from '../core/dom.js';
import { icon } from '../core/icons.js';
import { keyed } from '../core/keyed.js';
import { UNREACHABLE, address, isLocal, partOf } from './link_address.js';
import { linkCard, nameOf } from './link_card.js';
import { optionControls } from './link_options.js';
import { tell, tellFailure } from '../core/notice.js';
import { tabs } from '../core/menu.js';
import { titleOf } from '../text/words.js';

/** Maximum number of links in one response. */
const SHOWN = 50;
/** Time between two reads of the visit counts. */
const COUNT_MS = 30_000;

/** @param {import('../core/app.js').View} view @param {string} docId */
export async function links({ signal, way }, docId) {
  /** Reads the links after a cursor, or the oldest links. @param {string} [cursor] */
  const page = (cursor) => {
    const after = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    return call('GET', investigation(docId, `/links?limit=${SHOWN}${after}`), { signal });
  };
  const [{ data: doc, mayChange }, first, { publicUrl }] = await Promise.all([
    readLesson(docId, { signal }),
    page(),
    service(),
  ]);
  const lesson = { docId, version: doc.version, publicUrl, mayChange };
  tabs(way, docId, 'links', mayChange);
  const title = titleOf(doc);
  document.title = `Links to ${title} · Fieldbook`;
  const none = el(
    'div',
    { class: 'empty' },
    icon('book'),
    el(
      'p',
      { class: 'muted' },
      mayChange
        ? 'There are no links yet. Create one above, and pupils open the lesson with its address or code.'
        : 'There are no links yet.',
    ),
  );
  const rows = el('ul', { class: 'links' });
  /** @type {any[]} */
  let all = [];
  /** @type {string | null} */
  let cursor = null;

  /** @param {any[]} links */
  function show(links) {
    all = links;
    none.hidden = all.length > 0;
    keyed(rows, [...all, ...(cursor ? [{ cursor }] : [])], {
      key: (link) => link.cursor ?? nameOf(link),
      make: (link) => {
        if (link.cursor) return el('li', { class: 'older' }, button('Show more', more));
        const changed = () => show(all.filter((one) => one !== link));
        return linkCard(link, { ...lesson, signal, changed });
      },
    });
  }

  /** Adds a page of links. @param {any} found */
  function add({ data, pagination }) {
    cursor = pagination?.nextCursor ?? null;
    // A link that was created in this view is shown already.
    const isNew = (/** @type {any} */ one) => !all.some((link) => nameOf(link) === nameOf(one));
    show([...all, ...data.filter(isNew)]);
  }

  const more = () => page(cursor ?? '').then(add, tellFailure);

  add(first);
  followVisits(docId, signal, () => all);
  // On a phone, the form is closed if there are links, because it would push them out of sight.
  const isWide = matchMedia('(min-width: 46rem)').matches;
  const form = newLink(lesson, (link) => {
    show([link, ...all]);
    making.open = isWide;
    rows.firstElementChild?.scrollIntoView({ block: 'nearest' });
    rows.querySelector('button')?.focus({ preventScroll: true });
  });
  const isOpen = rows.children.length === 0 || isWide;
  const making = el('details', { class: 'new', open: isOpen }, el('summary', {}, 'New link'), form);
  const heading = el('hgroup', {}, el('h1', { tabindex: -1 }, 'Links'), said(title, 'p', { class: 'muted' }));
  const unreachable = isLocal(publicUrl ?? location.origin) && el('p', { class: 'alarm' }, UNREACHABLE);
  return el('section', { class: 'narrow' }, heading, unreachable, mayChange && making, none, rows);
}

/**
 * Updates the visit counts of links while the window is visible, and fires `counted` on it.
 * @param {string} docId @param {AbortSignal} signal @param {() => any[]} shown returns the links
 */
function followVisits(docId, signal, shown) {
  const count = async () => {
    const options = { signal, background: true };
    const { data } = await call('GET', investigation(docId, `/links?limit=${maxEntries}`), options);
    const counts = new Map(data.map((/** @type {any} */ link) => [nameOf(link), link.visitCount]));
    for (const link of shown()) link.visitCount = counts.get(nameOf(link)) ?? link.visitCount;
    dispatchEvent(new Event('counted'));
  };
  const look = () => document.visibilityState === 'visible' && count().catch(() => undefined);
  addEventListener('focus', look, { signal });
  const looking = setInterval(look, COUNT_MS);
  signal.addEventListener('abort', () => clearInterval(looking));
}

/**
 * Returns the form for a new link.
 * @param {import('./link_card.js').Lesson} place @param {(link: any) => void} made
 */
function newLink(place, made) {
  const { key, sub, shown } = parts(place.publicUrl);
  const about = el('input', { maxlength: maxLinkDescription, dir: 'auto', placeholder: 'optional' });
  const fault = el('p', { class: 'fault', role: 'alert' });
  const options = renewable(place);

  /** @param {Event} event */
  async function make(event) {
    event.preventDefault();
    fault.textContent = '';
    [key, sub].forEach((control) => void (control.value = partOf(control.value)));
    shown();
    if (key.value === '') {
      fault.textContent = 'Enter the class, such as 5b.';
      return key.focus();
    }
    const { closes, isPast, unfinished, values } = options.now();
    if (unfinished() || isPast()) {
      fault.textContent = unfinished()
        ? 'Complete what is marked.'
        : 'The link would be closed already. Choose a later moment, or none.';
      options.whole.open = true;
      return (unfinished() ?? closes).focus();
    }
    const subLink = sub.value ? { subLink: sub.value } : {};
    const body = { key: key.value, description: about.value, ...values(), ...subLink };
    try {
      const { data } = await create(investigation(place.docId, '/links'), body);
      key.value = sub.value = about.value = '';
      shown();
      options.renew();
      made(data);
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
    shown(),
    field('Purpose', about),
    options.shows,
    options.whole,
    // Ignores the second click of a double click, which would create another link.
    el('button', { class: 'primary', onclick: once }, 'Create a link'),
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

/**
 * Returns the two controls for the parts of the address, and a function that shows the resulting address.
 * @param {string | null} publicUrl
 */
function parts(publicUrl) {
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
  const sub = el('input', { placeholder: 'optional', ...name });
  const words = el('p', { id: about, class: 'help whole' });
  const shown = () => {
    const where = address({ key: partOf(key.value) || '…', subLink: partOf(sub.value) || '…' }, publicUrl);
    words.replaceChildren('The address will be ', el('span', { dir: 'ltr' }, decodeURIComponent(where)));
    return words;
  };
  return { key, sub, shown };
}
