// @ts-check
// The rows of the list, page by page. If no text has the words of a search, investigations with similar words are
// shown.

import { call, create, examples, investigation } from '../core/api.js';
import { maxPage } from '../core/constants.js';
import { deleteSoon, isDeleting, mayDelete } from './deletion.js';
import { button, el, id, said } from '../core/dom.js';
import { icon } from '../core/icons.js';
import { isNear, shortened } from '../text/similar.js';
import { content } from '../core/schema.js';
import { keyed } from '../core/keyed.js';
import { attempt, tell, work } from '../core/notice.js';
import { failed } from '../core/standing.js';
import { speak } from '../core/speech.js';
import { mayWrite, user } from '../core/session.js';
import { copyOf, counted, titleOf } from '../text/words.js';
import { menu } from '../core/menu.js';
import { isBlank } from '../text/values.js';
import { badge, person, time } from '../core/people.js';

const PAGE = 30;
/** The fields that a row shows. */
const FIELDS = 'title,grade,curriculum,durationMinutes,author,contradictions';
/**
 * @typedef {{ asked: URLSearchParams, narrowed: boolean, isOwn: boolean }} Asked
 * @typedef {{ element: HTMLElement, asked: () => Asked, hash: () => string, focus: () => void }} Filters
 */

export class Results {
  /** @param {Filters} filters @param {AbortSignal} signal @param {() => void} create creates an investigation */
  constructor(filters, signal, create) {
    this.filters = filters;
    this.signal = signal;
    this.asking = new AbortController();
    this.next = /** @type {string | null} */ (null);
    this.sizes = /** @type {Map<string | null, number>} */ (new Map());
    /** Number of matching investigations, and number of those that are being deleted. */
    this.total = 0;
    this.gone = 0;
    this.items = /** @type {any[]} */ ([]);
    this.count = el('p', { class: 'muted' });
    this.first = button('New lesson', create, { class: 'primary' });
    this.all = el('a', { class: 'button', href: '#/' }, 'Show all');
    this.ways = el('p', { class: 'acts', hidden: true }, this.first, this.all);
    this.examples = el(
      'p',
      { hidden: true },
      examplesButton(signal, () => this.refresh()),
    );
    this.sign = icon('book');
    this.standing = el('div', { class: 'standing' }, this.sign, this.count, this.ways, this.examples);
    this.place = el('div', { class: 'groups' });
    this.button = button('Show more', () => this.more());
    this.end = el('div', { class: 'more' }, this.button);
    const seen = (/** @type {IntersectionObserverEntry[]} */ all) => {
      if (all.some((one) => one.isIntersecting)) this.more();
    };
    this.watch = new IntersectionObserver(seen, { rootMargin: '600px' });
    signal.addEventListener('abort', () => this.watch.disconnect());
    this.element = [this.standing, this.place, this.end];
  }

  size() {
    return this.items.length;
  }

  async refresh() {
    try {
      // Also said if the number of lessons is the same as before.
      if (!this.signal.aborted && (await this.read(this.size()))) speak(this.count.textContent ?? '');
    } catch (error) {
      this.place.replaceChildren(failed(error, () => this.refresh()));
      this.standing.hidden = this.end.hidden = true;
    }
  }

  async more() {
    try {
      if (this.next) await this.read(0, this.next);
    } catch (error) {
      this.end.replaceChildren(failed(error, () => this.more()));
    }
  }

