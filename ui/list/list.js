// @ts-check
// The list of all investigations: the filters, the matching rows, and unsaved text.

import { maxPage } from '../core/constants.js';
import { call } from '../core/api.js';
import { button, choice, el, field, id, labelled, settled } from '../core/dom.js';
import { dropped } from '../core/input.js';
import { Results } from './list_results.js';
import { freshId } from '../doc/drafts.js';
import * as outbox from '../doc/outbox.js';
import { wayToTrash } from './deletion.js';
import { icon } from '../core/icons.js';
import { mayWrite, user } from '../core/session.js';
import { PASTE, READS_ONLY, STATUSES } from '../text/words.js';

/** The state in which the user left the list. It is restored when the user returns. */
let left = { hash: '', rows: 0, top: 0 };

/** @param {import('../core/app.js').View} view */
export async function list({ signal, query }) {
  document.title = 'Lessons · Fieldbook';
  const hash = location.hash;
  const back = left.hash === hash ? left : { rows: 0, top: 0 };
  const filters = filtersOf(query);
  const results = new Results(filters, signal, create);
  const notSaved = el('p', { class: 'unsaved', hidden: true });
  // Text of an editor that the user has left is also listed.
  await outbox.settled();
  const all = call('GET', '/api/investigation?limit=1&fields=title', { signal });
  const [{ data }] = await Promise.all([all, results.read(back.rows), showUnsaved(notSaved)]);
  filters.offer(data.groups);
  outbox.send();
  filters.onChange(() => results.refresh());
  addEventListener('deletion', () => results.refresh(), { signal });
  const renew = () => Promise.all([showUnsaved(notSaved), results.refresh()]);
  addEventListener('sent', renew, { signal });
  // Reads the list again when the user returns to the page, because others may have made changes.
  const seen = () => {
    const rows = results.size();
    // If more than one page is loaded, reloading would lose the scroll position.
    if (!document.hidden && rows > 0 && rows <= maxPage) results.read(rows).catch(() => undefined);
  };
  document.addEventListener('visibilitychange', seen, { signal });
  let scrolled = back.top;
  addEventListener('scroll', () => void (scrolled = scrollY), { signal, passive: true });
  signal.addEventListener('abort', () => {
    left = { hash: filters.hash(), rows: results.size(), top: scrolled };
  });
  const view = el(
    'div',
    { class: 'list', 'data-top': back.top },
    el(
      'div',
      { class: 'head' },
      el('h1', { tabindex: -1 }, 'Lessons'),
      mayWrite() && wayToTrash(data.pagination.total === 0),
      mayWrite() &&
        el(
          'div',
          { class: 'acts' },
          button(PASTE, () => paste()),
          button('New lesson', create, { class: 'primary' }),
        ),
    ),
    !mayWrite() && el('p', { class: 'muted' }, READS_ONLY),
    notSaved,
    filters.element,
    results.element,
  );
  dropped(view, ([file]) => mayWrite() && paste(file));
  return view;
}

/** @param {File} [file] */
const paste = async (file) => (await import('./paste.js')).pasteLesson(file);

/** Shows the investigations with unsaved text in this browser. @param {HTMLElement} place */
async function showUnsaved(place) {
  const links = await outbox.unsavedLinks();
  place.hidden = !links;
  place.replaceChildren('Text that is not saved yet: ', ...(links ?? []), '.');
}

/** Opens a lesson that is stored once something is written in it. */
const create = () => void (location.hash = `#/i/${freshId()}`);

/** The orders of the list, as `sortBy` and `sortOrder`. */
export const SORTS = {
  'updatedAt desc': 'Last changed',
  'createdAt desc': 'Newest',
  'createdAt asc': 'Oldest',
  'title asc': 'Title',
  'grade asc': 'Grade',
};

/** @typedef {ReturnType<typeof controlsOf>} Controls */

