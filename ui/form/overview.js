// @ts-check
// The overview next to the form: the status, the missing fields, the contradictions, and the findings that an author
// has marked as “Not a contradiction”.

import { maxReason, statusesByHand } from '../core/constants.js';
import { button, choice, el, id, labelled, said } from '../core/dom.js';
import { keyed } from '../core/keyed.js';
import { attempt, tell } from '../core/notice.js';
import { announcer } from '../core/speech.js';
import { UNPLACED, fieldLabel, fields } from '../core/schema.js';
import { undescribed } from '../text/picture_refs.js';
import { isBlank, steps } from '../text/values.js';
import { STATUSES, capitalised, counted, newsOf } from '../text/words.js';
import { badge, time, who } from '../core/people.js';
import { placeName } from '../history/changes.js';

/** The status that a user sets to let the service choose among the draft statuses, depending on the content. */
const DRAFT = 'draft_incomplete';

/** @typedef {import('../core/schema.js').Field} Field */

/** @param {import('./desk.js').Desk} desk */
export function overview(desk) {
  const { doc, root } = desk;
  const status = el('span');
  const counts = el('span', { class: 'muted' });
  const setting = settingOf(doc, refresh);
  const todo = todoOf(desk);
  const dismissed = dismissedList(desk);
  const found = foundOf(desk, dismissed.element);
  const announce = announcer(() => doc.stored, newsOf);

  function refresh() {
    const { stored } = doc;
    dismissed.refresh();
    const missing = fields(root, doc.written).filter(({ name, complete }) =>
      name === UNPLACED ? !isBlank(doc.value(name)) : complete && isBlank(doc.value(name)),
    );
    const pictures = undescribed(doc.written);
    keyed(status, [stored.status], { key: (word) => word, make: badge });
    counts.textContent = [
      missing.length + pictures.length > 0 && `${missing.length + pictures.length} to write`,
      stored.contradictions.length > 0 && counted(stored.contradictions.length, 'contradiction'),
    ]
      .filter(Boolean)
      .join(' · ');
    setting.refresh(missing);
    todo.refresh(missing, pictures);
    found.refresh(stored);
    announce();
  }

  const wide = matchMedia('(min-width: 70rem)').matches;
  return {
    element: el(
      'details',
      { class: 'overview', open: wide },
      el('summary', {}, status, counts),
      el('div', {}, setting.element, todo.element, found.element),
    ),
    refresh,
  };
}

/**
 * Returns a message if contradictions are not checked yet, or could not be checked completely; otherwise an empty text.
 * @param {any} stored
 */
function unreadOf(stored) {
  if (stored.contradictionsPending) return 'Checking …';
  return stored.contradictionsIncomplete
    ? 'Checking could not be completed, so some contradictions may not be shown. The next change tries again.'
    : '';
}

/**
 * Shows the status and what it means, and the control that sets it.
 * @param {import('../doc/doc.js').Doc} doc @param {() => void} refused called if the status did not change
 */
function settingOf(doc, refused) {
  const about = id('about');
  const means = el('p', { class: 'help', id: about });
  const byHand = statusesByHand.map((value) => [value, STATUSES[value]?.words ?? value]);
  const all = [[DRAFT, 'Draft (set automatically)'], ...byHand];
  const set = choice(all, DRAFT, { 'aria-describedby': about, onchange: choose });

  let choosing = false;
  async function choose() {
    choosing = true;
    const done = await attempt(() => doc.act('PATCH', '', { status: set.value }));
    choosing = false;
    if (!done) refused();
  }

  /** @param {Field[]} missing */
  function refresh(missing) {
    const { stored } = doc;
    const waits = unreadOf(stored) && stored.status === DRAFT && missing.length === 0;
    const isComplete = stored.status === 'draft_non_contradictory_complete';
    means.textContent = waits
      ? 'Nothing is missing, but not everything has been checked.'
      : isComplete && missing.some(({ name }) => name === UNPLACED)
        ? 'Every field is written, but some of your text is not placed yet.'
        : (STATUSES[stored.status]?.means ?? '');
    if (statusesByHand.includes(stored.status) && missing.length === 0) means.append(' Nothing is missing.');
    if (!choosing) set.value = statusesByHand.includes(stored.status) ? stored.status : DRAFT;
  }

  return { element: el('section', {}, means, labelled('Set the status', set)), refresh };
}

