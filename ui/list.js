// @ts-check
// All investigations: search, filters, order, and text that was not saved.

import { call, schema } from './api.js';
import { button, el, id, said, settled } from './dom.js';
import { icon } from './icons.js';
import { Results } from './list_results.js';
import { tellFailure } from './notice.js';
import * as outbox from './outbox.js';
import { pasteButton } from './paste.js';
import { beginning } from './schema.js';
import { user } from './session.js';
import { wayToTrash } from './trash.js';
import { STATUSES } from './words.js';

const SORTS = {
  'updatedAt desc': 'Last changed',
  'createdAt desc': 'Newest',
  'title asc': 'Title',
  'grade asc': 'Grade',
};

/** Where the list was left, so that the way back leads there. */
let left = { hash: '', rows: 0, top: 0 };

/** @param {import('./app.js').View} view */
export async function list({ signal, query }) {
  document.title = 'Lessons · Fieldbook';
  const hash = location.hash;
  const back = left.hash === hash ? left : { rows: 0, top: 0 };
  const filters = filtersOf(query);
  const results = new Results(filters, signal);
  const notSaved = el('p', { class: 'unsaved', hidden: true });
  const { data } = await call('GET', '/api/investigation?limit=1', { signal });
  filters.offer(data.groups);
  await results.read(back.rows);
  await showUnsaved(notSaved);
  outbox.send();
  filters.onChange(() => results.refresh());
  addEventListener('deletion', () => results.refresh(), { signal });
  const renew = () => Promise.all([showUnsaved(notSaved), results.refresh()]);
  addEventListener('sent', renew, { signal });
  let scrolled = back.top;
  addEventListener('scroll', () => void (scrolled = scrollY), { signal, passive: true });
  signal.addEventListener('abort', () => {
    left = { hash: filters.hash(), rows: results.size(), top: scrolled };
  });
  return el(
    'div',
    { class: 'list', 'data-top': back.top },
    el(
      'div',
      { class: 'head' },
      el('h1', { tabindex: -1 }, 'Lessons'),
      el(
        'div',
        { class: 'acts' },
        await wayToTrash(),
        pasteButton(),
        button('New lesson', create, { class: 'primary' }),
      ),
    ),
    notSaved,
    filters.element,
    results.element,
  );
}

/** Names the investigations whose text waits in this browser. @param {HTMLElement} place */
async function showUnsaved(place) {
  const unsaved = await outbox.unsaved();
  place.hidden = unsaved.size === 0;
  const links = [...unsaved].map(([docId, title], i) => [
    i > 0 ? ', ' : '',
    el('a', { href: `#/i/${docId}` }, said(title)),
  ]);
  place.replaceChildren('Text that is not saved yet: ', ...links.flat(), '.');
}

async function create() {
  try {
    const root = await schema();
    const least = beginning({ type: 'object', required: root.required, properties: root.properties }, root);
    const { data } = await call('POST', '/api/investigation', { body: least });
    location.hash = `#/i/${data._id}`;
  } catch (error) {
    tellFailure(error, create);
  }
}

/** The controls above the list. @param {URLSearchParams} query */
function filtersOf(query) {
  const names = { search: id(), status: id(), grade: id(), curriculum: id(), sort: id() };
  const text = (/** @type {string} */ name) => query.get(name) ?? '';
  const search = el('input', { id: names.search, type: 'search', value: text('search'), autocomplete: 'off' });
  search.placeholder = 'Search titles, steps, materials …';
  const words = Object.entries(STATUSES).map(([key, status]) => [key, status.words]);
  const status = choice(names.status, [['', 'Any'], ...words], query.get('status'));
  const grade = el('input', { id: names.grade, size: 6, value: text('grade'), autocomplete: 'off' });
  const curriculum = choice(names.curriculum, [['', 'Any']], null);
  const sort = choice(names.sort, Object.entries(SORTS), query.get('sort'));
  const mine = check('mine', query);
  const grouped = check('grouped', query);

  function asked() {
    const [sortBy = '', sortOrder = ''] = sort.value.split(' ');
    const all = {
      search: search.value.trim(),
      status: status.value,
      grade: grade.value.trim(),
      curriculum: curriculum.value,
      author: mine.checked ? (user() ?? '') : '',
    };
    // “Grade 5” is a grade, not two words of the text.
    const [named, inWords] = /\bgrade\s+(\S+)/i.exec(all.search) ?? [];
    if (named && inWords && !all.grade) {
      all.grade = inWords;
      all.search = all.search.replace(named, '').trim();
    }
    const given = Object.entries(all).filter(([, value]) => value);
    const order = { sortBy, sortOrder, groupBy: grouped.checked ? 'curriculum' : 'none' };
    return { narrowed: given.length > 0, asked: new URLSearchParams([...given, ...Object.entries(order)]) };
  }

  function hash() {
    const { asked: kept } = asked();
    const texts = { search: search.value.trim(), grade: grade.value.trim() };
    Object.entries(texts).forEach(([name, value]) => (value ? kept.set(name, value) : kept.delete(name)));
    ['sortBy', 'sortOrder', 'author', 'groupBy'].forEach((name) => kept.delete(name));
    if (mine.checked) kept.set('mine', '');
    if (grouped.checked) kept.set('grouped', '');
    if (sort.selectedIndex > 0) kept.set('sort', sort.value);
    return kept.size ? `#/?${kept}` : '#/';
  }

  /** The curricula there are. @param {any[]} groups */
  function offer(groups) {
    const known = groups.map((group) => group.curriculum).filter(Boolean);
    curriculum.append(...known.map((name) => el('option', { value: name }, name)));
    curriculum.value = text('curriculum');
  }

  /** @param {() => void} changed */
  function onChange(changed) {
    const soon = settled(changed, 180);
    [search, grade].forEach((control) => control.addEventListener('input', soon));
    [status, curriculum, sort, mine, grouped].forEach((control) => control.addEventListener('change', changed));
  }

  const part = (/** @type {string} */ label, /** @type {string} */ name, /** @type {any} */ control) =>
    el('div', {}, el('label', { for: name }, label), control);
  const more = el(
    'details',
    { class: 'narrowing' },
    el('summary', {}, 'Filters and order'),
    el(
      'div',
      {},
      part('Status', names.status, status),
      part('Grade', names.grade, grade),
      part('Curriculum', names.curriculum, curriculum),
      part('Sort by', names.sort, sort),
      el(
        'div',
        { class: 'checks' },
        user() && el('label', { class: 'check' }, mine, ' Mine only'),
        el('label', { class: 'check' }, grouped, ' Group by curriculum'),
      ),
    ),
  );
  more.open = matchMedia('(min-width: 46rem)').matches || [...query.keys()].some((name) => name !== 'search');
  const element = el(
    'form',
    { class: 'filters', role: 'search', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    el(
      'div',
      { class: 'search' },
      el('label', { for: names.search, class: 'heard' }, 'Search'),
      icon('search'),
      search,
    ),
    more,
  );
  return { element, asked, hash, offer, onChange, focus: () => search.focus() };
}

/** @param {string} name @param {URLSearchParams} query */
function check(name, query) {
  const box = el('input', { type: 'checkbox', name });
  box.checked = query.has(name);
  return box;
}

/** @param {string} name @param {any[][]} options @param {string | null} chosen */
function choice(name, options, chosen) {
  const all = options.map(([value, words]) => el('option', { value }, words));
  const select = el('select', { id: name }, all);
  if (chosen !== null && options.some(([value]) => value === chosen)) select.value = chosen;
  return select;
}
