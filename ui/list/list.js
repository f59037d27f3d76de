// @ts-check
// The list of all investigations: the filters, the matching rows, and unsaved text.

import { call } from '../core/api.js';
import { freshId } from '../doc/opening.js';
import { button, el, said } from '../core/dom.js';
import { dropped } from '../core/files.js';
import { filtersOf } from './filters.js';
import { Results } from './list_results.js';
import * as outbox from '../doc/outbox.js';
import { pasteButton, pasteLesson } from './paste.js';
import { wayToTrash } from './trash.js';

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
  // The text of an editor that was left is in the list, too.
  await outbox.settled();
  const { data } = await call('GET', '/api/investigation?limit=1&fields=title', { signal });
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
  const view = el(
    'div',
    { class: 'list', 'data-top': back.top },
    el(
      'div',
      { class: 'head' },
      el('h1', { tabindex: -1 }, 'Lessons'),
      el('div', { class: 'acts' }, wayToTrash(), pasteButton(), button('New lesson', create, { class: 'primary' })),
    ),
    notSaved,
    filters.element,
    results.element,
  );
  dropped(view, ([file]) => pasteLesson(file));
  return view;
}

/** Shows the investigations with unsaved text in this browser. @param {HTMLElement} place */
async function showUnsaved(place) {
  const links = await unsavedLinks();
  place.hidden = !links;
  place.replaceChildren('Text that is not saved yet: ', ...(links ?? []), '.');
}

/** Returns links to the investigations with unsaved text in this browser, or null if there are none. */
export async function unsavedLinks() {
  const unsaved = [...(await outbox.unsaved())];
  const link = (/** @type {[string, string]} */ [docId, title]) => el('a', { href: `#/i/${docId}` }, said(title));
  return unsaved.length === 0 ? null : unsaved.flatMap((one, i) => [i > 0 ? ', ' : '', link(one)]);
}

/** Opens a lesson that is stored once something is written in it. */
const create = () => void (location.hash = `#/i/${freshId()}`);