/** @param {URLSearchParams} query */
export function filtersOf(query) {
  const controls = controlsOf(query);
  const { search, status, grade, curriculum, sort, mine, grouped } = controls;
  const count = el('span', { class: 'muted' });
  /** Shows the number of active filters, because the filters are collapsed. */
  const tell = () => {
    const set = [...new URLSearchParams(hashOf(controls).slice(3)).keys()].filter((name) => name !== 'search');
    count.textContent = set.length > 0 ? `${set.length} set` : '';
  };

  /** Adds the existing curricula to the filter. @param {any[]} groups */
  function offer(groups) {
    const known = groups.map((group) => group.curriculum).filter((name) => name && name !== curriculum.value);
    curriculum.append(...known.map((name) => el('option', { value: name }, name)));
  }

  /** @param {() => void} changed */
  function onChange(changed) {
    const now = () => [tell(), changed()];
    const soon = settled(now, 180);
    [search, grade].forEach((control) => control.addEventListener('input', soon));
    [status, curriculum, sort, mine, grouped].forEach((control) => control.addEventListener('change', now));
  }

  tell();
  return {
    element: formOf(controls, count),
    asked: () => askedBy(controls),
    hash: () => hashOf(controls),
    offer,
    onChange,
    focus: () => search.focus(),
  };
}

/** @param {URLSearchParams} query */
function controlsOf(query) {
  const text = (/** @type {string} */ name) => query.get(name) ?? '';
  const search = el('input', { id: id(), type: 'search', value: text('search'), autocomplete: 'off' });
  search.placeholder = 'Titles, steps, materials …';
  const named = text('curriculum');
  const words = Object.entries(STATUSES).map(([key, status]) => [key, status.words]);
  return {
    search,
    status: choice([['', 'Any'], ...words], query.get('status')),
    grade: el('input', { id: id(), size: 6, value: text('grade'), autocomplete: 'off' }),
    curriculum: choice([['', 'Any'], ...(named ? [[named, named]] : [])], named),
    sort: choice(Object.entries(SORTS), query.get('sort')),
    mine: check('mine', query),
    grouped: check('grouped', query),
  };
}

/**
 * Returns the query for the service, whether it narrows the list, and whether it only leaves out the lessons of others.
 * @param {Controls} controls
 */
function askedBy({ search, status, grade, curriculum, sort, mine, grouped }) {
  const [sortBy = '', sortOrder = ''] = sort.value.split(' ');
  const all = {
    search: search.value.trim(),
    status: status.value,
    grade: grade.value.trim(),
    curriculum: curriculum.value,
    author: mine.checked ? (user() ?? '') : '',
  };
  // “Grade 5” in a search means the grade, and not two words of the text.
  const [named, inWords] = /\bgrade\s+(\S+)/i.exec(all.search) ?? [];
  if (named && inWords && !all.grade) {
    all.grade = inWords;
    all.search = all.search.replace(named, '').trim();
  }
  const given = Object.entries(all).filter(([, value]) => value);
  const order = { sortBy, sortOrder, groupBy: grouped.checked ? 'curriculum' : 'none' };
  return {
    narrowed: given.length > 0,
    isOwn: given.length === 1 && all.author !== '',
    asked: new URLSearchParams([...given, ...Object.entries(order)]),
  };
}

/** Returns the address of the list with the current filters. @param {Controls} controls */
function hashOf({ search, status, grade, curriculum, sort, mine, grouped }) {
  const texts = { search: search.value.trim(), status: status.value, grade: grade.value.trim() };
  const all = { ...texts, curriculum: curriculum.value, sort: sort.selectedIndex > 0 ? sort.value : '' };
  const kept = new URLSearchParams(Object.entries(all).filter(([, value]) => value));
  if (mine.checked) kept.set('mine', '');
  if (grouped.checked) kept.set('grouped', '');
  return kept.size ? `#/?${kept}` : '#/';
}

/** @param {Controls} controls @param {HTMLElement} count */
function formOf({ search, status, grade, curriculum, sort, mine, grouped }, count) {
  const more = el(
    'details',
    { class: 'narrowing' },
    el('summary', {}, 'Filters and order ', count),
    el(
      'div',
      {},
      field('Status', status),
      field('Grade', grade),
      field('Curriculum', curriculum),
      field('Sort by', sort),
      el(
        'div',
        { class: 'checks' },
        user() && el('label', { class: 'check' }, mine, ' Mine only'),
        el('label', { class: 'check' }, grouped, ' Group by curriculum'),
      ),
    ),
  );
  return el(
    'form',
    { class: 'filters', role: 'search', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    el('div', { class: 'search' }, icon('search'), labelled('Search', search, { class: 'heard' })),
    more,
  );
}

/** @param {string} name @param {URLSearchParams} query */
function check(name, query) {
  const box = el('input', { type: 'checkbox', name });
  box.checked = query.has(name);
  return box;
}
