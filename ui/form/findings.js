// @ts-check
// Shows contradictions: the quotes from the fields, the reason, and corrections, which are previewed before
// they are made.

import { Failure } from '../core/api.js';
import { button, el, id, said } from '../core/dom.js';
import { placeName, preview } from '../history/changes.js';
import { lessonTime, timeInWords } from '../text/lesson_time.js';
import { escaped, same, steps } from '../text/values.js';
import { describe, heardAt, nearest } from './control.js';
import { keyed } from '../core/keyed.js';
import { ask, tellFailure, work } from '../core/notice.js';
import { dismissForm } from './overview.js';
import { content, fieldLabel } from '../core/schema.js';
import { counted } from '../text/words.js';

/** @typedef {import('./desk.js').Desk} Desk */

/** @param {string} source */
function foundBy(source) {
  const [kind = '', name = ''] = source.split(/:(.*)/s);
  return { rule: 'Found by comparing the fields', model: `Found by the language model ${name}` }[kind] ?? source;
}

/**
 * Returns the text in place of a missing quote. If all other quotes are numbers, the finding is about a total.
 * @param {any[]} evidence
 */
function unquoted(evidence) {
  const numbers = evidence.every(({ quote, missing }) => missing || /^\d+([.,]\d+)?$/.test(quote ?? ''));
  return numbers ? 'as a whole' : 'nothing that fits';
}

/** Returns true if the rule that made a finding can correct it. @param {any} finding @param {any} root */
function hasFix({ source }, root) {
  const rule = (root['x-rules'] ?? []).find((/** @type {any} */ { id }) => source === `rule:${id}`);
  return rule?.hasFix ?? true;
}

/**
 * @param {any} finding @param {string} here the field that contains the card @param {boolean} hint @param {Desk} desk
 */
export function findingCard(finding, here, hint, desk) {
  const { root } = desk;
  const sides = [...new Set([finding.fieldName, ...finding.conflictsWith])];
  // Of the fields that contradict each other, the field at which this card is shown comes first.
  sides.sort((a, b) => Number(b === here) - Number(a === here));
  const title = id('finding');
  const mayCorrect = desk.converses || hasFix(finding, root);
  const correct = (/** @type {string} */ side) => {
    if (hint || !mayCorrect) return '';
    return sides.length > 1 ? `Correct ${fieldLabel(side, root)} …` : 'Correct this …';
  };
  return el(
    'details',
    { class: hint ? 'finding hint' : 'finding', 'data-reason': finding.reason },
    el('summary', { id: title }, hint ? 'Perhaps: ' : '', said(finding.reason)),
    el(
      'div',
      { class: 'sides' },
      sides.map((side) => sideOf(side, finding, correct(side), desk)),
    ),
    finding.alsoAt?.length > 0 &&
      el(
        'p',
        { class: 'also' },
        'The same in: ',
        finding.alsoAt.map((/** @type {string} */ path, /** @type {number} */ at) => [
          at > 0 && ', ',
          button(placeName(steps(path), root), () => desk.go(path), { class: 'link' }),
        ]),
      ),
    finding.suggestion && el('p', { class: 'suggestion', dir: 'auto' }, finding.suggestion),
    !hint &&
      !mayCorrect &&
      el('p', { class: 'suggestion' }, 'Fieldbook cannot correct this by itself: change one of the places above.'),
    el('p', { class: 'source' }, foundBy(finding.source)),
    dismissForm(finding, title, desk),
  );
}

/**
 * Returns one side of a finding: what one field says.
 * @param {string} side @param {any} finding
 * @param {string} correct the label of the button that corrects the field; empty for no button @param {Desk} desk
 */
