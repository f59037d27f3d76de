// @ts-check
// All investigations: search, filters, order, and text that was not saved.

import { call, schema } from './api.js';
import { isDeleting } from './deletion.js';
import { button, el, id, said, settled } from './dom.js';
import { listRow } from './list_row.js';
import { tellFailure } from './notice.js';
import * as outbox from './outbox.js';
import { pasteButton } from './paste.js';
import { beginning } from './schema.js';
import { user } from './session.js';
import { STATUSES, counted } from './words.js';

const PAGE = 30;
/** The most rows that the service returns at once. */
const MAX_PAGE = 100;
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
  document.title = 'Investigations · Fieldbook';
  const hash = location.hash;
  const back = left.hash === hash ? left : { rows: 0, top: 0 };
  const filters = filtersOf(query);
  const results = resultsOf(filters, signal);
  const notSaved = el('p', { class: 'unsaved', hidden: true });
  const { data } = await call('GET', '/api/investigation?limit=1', { signal });
  filters.offer(data.groups);
  await results.read(back.rows);
  await showUnsaved(notSaved);
  filters.onChange(() => results.refresh());
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
      el('h1', { tabindex: -1 }, 'Investigations'),
      el('div', { class: 'acts' }, pasteButton(), button('New investigation', create, { class: 'primary' })),
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
    i > 0 && ', ',
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
  search.placeholder = 'Title, step, material …';
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
    const given = Object.entries(all).filter(([, value]) => value);
    const order = { sortBy, sortOrder, groupBy: grouped.checked ? 'curriculum' : 'none' };
    return { narrowed: given.length > 0, asked: new URLSearchParams([...given, ...Object.entries(order)]) };
  }

  function hash() {
    const { asked: kept } = asked();
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
      user() && el('label', { class: 'check' }, mine, ' Mine only'),
      el('label', { class: 'check' }, grouped, ' Group by curriculum'),
    ),
  );
  more.open = matchMedia('(min-width: 46rem)').matches || [...query.keys()].some((name) => name !== 'search');
  const element = el(
    'form',
    { class: 'filters', role: 'search', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    el('div', { class: 'search' }, el('label', { for: names.search }, 'Search'), search),
    more,
  );
  return { element, asked, hash, offer, onChange, focus: () => search.focus() };
}

/** The rows, page by page. @param {ReturnType<typeof filtersOf>} filters @param {AbortSignal} signal */
function resultsOf(filters, signal) {
  const count = el('p', { class: 'muted', role: 'status' });
  const all = el('p', { hidden: true }, el('a', { class: 'button', href: '#/' }, 'Show all'));
  const place = el('div', { class: 'groups' });
  const end = el(
    'div',
    { class: 'more' },
    button('Show more', () => more()),
  );
  let asking = new AbortController();
  /** @type {string | null} */
  let next = null;
  /** @type {Map<string | null, number>} */
  let sizes = new Map();
  /** The list that rows are added to. @type {{ name: any, rows: HTMLElement } | null} */
  let group = null;

  /** Reads anew, or the next page. @param {number} rows how many at least, 0 for the usual page @param {string | null} [cursor] */
  async function read(rows, cursor = null) {
    asking.abort();
    asking = new AbortController();
    const stopped = AbortSignal.any([signal, asking.signal]);
    const { asked, narrowed } = filters.asked();
    if (!cursor) history.replaceState(null, '', filters.hash());
    asked.set('limit', String(Math.min(Math.max(rows, PAGE), MAX_PAGE)));
    if (cursor) asked.set('cursor', cursor);
    place.setAttribute('aria-busy', 'true');
    try {
      const { data } = await call('GET', `/api/investigation?${asked}`, { signal: stopped });
      if (!cursor) begin(data.groups);
      data.items.filter((/** @type {any} */ item) => !isDeleting(item._id)).forEach(add);
      next = data.pagination.nextCursor;
      report(data.pagination.total, narrowed);
    } catch (error) {
      if (!stopped.aborted) throw error;
    }
    place.removeAttribute('aria-busy');
  }

  /** @param {any[]} groups */
  function begin(groups) {
    place.replaceChildren();
    group = null;
    sizes = new Map(groups.map(({ curriculum, count }) => [curriculum, count]));
  }

  /** @param {number} total @param {boolean} narrowed */
  function report(total, narrowed) {
    all.hidden = total > 0 || !narrowed;
    const none = narrowed
      ? 'Nothing fits this search.'
      : 'No investigations yet. Start with a new one, or paste the text of a lesson.';
    count.textContent = total > 0 ? counted(total, 'investigation') : none;
    end.hidden = !next;
    // An end that stays in sight after more rows have come causes no event, so it is observed anew.
    watch.unobserve(end);
    watch.observe(end);
  }

  /** @param {any} item */
  function add(item) {
    const grouped = filters.asked().asked.get('groupBy') === 'curriculum';
    const name = grouped ? (item.curriculum ?? null) : '';
    if (!group || group.name !== name) {
      const rows = el('ul', { class: 'rows' });
      group = { name, rows };
      place.append(grouped ? section(name, sizes.get(name), rows) : rows);
    }
    group.rows.append(listRow(item, changed));
  }

  /** @param {HTMLElement} [line] the row that goes; without it, everything is read anew */
  function changed(line) {
    if (!line) return void refresh();
    const near = line.nextElementSibling ?? line.previousElementSibling;
    line.remove();
    const title = /** @type {HTMLElement | null | undefined} */ (near?.querySelector('a'));
    if (title) title.focus();
    else filters.focus();
  }

  const size = () => place.querySelectorAll('.rows > li').length;
  const refresh = () => (signal.aborted ? undefined : read(size()).catch((error) => tellFailure(error, refresh)));
  const more = () => (next ? read(0, next).catch((error) => tellFailure(error, more)) : undefined);
  const watch = new IntersectionObserver((seen) => void (seen.some((one) => one.isIntersecting) && more()), {
    rootMargin: '600px',
  });
  signal.addEventListener('abort', () => watch.disconnect());
  return { element: [count, all, place, end], read, refresh, size };
}

/** @param {string | null} name @param {number | undefined} size @param {HTMLElement} rows */
function section(name, size, rows) {
  const heading = id('group');
  const title = el('h2', { id: heading, class: 'group' }, said(name ?? 'Without a curriculum'));
  title.append(el('span', { class: 'muted' }, ` ${size ?? ''}`));
  return el('section', { 'aria-labelledby': heading }, title, rows);
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
