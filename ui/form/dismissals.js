// @ts-check
// Dismissals: findings that an author has marked as “Not a contradiction”. They can be restored.

import { placeName } from '../history/changes.js';
import { steps } from '../text/paths.js';
import { maxReason } from '../core/constants.js';
import { button, el, id, labelled, said } from '../core/dom.js';
import { keyed } from '../core/keyed.js';
import { attempt, tell } from '../core/notice.js';
import { capitalised, counted } from '../text/words.js';
import { time } from '../core/marks.js';
import { who } from '../core/people.js';

/** @param {import('../doc/doc.js').Doc} doc @param {any} finding @param {string} reason */
function dismiss(doc, finding, reason) {
  const { fieldName, conflictsWith, evidence } = finding;
  const body = {
    fieldName,
    conflictsWith,
    evidence: evidence.map((/** @type {any} */ e) => e.fieldPath),
    ...(reason ? { reason } : {}),
  };
  return attempt(async () => {
    const done = await doc.act('POST', '/dismissals', body);
    if (!done) return;
    const newest = done.data.dismissed.at(-1).id;
    tell('Dismissed. It stays hidden until one of these places changes.', {
      act: { label: 'Restore', run: () => restore(doc, newest) },
    });
  });
}

/** @param {import('../doc/doc.js').Doc} doc @param {string} dismissal */
function restore(doc, dismissal) {
  return attempt(async () => {
    if (await doc.act('DELETE', `/dismissals/${dismissal}`)) tell('Restored.');
  });
}

/**
 * Returns a form that dismisses a finding with one click. A reason is optional.
 * @param {any} finding @param {string} title the id of the sentence that says what was found
 * @param {import('./desk.js').Desk} desk
 */
export function dismissForm(finding, title, desk) {
  const reason = el('input', { maxlength: maxReason, dir: 'auto', autocomplete: 'off' });
  let busy = false;
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const field = form.closest('.field');
    await dismiss(desk.doc, finding, reason.value.trim());
    busy = false;
    // The card of the finding had the focus and has been removed.
    if (document.activeElement === document.body) field?.focus({ preventScroll: true });
  };
  const form = el(
    'form',
    { class: 'dismiss', onsubmit: submit },
    el('button', { 'aria-describedby': title }, 'Not a contradiction'),
    el(
      'details',
      { ontoggle: () => reason.focus() },
      el('summary', {}, 'Give a reason'),
      labelled('Why is it not a contradiction?', reason),
      el('button', {}, 'Dismiss with this reason'),
    ),
  );
  return form;
}

/**
 * Returns the dismissed findings, in a part of the page that is folded at first.
 * @param {import('./desk.js').Desk} desk
 */
export function dismissedList(desk) {
  const { doc, root } = desk;
  const summary = el('summary');
  const rows = el('ul', { class: 'todo' });
  const element = el('details', { class: 'dismissed', hidden: true }, summary, rows);

  /** @param {any} dismissed */
  function row({ id: dismissal, fieldName, evidence, findingReason, reason, by, at }) {
    const sentence = id('dismissed');
    const place = evidence[0]?.fieldPath ?? fieldName;
    const back = async () => {
      await restore(doc, dismissal);
      if (document.activeElement === document.body) element.parentElement?.querySelector('h2')?.focus();
    };
    return el(
      'li',
      {},
      said(findingReason, 'p', { id: sentence }),
      reason && said(`“${reason}”`, 'p', { class: 'muted' }),
      el('p', { class: 'muted' }, said(capitalised(who(by, doc.stored.author))), ', ', time(at)),
      button(placeName(steps(place), root), () => desk.go(place), { class: 'link' }),
      ' ',
      button('Restore', back, { class: 'link', 'aria-describedby': sentence }),
    );
  }

  function refresh() {
    const { dismissed } = doc.stored;
    element.hidden = dismissed.length === 0;
    summary.textContent = counted(dismissed.length, 'dismissed finding');
    keyed(rows, dismissed, { key: ({ id }) => id, make: row });
  }
  return { element, refresh };
}