function sideOf(side, finding, correct, desk) {
  const quotes = finding.evidence.filter((/** @type {any} */ e) => steps(e.fieldPath)[0] === side);
  const short = quotes.every((/** @type {any} */ e) => (e.quote ?? '').length < 24);
  const wayTo = (/** @type {string} */ path, /** @type {string} */ name) =>
    button(name, () => desk.go(path), { class: 'link' });
  return el(
    'div',
    { class: short ? 'side short' : 'side' },
    quotes
      .slice(0, 6)
      .map((/** @type {any} */ { fieldPath, quote, missing }) =>
        el(
          'figure',
          {},
          el('figcaption', {}, wayTo(fieldPath, placeName(steps(fieldPath), desk.root))),
          missing ? el('p', { class: 'muted' }, unquoted(finding.evidence)) : el('blockquote', { dir: 'auto' }, quote),
        ),
      ),
    quotes.length > 6 && el('p', { class: 'muted' }, `and ${quotes.length - 6} more`),
    quotes.length === 0 && el('p', {}, wayTo(side, fieldLabel(side, desk.root))),
    correct !== '' && button(correct, () => assist('resolve-contradiction', side, desk)),
  );
}

/**
 * Shows the findings of a field, each in the first row that it concerns, or else below the field.
 * @param {string} name @param {Desk} desk
 */
export function cardsOf(name, desk) {
  const element = el('div', { class: 'cards' });

  /** Returns a finding, the controls that it concerns, and the parent of its card. @param {HTMLElement} body */
  const placedIn = (body) => (/** @type {any} */ finding) => {
    const isOwn = (/** @type {any} */ e) => !e.missing && steps(e.fieldPath)[0] === name;
    const own = finding.evidence.filter(isOwn).map((/** @type {any} */ e) => nearest(body, e.fieldPath));
    const controls = own.length === 1 ? own : [...own, nearest(body, escaped(name))];
    return { finding, controls, place: own[0]?.closest('li')?.querySelector(':scope > .notes') ?? element };
  };

  return {
    element,
    /**
     * @param {HTMLElement} body of the field @param {HTMLElement[]} disputed controls in it that something else
     *   describes, too @param {string} dispute the id of that
     */
    refresh: (body, disputed, dispute) => {
      const { contradictions, hints } = desk.doc.stored;
      const card = (/** @type {any} */ finding) => findingCard(finding, name, hints.includes(finding), desk);
      const found = [...contradictions, ...hints].filter(touches(name));
      const placed = found.map(placedIn(body));
      for (const place of [element, ...body.querySelectorAll('.notes')]) {
        const own = placed.filter((one) => one.place === place).map(({ finding }) => finding);
        keyed(place, own, {
          key: ({ reason }) => reason,
          make: card,
          update: (shown, finding, _, before) => {
            if (before && !same(finding, before)) shown.replaceChildren(...card(finding).childNodes);
          },
        });
      }
      /** @type {Map<HTMLElement, string[]>} */
      const all = new Map([...body.querySelectorAll('[data-path]')].map((one) => [heardAt(one), []]));
      disputed.forEach((one) => all.get(one)?.push(dispute));
      for (const { finding, controls, place } of placed) {
        const title = place.querySelector(`:scope > [data-reason="${CSS.escape(finding.reason)}"] > summary`)?.id;
        for (const one of new Set(controls.filter(Boolean).map(heardAt))) all.get(one)?.push(title ?? '');
      }
      all.forEach((ids, one) => describe(one, ids));
    },
  };
}

/** Returns a function that is true for findings about this field. @param {string} field */
export function touches(field) {
  return (/** @type {any} */ finding) => finding.fieldName === field || finding.conflictsWith.includes(field);
}

/**
 * Returns the reasons of the contradictions of a field, with the suggested corrections, because a correction can be a
 * guess. If there are no contradictions, returns the reasons of the hints.
 * @param {any} stored @param {string} field
 */
function reasons({ contradictions, hints }, field) {
  const found = contradictions.filter(touches(field));
  const all = found.length > 0 ? found : hints.filter(touches(field));
  return all.flatMap((/** @type {any} */ f) => [f.reason, f.suggestion ?? []].flat()).join(' ');
}