  /**
   * Reads the list again, or its next page.
   * @param {number} rows the minimum number, 0 for the usual page @param {string | null} [cursor]
   * @returns {Promise<boolean>} false if a newer request has replaced this one, and shows its own result
   */
  async read(rows, cursor = null) {
    this.asking.abort();
    this.asking = new AbortController();
    const stopped = AbortSignal.any([this.signal, this.asking.signal]);
    const { asked, ...how } = this.filters.asked();
    if (!cursor) history.replaceState(null, '', this.filters.hash());
    asked.set('limit', String(Math.min(Math.max(rows, PAGE), maxPage)));
    if (cursor) asked.set('cursor', cursor);
    this.place.setAttribute('aria-busy', 'true');
    try {
      const { data } = await call('GET', `/api/investigation?${asked}&fields=${FIELDS}`, { signal: stopped });
      const similar = data.pagination.total === 0 ? await this.similar(asked, stopped) : [];
      if (!cursor) this.sizes = new Map(data.groups.map((/** @type {any} */ one) => [one.curriculum, one.count]));
      const found = similar.length > 0 ? similar : data.items;
      const stays = found.filter((/** @type {any} */ item) => !isDeleting(item._id));
      this.show(cursor ? [...this.items, ...stays] : stays);
      this.next = data.pagination.nextCursor;
      const gone = (cursor ? this.gone : 0) + found.length - stays.length;
      this.gone = gone;
      this.report(data.pagination.total - gone, similar.length, how);
      return true;
    } catch (error) {
      if (stopped.aborted) return false;
      throw error;
    } finally {
      if (!stopped.aborted) this.place.removeAttribute('aria-busy');
    }
  }

  /**
   * Returns investigations with words that differ from the words of the search in one or two letters.
   * @param {URLSearchParams} asked @param {AbortSignal} signal @returns {Promise<any[]>}
   */
  async similar(asked, signal) {
    const search = asked.get('search') ?? '';
    const wider = shortened(search);
    if (!wider) return [];
    const query = new URLSearchParams(asked);
    query.set('search', wider);
    query.set('limit', String(maxPage));
    const { data } = await call('GET', `/api/investigation?${query}`, { signal });
    return data.items.filter((/** @type {any} */ item) => isNear(content(item), search));
  }

  /** @param {number} total @param {number} similar @param {{ narrowed: boolean, isOwn: boolean }} asked */
  report(total, similar, { narrowed, isOwn }) {
    this.total = total;
    this.ways.hidden = total > 0 || !narrowed;
    this.first.hidden = !isOwn || !mayWrite();
    this.examples.hidden = total > 0 || narrowed || !mayWrite();
    const nothing = isOwn ? 'You have no lessons yet.' : 'No lessons match this search.';
    const how = mayWrite() ? ' Start with a new one, paste the text of a lesson, or look at examples.' : '';
    const none = narrowed ? nothing : `No lessons yet.${how}`;
    const search = this.filters.asked().asked.get('search');
    const all = `${counted(total, 'lesson')}${search ? ` for “${search}”` : ''}`;
    const near = `No lesson contains these words. ${counted(similar, 'lesson')} with similar words:`;
    this.count.textContent = total > 0 ? all : similar > 0 ? near : none;
    const isEmpty = total === 0 && similar === 0;
    this.filters.element.hidden = isEmpty && !narrowed;
    this.standing.classList.toggle('empty', isEmpty);
    this.sign.toggleAttribute('hidden', !isEmpty);
    this.standing.hidden = false;
    this.end.replaceChildren(this.button);
    this.end.hidden = !this.next;
    // If the end is still visible after more rows were added, there is no event, so the end is observed again.
    this.watch.unobserve(this.end);
    this.watch.observe(this.end);
  }

  /** Shows these rows, in groups or in one list. @param {any[]} items */
  show(items) {
    this.items = items;
    const grouped = this.filters.asked().asked.get('groupBy') === 'curriculum';
    const nameOf = (/** @type {any} */ item) => (grouped ? (item.curriculum ?? null) : '');
    // In a group, rows do not show the curriculum, because the heading of the group has it.
    const shown = (/** @type {any} */ item) => (grouped ? { ...item, curriculum: null } : item);
    keyed(this.place, [...new Set(items.map(nameOf))], {
      key: (name) => `${grouped} ${name} ${this.sizes.get(name)}`,
      make: (name) => {
        const rows = el('ul', { class: 'rows' });
        return grouped ? section(name, this.sizes.get(name), rows) : rows;
      },
      update: (group, name) =>
        keyed(group.querySelector('.rows') ?? group, items.filter((item) => nameOf(item) === name).map(shown), {
          key: (item) => JSON.stringify(item),
          make: (item) => listRow(item, (line) => this.changed(item, line)),
        }),
    });
  }

