// @ts-check
// What stands beside the form: the status, what is missing, and what contradicts itself.

import { dismissedList } from './dismissals.js';
import { button, el, id, said } from './dom.js';
import { tellFailure } from './notice.js';
import { fieldLabel } from './findings.js';
import { fields, isBlank } from './schema.js';
import { STATUSES, badge, counted } from './words.js';

/** What people can set: the drafts are worked out from the content, whichever of them is asked for. */
const SETTABLE = {
  draft_incomplete: 'Draft (set automatically)',
  in_development: 'In development',
  published: 'Published',
};

/**
 * @param {import('./doc.js').Doc} doc @param {any} root @param {import('./findings.js').Desk} desk
 * @param {boolean} converses whether a language model is set up
 */
export function overview(doc, root, desk, converses) {
  const [name, about] = [id('status'), id('about')];
  const status = el('span', { role: 'status' });
  const counts = el('span', { class: 'muted' });
  const means = el('p', { class: 'help', id: about });
  const set = el(
    'select',
    { id: name, 'aria-describedby': about, onchange: choose },
    Object.entries(SETTABLE).map(([value, words]) => el('option', { value }, words)),
  );
  const todo = el('ul', { class: 'todo' });
  const todoCount = el('span', { class: 'muted' });
  const found = el('ul', { class: 'todo' });
  const foundCount = el('span', { class: 'muted' });
  const dismissed = dismissedList(doc, root, desk);
  const checkedBy = el(
    'p',
    { class: 'help' },
    converses ? 'Checked by comparing the fields, and by a language model.' : 'Checked by comparing the fields.',
  );
  const foundBox = el(
    'section',
    {},
    el('h2', { tabindex: -1 }, 'Contradictions ', foundCount),
    found,
    dismissed.element,
    checkedBy,
  );
  let shown = '';

  async function choose() {
    try {
      await doc.act('PATCH', '', { status: set.value });
    } catch (error) {
      tellFailure(error, choose);
      refresh();
    }
  }

  /** Leads to the first place of a finding. @param {any} finding */
  function link(finding) {
    const { fieldName, reason } = finding;
    const name = `${fieldLabel(fieldName, root)}: ${reason}`;
    const made = button('', () => desk.open(finding), { class: 'link', 'aria-label': name });
    made.append(said(reason));
    return made;
  }

  function refresh() {
    const { stored } = doc;
    dismissed.refresh();
    const missing = fields(root, doc.written).filter((field) => field.complete && isBlank(doc.value(field.name)));
    const state = JSON.stringify([
      stored.status,
      missing.map((field) => field.name),
      stored.contradictions,
      stored.hints.length,
      stored.contradictionsPending,
      stored.contradictionsIncomplete,
    ]);
    if (state === shown) return;
    shown = state;
    status.replaceChildren(badge(stored.status));
    checkedBy.hidden = Boolean(stored.contradictionsPending || stored.contradictionsIncomplete);
    const unread = stored.contradictionsPending
      ? 'Checking …'
      : stored.contradictionsIncomplete
        ? 'Checking could not be completed, so some contradictions may not be shown. The next change tries again.'
        : '';
    const waits = unread && stored.status === 'draft_incomplete' && missing.length === 0;
    means.textContent = waits
      ? 'Nothing is missing, but not everything has been checked.'
      : (STATUSES[stored.status]?.means ?? '');
    set.value = stored.status in SETTABLE && !stored.status.startsWith('draft') ? stored.status : 'draft_incomplete';
    counts.textContent = [
      missing.length > 0 && `${missing.length} to write`,
      stored.contradictions.length > 0 && counted(stored.contradictions.length, 'contradiction'),
    ]
      .filter(Boolean)
      .join(' · ');
    todoCount.textContent = missing.length > 0 ? String(missing.length) : '';
    todo.replaceChildren(
      ...(missing.length > 0
        ? missing.map((field) =>
            el(
              'li',
              {},
              button(field.label, () => desk.begin(field.name), { class: 'link' }),
            ),
          )
        : [el('li', { class: 'done' }, 'Nothing is missing.')]),
    );
    const { contradictions, hints } = stored;
    foundCount.textContent = contradictions.length > 0 ? String(contradictions.length) : '';
    const none = hints.length > 0 ? `None; ${counted(hints.length, 'hint')} in the text.` : 'None was found.';
    found.replaceChildren(...contradictions.map((/** @type {any} */ f) => el('li', {}, link(f))));
    if (contradictions.length === 0 && !unread) found.append(el('li', { class: 'done' }, none));
    if (unread) found.append(el('li', { class: 'muted' }, unread));
  }

  const wide = matchMedia('(min-width: 70rem)').matches;
  return {
    element: el(
      'details',
      { class: 'overview', open: wide },
      el('summary', {}, status, counts),
      el(
        'div',
        {},
        el('section', {}, means, el('label', { for: name }, 'Set the status'), set),
        el('section', {}, el('h2', {}, 'Still to write ', todoCount), todo),
        foundBox,
      ),
    ),
    refresh,
  };
}
