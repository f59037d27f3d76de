// @ts-check
// All investigations: search, filters, groups by curriculum, and what can be done with one from outside.

import { call, investigation, schema } from './api.js';
import { button, el, id, said, settled } from './dom.js';
import { confirmed, tell, tellFailure } from './notice.js';
import { beginning } from './schema.js';
import { user } from './session.js';
import { STATUSES, badge, counted, person, time, titleOf } from './words.js';

const PAGE = 30;
const SORTS = {
  'createdAt desc': 'Newest first',
  'updatedAt desc': 'Last changed first',
  'title asc': 'By title',
  'grade asc': 'By grade',
};

/** @param {import('./app.js').View} view */
export async function list({ signal, query }) {
  document.title = 'Investigations · Fieldbook';
  const names = { search: id(), status: id(), grade: id(), curriculum: id(), sort: id(), grades: id() };
  const search = el('input', {
    id: names.search,
    type: 'search',
    value: query.get('search') ?? '',
    placeholder: 'Title, step, material …',
    autocomplete: 'off',
  });
  const status = choice(
    names.status,
    [['', 'Any'], ...Object.entries(STATUSES).map(([key, { words }]) => [key, words])],
    query.get('status'),
  );
  const grade = el('input', {
    id: names.grade,
    list: names.grades,
    size: 6,
    value: query.get('grade') ?? '',
    autocomplete: 'off',
  });
  const grades = el('datalist', { id: names.grades });
  const curriculum = choice(names.curriculum, [['', 'Any']], null);
  const sort = choice(names.sort, Object.entries(SORTS), query.get('sort'));
  const mine = el('input', { type: 'checkbox' });
  mine.checked = query.has('mine');
  const count = el('p', { class: 'muted', role: 'status' });
  const all = el('p', {}, el('a', { class: 'button', href: '#/' }, 'Show all'));
  const place = el('div', { class: 'groups' });
  const end = el('div', { class: 'more' });
  const wanted = query.get('curriculum') ?? '';
  let asking = new AbortController();
  /** @type {string | null} */
  let next = null;
  /** @type {Map<string | null, number>} */
  let sizes = new Map();
  /** The last group that is shown. @type {{ name: string | null, rows: HTMLElement } | null} */
  let group = null;

  function filters() {
    const [sortBy = '', sortOrder = ''] = sort.value.split(' ');
    const all = {
      search: search.value.trim(),
      status: status.value,
      grade: grade.value.trim(),
      curriculum: curriculum.value,
      author: mine.checked ? user() : '',
      sortBy,
      sortOrder,
    };
    return new URLSearchParams(
      Object.entries(all)
        .filter(([, value]) => value)
        .map(([name, value]) => [name, String(value)]),
    );
  }

  /** @param {boolean} anew */
  async function ask(anew) {
    asking.abort();
    asking = new AbortController();
    const left = AbortSignal.any([signal, asking.signal]);
    const asked = filters();
    if (anew) remember(asked);
    asked.set('limit', String(PAGE));
    if (!anew && next) asked.set('cursor', next);
    place.setAttribute('aria-busy', 'true');
    try {
      const { data } = await call('GET', `/api/investigation?${asked}`, { signal: left });
      if (anew) {
        place.replaceChildren();
        group = null;
        sizes = new Map(data.groups.map((/** @type {any} */ g) => [g.curriculum, g.count]));
      }
      data.items.forEach(add);
      next = data.pagination.nextCursor;
      const { total } = data.pagination;
      const narrowed = asked.size > 3;
      all.hidden = total > 0 || !narrowed;
      count.textContent =
        total > 0
          ? counted(total, 'investigation')
          : narrowed
            ? 'Nothing fits this search.'
            : 'No investigations yet. Start with a new one.';
      end.hidden = !next;
      // Looked at anew: where its end is still in sight after more rows have come, nothing would say so.
      watch.unobserve(end);
      watch.observe(end);
    } catch (error) {
      if (!left.aborted) throw error;
    }
    place.removeAttribute('aria-busy');
  }

  /** @param {URLSearchParams} asked */
  function remember(asked) {
    const kept = new URLSearchParams(asked);
    ['sortBy', 'sortOrder', 'author'].forEach((name) => kept.delete(name));
    if (mine.checked) kept.set('mine', '');
    if (sort.selectedIndex > 0) kept.set('sort', sort.value);
    history.replaceState(null, '', kept.size ? `#/?${kept}` : '#/');
  }

  /** @param {any} item */
  function add(item) {
    const name = item.curriculum ?? null;
    if (!group || group.name !== name) {
      const heading = id('group');
      const rows = el('ul', { class: 'rows' });
      group = { name, rows };
      place.append(
        el(
          'section',
          { 'aria-labelledby': heading },
          el(
            'h2',
            { id: heading, class: 'group' },
            said(name ?? 'Without a curriculum'),
            el('span', { class: 'muted' }, ` ${sizes.get(name) ?? ''}`),
          ),
          rows,
        ),
      );
    }
    group.rows.append(row(item));
    if (item.grade !== undefined && ![...grades.children].some((one) => one.value === String(item.grade)))
      grades.append(el('option', { value: item.grade }));
  }

  /** @param {any} item */
  function row(item) {
    const title = titleOf(item);
    const found = item.contradictions.length;
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
          found > 0 && el('span', {}, counted(found, 'contradiction')),
          item.grade !== undefined &&
            el('span', {}, 'Grade ', said(typeof item.grade === 'object' ? JSON.stringify(item.grade) : item.grade)),
          person(item.author),
          el('span', { class: 'muted' }, 'changed ', time(item.updatedAt)),
        ),
      ),
      el(
        'div',
        { class: 'acts' },
        button('Clone', () => clone(item), { class: 'quiet', 'aria-label': `Clone ${title}` }),
        button('Delete', () => remove(item, line), { class: 'quiet', 'aria-label': `Delete ${title}` }),
      ),
    );
    return line;
  }

  /** @param {any} item */
  async function clone(item) {
    try {
      const { data } = await call('POST', investigation(item._id, '/clone'), { signal });
      tell(`This is a copy of “${titleOf(item)}”.`);
      location.hash = `#/i/${data._id}`;
    } catch (error) {
      tellFailure(error, () => clone(item));
    }
  }

  /** @param {any} item @param {HTMLElement} line */
  async function remove(item, line) {
    const sure = await confirmed(
      'Delete this investigation?',
      el(
        'p',
        {},
        said(`“${titleOf(item)}”`),
        ' will be deleted with all its versions, links and messages. This cannot be undone.',
      ),
      'Delete',
    );
    if (!sure) return;
    try {
      await call('DELETE', investigation(item._id));
      const near = line.nextElementSibling ?? line.previousElementSibling;
      line.remove();
      tell(`“${titleOf(item)}” was deleted.`);
      /** @type {HTMLElement} */ (near?.querySelector('a') ?? search).focus();
      await refresh();
    } catch (error) {
      tellFailure(error, () => remove(item, line));
    }
  }

  async function create() {
    try {
      const root = await schema();
      const { data } = await call('POST', '/api/investigation', {
        body: beginning({ type: 'object', required: root.required, properties: root.properties }, root),
      });
      location.hash = `#/i/${data._id}`;
    } catch (error) {
      tellFailure(error, create);
    }
  }

  const refresh = () => ask(true).catch((error) => tellFailure(error, refresh));
  const more = () => (next ? ask(false).catch((error) => tellFailure(error, more)) : undefined);
  const soon = settled(refresh, 180);
  search.addEventListener('input', soon);
  grade.addEventListener('input', soon);
  [status, curriculum, sort, mine].forEach((control) => control.addEventListener('change', refresh));
  end.append(button('Show more', more));
  const watch = new IntersectionObserver(
    (seen) => {
      if (seen.some((one) => one.isIntersecting)) more();
    },
    { rootMargin: '600px' },
  );
  signal.addEventListener('abort', () => watch.disconnect());

  const { data } = await call('GET', '/api/investigation?limit=1', { signal });
  data.groups
    .filter((/** @type {any} */ g) => g.curriculum)
    .forEach((/** @type {any} */ g) => curriculum.append(el('option', { value: g.curriculum }, g.curriculum)));
  curriculum.value = wanted;
  await ask(true);
  const filter = (/** @type {string} */ label, /** @type {string} */ name, /** @type {any} */ control) =>
    el('div', {}, el('label', { for: name }, label), control);
  return el(
    'div',
    { class: 'list' },
    el(
      'div',
      { class: 'head' },
      el('h1', { tabindex: -1 }, 'Investigations'),
      button('New investigation', create, { class: 'primary' }),
    ),
    el(
      'form',
      { class: 'filters', role: 'search', onsubmit: (/** @type {Event} */ e) => e.preventDefault() },
      el('div', { class: 'search' }, el('label', { for: names.search }, 'Search'), search),
      filter('Status', names.status, status),
      filter('Grade', names.grade, grade),
      grades,
      filter('Curriculum', names.curriculum, curriculum),
      filter('Order', names.sort, sort),
      user() && el('label', { class: 'check' }, mine, ' Mine only'),
    ),
    count,
    all,
    place,
    end,
  );
}

/** @param {string} name @param {any[][]} options @param {string | null} chosen */
function choice(name, options, chosen) {
  const select = el(
    'select',
    { id: name },
    options.map(([value, words]) => el('option', { value }, words)),
  );
  if (chosen !== null && options.some(([value]) => value === chosen)) select.value = chosen;
  return select;
}