/** Returns the list of what is still to be written, if there is any. @param {import('./desk.js').Desk} desk */
function todoOf(desk) {
  const list = el('ul', { class: 'todo' });
  const count = el('span', { class: 'muted' });
  const element = el('section', {}, el('h2', {}, 'Still to write ', count), list);
  const made = (/** @type {{ words: string, go: () => void }} */ { words, go }) =>
    el('li', {}, button(words, go, { class: 'link' }));
  return {
    element,
    /** @param {Field[]} missing @param {string[]} pictures the paths of descriptions */
    refresh: (missing, pictures) => {
      const [first] = pictures;
      const described = { words: `Describe ${counted(pictures.length, 'picture')}`, go: () => desk.go(first ?? '') };
      const lines = missing.map(({ label, name }) => ({ words: label, go: () => desk.begin(name) }));
      const all = first === undefined ? lines : [...lines, described];
      count.textContent = String(missing.length + pictures.length);
      keyed(list, all, { key: ({ words }) => `${words} ${first}`, make: made });
      element.hidden = all.length === 0;
    },
  };
}

/**
 * Returns the contradictions that were found, and the dismissed ones.
 * @param {import('./desk.js').Desk} desk @param {HTMLElement} dismissed
 */
function foundOf(desk, dismissed) {
  const list = el('ul', { class: 'todo' });
  const count = el('span', { class: 'muted' });
  const checkedBy = el(
    'p',
    { class: 'help' },
    desk.converses ? 'Checked by comparing the fields, and by a language model.' : 'Checked by comparing the fields.',
  );

  /** Returns a line of words, or a button that leads to the first place of a finding. @param {any} line */
  function made(line) {
    if (line.words) return el('li', { class: 'muted' }, line.words);
    const { fieldName, reason } = line;
    const name = `${fieldLabel(fieldName, desk.root)}: ${reason}`;
    return el(
      'li',
      {},
      button(said(reason), () => desk.open(line), { class: 'link', 'aria-label': name }),
    );
  }

  /** @param {any} stored */
  function refresh(stored) {
    const { contradictions, hints } = stored;
    const unread = unreadOf(stored);
    checkedBy.hidden = unread !== '';
    count.textContent = contradictions.length > 0 ? String(contradictions.length) : '';
    const none = hints.length > 0 ? `None; ${counted(hints.length, 'hint')} in the text.` : 'None found.';
    const all = unread || contradictions.length === 0 ? [...contradictions, { words: unread || none }] : contradictions;
    keyed(list, all, { key: (line) => JSON.stringify(line), make: made });
  }

  const title = el('h2', { id: id('found') }, 'Contradictions ', count);
  const whole = { class: 'found', tabindex: -1, 'aria-labelledby': title.id };
  return { element: el('section', whole, title, list, dismissed, checkedBy), refresh };
}

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
      act: { label: 'Undo', run: () => restore(doc, newest) },
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
    const [first] = finding.evidence;
    await dismiss(desk.doc, finding, reason.value.trim());
    busy = false;
    desk.show(first?.fieldPath ?? finding.fieldName);
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
    return el(
      'li',
      {},
      said(findingReason, 'p', { id: sentence }),
      reason && said(`“${reason}”`, 'p', { class: 'muted' }),
      el('p', { class: 'muted' }, said(capitalised(who(by, doc.stored.author))), ', ', time(at)),
      button(placeName(steps(place), root), () => desk.go(place), { class: 'link' }),
      ' ',
      button('Restore', () => restore(doc, dismissal), { class: 'link', 'aria-describedby': sentence }),
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