  /** @param {any} item @param {HTMLElement} [line] the deleted row; if it is missing, the whole list is read again */
  changed(item, line) {
    if (!line) return void this.refresh();
    const near = line.nextElementSibling ?? line.previousElementSibling;
    this.show(this.items.filter(({ _id }) => _id !== item._id));
    this.gone += 1;
    if (this.total > 0) this.report(this.total - 1, 0, this.filters.asked());
    const title = /** @type {HTMLElement | null | undefined} */ (near?.querySelector('a'));
    if (title) title.focus();
    else this.filters.focus();
  }
}

/** @param {string | null} name @param {number | undefined} size @param {HTMLElement} rows */
function section(name, size, rows) {
  const heading = id('group');
  const title = el('h2', { id: heading, class: 'group' }, said(name ?? 'Without a curriculum'));
  title.append(el('span', { class: 'muted' }, ` ${size ?? ''}`));
  return el('section', { 'aria-labelledby': heading }, title, rows);
}

/** @param {AbortSignal} left @param {() => void} added */
export function examplesButton(left, added) {
  const add = async () => {
    const all = await attempt(() => work('Adding examples …', createAll, left));
    if (all) tell(`${counted(all.length, 'example')} added.`);
    added();
  };
  return button('Add examples', add);
}

/** @param {AbortSignal} signal */
async function createAll(signal) {
  const all = await examples();
  for (const body of all) await create('/api/investigation', body, signal);
  return all;
}

/** @param {string} words @param {any} value */
function fact(words, value) {
  if (value === undefined || value === null || value === '') return null;
  return el('span', {}, words, said(typeof value === 'object' ? JSON.stringify(value) : value));
}

/** @param {any} item @param {(deleted?: HTMLElement) => void} changed called when a row is deleted or restored */
export function listRow(item, changed) {
  const title = titleOf(item);
  const found = item.contradictions.length;
  const minutes = item.durationMinutes;
  const line = el(
    'li',
    { 'data-id': item._id },
    el(
      'div',
      { class: 'what' },
      el('a', { class: 'title', href: `#/i/${item._id}`, dir: 'auto' }, title),
      el(
        'p',
        { class: 'facts' },
        badge(item.status),
        // This status already says that the lesson contradicts itself.
        found > 0 && item.status !== 'draft_contradictory_complete' && el('span', {}, counted(found, 'contradiction')),
        // “Year 6” needs no word before it.
        fact(/\p{L}{2}/u.test(item.grade) ? '' : 'Grade ', item.grade),
        minutes !== undefined && fact('', `${typeof minutes === 'object' ? JSON.stringify(minutes) : minutes} min`),
        fact('', item.curriculum),
        item.author?.id && item.author.id !== user() && person(item.author),
        el('span', {}, el('span', { class: 'word' }, 'changed '), time(item.updatedAt)),
      ),
    ),
    mayWrite() &&
      menu(`Actions for ${title}`, [
        button('Make a copy', () => clone(item), { 'aria-label': `Make a copy of ${title}` }),
        button('Delete', () => remove(), { class: 'grave', 'aria-label': `Delete ${title}` }),
      ]),
  );
  const remove = async () => {
    if (!(await mayDelete(item))) return;
    deleteSoon(item._id, title, changed);
    changed(line);
  };
  return line;
}

/** @param {any} item */
export function clone(item) {
  return attempt(async () => {
    const { data } = await create(investigation(item._id, '/clone'));
    const named = { title: copyOf(titleOf(item)) };
    // If only the new title cannot be stored, the copy is kept with the old title.
    if (!isBlank(item.title)) await call('PATCH', investigation(data._id), { body: named }).catch(() => undefined);
    tell(`This is a copy of “${titleOf(item)}”.`, { stays: true });
    location.hash = `#/i/${data._id}`;
  });
}