/**
 * Returns a sentence about the contradictions that would be left after a change.
 * @param {any} before @param {any} after
 */
function aftermath(before, after) {
  const [was, is] = [before.contradictions.length, after.contradictions.length];
  return el(
    'p',
    { class: 'muted' },
    is === 0
      ? 'No contradiction would be left.'
      : `${counted(is, 'contradiction')} would be left; now there ${was === 1 ? 'is' : 'are'} ${was}.`,
  );
}

/**
 * Returns why the other fields of a lesson stay as they are.
 * @param {string} field @param {string} name @param {any} lesson @param {any} root
 */
function agreement(field, name, lesson, root) {
  const isUnread = lesson.contradictionsPending || lesson.contradictionsIncomplete;
  if (isUnread || lesson.contradictions.some(touches(field))) return '';
  const sums = lessonTime(lesson.steps, root);
  const time = field === 'durationMinutes' && sums.inside > 0 && timeInWords(sums, lesson.durationMinutes);
  return `No contradiction with ${name} was found${time ? `: the steps take ${time}` : ''}.`;
}

/**
 * Resolves or regenerates: shows the changes first, and makes them if the user agrees.
 * @param {'resolve-contradiction' | 'regenerate'} operation @param {string} field @param {Desk} desk
 */
export async function assist(operation, field, desk) {
  const { doc, root, left } = desk;
  const name = fieldLabel(field, root);
  const resolves = operation === 'resolve-contradiction';
  const body = { fieldName: field };
  try {
    const shown = await work(
      resolves ? `Looking for a way to correct ${name} …` : `Fitting the other fields to ${name} …`,
      (signal) => doc.act('POST', `/${operation}?dryRun=true`, body, signal),
      left,
    );
    if (!shown) return;
    const { investigation, explanation } = shown.data;
    const [was, is] = [content(doc.stored), content(investigation)];
    // Otherwise the explanation would only repeat the list of changes.
    const explains = explanation && (resolves || same(was, is));
    const agreed = () =>
      same(was, is)
        ? agreement(field, name, investigation, root)
        : `They will agree with ${name}, which stays as it is.`;
    const why = resolves ? reasons(doc.stored, field) : agreed();
    const take = await preview(resolves ? `Correct ${name}` : `Fit the other fields to ${name}`, {
      before: was,
      after: is,
      root,
      said: el('div', { dir: 'auto' }, el('p', {}, why), explains && el('p', { class: 'explanation' }, explanation)),
      beside: aftermath(doc.stored, investigation),
      take: resolves ? 'Correct it this way' : 'Take these changes',
    });
    if (!take) return;
    const before = doc.stored;
    const done = await work(
      resolves ? 'Correcting …' : 'Fitting …',
      (signal) => doc.act('POST', `/${operation}`, body, signal),
      left,
    );
    if (!done) return;
    desk.showFirst(before);
    const differs = JSON.stringify(content(done.data.investigation)) !== JSON.stringify(is);
    if (!differs) return doc.tell('did', resolves ? `${name}: corrected` : `The other fields now fit ${name}`);
    // The result can differ from the preview, which only one copy of the service keeps, and only for a few minutes.
    const keep = await preview('The assistant suggests something different this time', {
      before: was,
      after: content(done.data.investigation),
      root,
      said: el('p', { dir: 'auto' }, done.data.message),
      take: 'Keep it',
    });
    if (!keep) await doc.act('POST', '/undo');
  } catch (error) {
    if (error instanceof Failure && ['not_resolved', 'no_proposal_taken'].includes(error.code)) {
      await ask(
        resolves ? 'You need to decide this' : 'Nothing was changed',
        [
          el('p', { dir: 'auto' }, error.words),
          el('p', {}, 'Nothing was changed. Rewrite one of the two places to resolve it.'),
        ],
        [{ label: 'Close', answer: null }],
      );
    } else tellFailure(error, () => assist(operation, field, desk));
  }
}
