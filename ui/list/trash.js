// @ts-check
// Deleted investigations, which can be restored if the service has a trash.

import { call, investigation, service } from '../core/api.js';
import { deleteNow } from './deletion.js';
import { button, el } from '../core/dom.js';
import { attempt, tell } from '../core/notice.js';
import { learnNames, person } from '../core/people.js';
import { tabs } from '../core/tabs.js';
import { dateOf } from '../text/words.js';
import { time } from '../core/marks.js';

/** Returns a link to this view, invisible until the service has said whether it has a trash, so that nothing jumps. */
export function wayToTrash() {
  const link = el('a', { class: 'button awaited', href: '#/trash' }, 'Deleted');
  const show = (/** @type {{ trashDays: number }} */ { trashDays }) => {
    if (trashDays > 0) link.classList.remove('awaited');
    else link.remove();
  };
  service().then(show, () => undefined);
  return link;
}

/** @param {import('../core/app.js').View} view */
export async function trash({ signal, way }) {
  document.title = 'Deleted · Fieldbook';
  tabs(way, '', 'write');
  const count = el('p', { class: 'muted', role: 'status' });
  const rows = el('ul', { class: 'rows' });
  const end = el('div', { class: 'more', hidden: true });
  const report = () => {
    count.textContent = rows.children.length > 0 ? '' : 'Nothing that you can restore was deleted.';
  };
  const read = async (/** @type {string} */ query) => {
    const { data, pagination } = await call('GET', `/api/trash${query}`, { signal });
    await learnNames(data.map((/** @type {any} */ item) => item.author));
    rows.append(...data.map((/** @type {any} */ item) => row(item, report)));
    const next = `?cursor=${encodeURIComponent(pagination?.nextCursor)}`;
    end.hidden = !pagination;
    end.replaceChildren(button('Show more', () => attempt(() => read(next))));
    report();
  };
  await deleteNow();
  await read('');
  return el(
    'div',
    { class: 'list' },
    el('div', { class: 'head' }, el('h1', { tabindex: -1 }, 'Deleted')),
    count,
    rows,
    end,
  );
}

/** @param {any} item @param {() => void} changed called when the row is removed */
function row(item, changed) {
  const title = item.title || 'Untitled';
  const restore = () =>
    attempt(async () => {
      const { data } = await call('POST', investigation(item.investigationId, '/undelete'));
      const left = data.linksLeftOut ?? [];
      const lost = left.length > 0 ? ` Other links have these addresses now: ${left.join(', ')}.` : '';
      const open = () => void (location.hash = `#/i/${item.investigationId}`);
      tell(`“${title}” is restored.${lost}`, { act: { label: 'Open', run: open } });
      const near = line.nextElementSibling ?? line.previousElementSibling;
      line.remove();
      changed();
      /** @type {HTMLElement | null} */ ((near ?? document).querySelector(near ? 'button' : 'h1'))?.focus();
    });
  const act = button('Restore', restore, { 'aria-label': `Restore ${title}` });
  const line = el(
    'li',
    {},
    el(
      'div',
      { class: 'what' },
      el('span', { class: 'title', dir: 'auto' }, title),
      el(
        'p',
        { class: 'facts' },
        person({ id: item.author, name: null, avatar: null }),
        el('span', { class: 'muted' }, 'deleted ', time(item.deletedAt)),
        el('span', { class: 'muted' }, 'kept until ', dateOf(new Date(item.until))),
      ),
    ),
    act,
  );
  return line;
}
