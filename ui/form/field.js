// @ts-check
// One top-level field of the form: its label, help and control, its errors, and its contradictions.

import { placeName } from '../history/changes.js';
import { dotted, escaped, isBlank, isNumber, own, same, steps } from '../text/values.js';
import { control, heardAt, nearest, renew } from './control.js';
import { button, el, heard, id } from '../core/dom.js';
import { assist, cardsOf, touches } from './findings.js';
import { keyed, still } from '../core/keyed.js';
import { menu } from '../core/menu.js';
import { announcer } from '../core/speech.js';
import { lessonTime, timeInWords, valueOf } from '../text/lesson_time.js';
import { settleClashes, tellElsewhere } from './saving.js';
import { takingBack } from './steps.js';
import { named } from '../doc/pictures.js';
import { isComposite, kind, resolved, types } from '../core/schema.js';
import { UNREAD, faultIn, fitsLine, suggestions } from './plain.js';

/**
 * @typedef {import('./desk.js').Desk} Desk
 *
 * @typedef {object} FieldView
 * @property {HTMLElement} element
 * @property {HTMLElement | null} below messages about a short field
 * @property {string} name
 * @property {(forced?: boolean, isElsewhere?: boolean) => void} refresh shows the current value of the field, which
 *   others may have changed
 * @property {(violations: {path: string, message: string}[]) => void} violated
 *
 * @param {import('../core/schema.js').Field} field @param {Desk} desk @returns {FieldView}
 */
export function fieldView(field, desk) {
  const { doc, root } = desk;
  const { name, schema, label, help } = field;
  const [box, title, about] = [id('f'), id('l'), id('h')];
  const faults = faultsOf(field, desk);
  const cards = cardsOf(name, desk);
  const body = el('div', { class: 'control' });
  const tag = el('div', { class: 'tag', title: field.isForPupils ? null : TEACHERS_ONLY });
  const [tools, fits] = toolsOf(field, desk, () => refresh(true));
  const total = totalOf(name, desk);
  const said = [faults.element, cards.element];
  const below = isShort(schema) ? el('div', { class: 'below', 'data-field': name }, said) : null;
  const element = frameOf(field, title, about, [tag, tools], [body, total.element, below ? [] : said]);
  const known = suggestions(name, element);
  if (known) element.append(known);
  const tookPart = takingBack(element, name, doc);
  /** The value that the control shows. @type {any} */
  let shown;

  /** @param {any} value */
  function show(value) {
    shown = value;
    // A box with suggestions has one line.
    const isLong = known !== null && !fitsLine(value);
    keyed(body, [value], { key: (value) => `${kind(schema, value)} ${isLong}`, make, update: renew });
    keyed(tag, [isComposite(kind(schema, value))], {
      key: (composite) => composite,
      make: (composite) =>
        composite ? el('h2', { id: title, class: 'label' }, label) : el('label', { for: box, id: title }, label),
    });
  }

  /** @param {any} value */
  const make = (value) =>
    control(schema, value, {
      ...traitsOf(field, root),
      pictures: doc.pictures,
      ...(isComposite(kind(schema, value)) ? { labelled: title } : { id: box }),
      ...(help ? { described: about } : {}),
      ...(known ? { suggestions: known.id } : {}),
      change: (value, fault, did) => {
        // A row or a part of it reports only its own error.
        fault ||= faultIn(body);
        const [before, isAlone] = [shown, doc.isClean];
        shown = value;
        doc.edit(name, value, fault);
        report(fault);
        note();
        if (did) tookPart(did, before, value, isAlone);
      },
      commit: () => {
        if (doc.mine.has(name)) doc.flush();
      },
    });

  const clashes = () => doc.clashes.filter(({ field }) => field === name);

  /** Shows why the field cannot be saved. @param {string} [fault] of what is written */
  function report(fault) {
    const all = fault ? [fault] : clashes().length > 0 ? [DISPUTED] : [];
    faults.show(all.filter((one) => one !== UNREAD));
  }

  /** The controls of what was changed elsewhere, too. @type {HTMLElement[]} */
  let disputed = [];

  function markDisputed() {
    // On a box with JSON, the attribute says that its text is no JSON.
    const mark = (/** @type {HTMLElement} */ one, /** @type {boolean} */ is) =>
      one.matches('.json') || (is ? one.setAttribute('aria-invalid', 'true') : one.removeAttribute('aria-invalid'));
    disputed.forEach((one) => mark(one, false));
    disputed = clashes().flatMap(({ conflict: { path, mine } }) => {
      // The row that has the place of a removed one is not concerned.
      const found = nearest(body, dotted([name, ...(mine === undefined ? path.slice(0, -1) : path)]));
      return found ? heardAt(found) : [];
    });
    disputed.forEach((one) => mark(one, true));
  }

  function note() {
    const blank = isBlank(doc.value(name));
    element.classList.toggle('missing', field.complete && blank);
    fits.hidden = blank;
    total.refresh();
  }

  function refresh(forced = false, isElsewhere = false) {
    const value = doc.value(name);
    const isNews = !same(named(shown), value);
    const isWritten = (forced || isNews) && steady(body, () => show(value));
    // What was merged with the user's own text has a notice of its own.
    if (isWritten && !forced && isElsewhere && !doc.mine.has(name)) tellElsewhere(name, desk);
    note();
    if (!doc.held.has(name) || clashes().length > 0) report();
    markDisputed();
    element.classList.toggle('contradicted', doc.stored.contradictions.some(touches(name)));
    cards.refresh(body, disputed, faults.described());
  }

  reachedFromWithin(tools, element);
  show(doc.value(name));
  refresh();
  return { element, below, name, refresh, violated: faults.violated };
}

/**
 * Returns the section of a field: its name, tools and help in the margin, and its control on the sheet.
 * @param {import('../core/schema.js').Field} field @param {string} title the id of its name
 * @param {string} about the id of its help @param {any[]} margin @param {any[]} sheet
 */
function frameOf({ name, schema, help, isForPupils }, title, about, margin, sheet) {
  return el(
    'section',
    {
      class: `field ${isShort(schema) ? 'short' : ''} ${isForPupils ? '' : 'teachers'}`,
      tabindex: -1,
      'data-field': name,
      'aria-labelledby': title,
    },
    el('div', { class: 'margin' }, margin, help && el('p', { class: 'heard', id: about }, help)),
    el('div', { class: 'sheet' }, sheet),
  );
}

/**
 * Returns what a control needs to know about its field.
 * @param {import('../core/schema.js').Field} field @param {any} root
 */
function traitsOf({ name, schema, label, help, complete }, root) {
  return {
    root,
    path: escaped(name),
    name: label,
    // A narrow box has no room for its help. The menu of the field shows the help instead.
    hint: !isShort(schema) ? help : complete ? 'to write' : ' ',
    required: (root.required ?? []).includes(name),
  };
}

/**
 * Shows another value. The text that is being written stays at the same position in the window.
 * @param {HTMLElement} body @param {() => void} show @returns {boolean} whether somebody writes in it
 */
function steady(body, show) {
  const at = document.activeElement;
  if (!at || !body.contains(at)) {
    show();
    return false;
  }
  still(at, show);
  // If the row in use was removed, moves the focus out of the list, so that the user does not type into another row.
  if (!body.contains(document.activeElement)) body.closest('section')?.focus({ preventScroll: true });
  return true;
}

const TEACHERS_ONLY = 'Pupils do not see this.';
const DISPUTED = 'It was changed elsewhere, too: choose which text to keep.';

/**
 * Returns the element that shows the errors of a field. The name of the field is visible if others are beside it.
 * @param {import('../core/schema.js').Field} field @param {Desk} desk
 */
function faultsOf({ name, schema, label }, desk) {
  const element = el('div', { class: 'fault', role: 'alert' });
  const line = (/** @type {string} */ fault) => {
    const [words, lead, isAsked] = [id('fault'), `${label}: `, fault === DISPUTED];
    const compare = () => settleClashes(desk, name);
    return el(
      'p',
      { 'data-asks': isAsked },
      el('span', { id: words }, isShort(schema) ? lead : heard(lead), `${fault} It is not saved yet.`),
      isAsked && [' ', button('Compare …', compare, { class: 'link', 'aria-describedby': words })],
    );
  };
  // Messages that are already shown are not announced again.
  const show = (/** @type {string[]} */ faults) => keyed(element, faults, { key: (fault) => fault, make: line });
  return {
    element,
    show,
    described: () => element.querySelector('span')?.id ?? '',
    /** @param {{path: string, message: string}[]} violations */
    violated: (violations) =>
      show(
        violations.map(
          ({ path, message }) => `${path === escaped(name) ? 'This' : placeName(steps(path), desk.root)} ${message}.`,
        ),
      ),
  };
}

/**
 * Makes Tab move from field to field. Shift + Tab moves to the menu of the field.
 * @param {HTMLElement} tools @param {HTMLElement} field
 */
function reachedFromWithin(tools, field) {
  const set = (/** @type {number} */ index) => tools.querySelector('summary')?.setAttribute('tabindex', String(index));
  field.addEventListener('focusin', () => set(0));
  field.addEventListener('focusout', () => set(-1));
  set(-1);
}

/**
 * Returns an element with the total and the planned minutes of a field.
 * @param {string} name @param {Desk} desk
 */
function totalOf(name, { doc, root }) {
  const element = el('p', { class: 'help total' });
  const sums = () => lessonTime(doc.value(name), root);
  const announce = announcer(sums, (before, now) => (same(before, now) ? '' : element.textContent));
  const refresh = () => {
    const [{ inside, outside }, most] = [sums(), doc.value('durationMinutes')];
    element.textContent = timeInWords({ inside, outside }, most);
    // Red only while the rule `duration_sum` reports a contradiction that nobody has dismissed.
    const isReported = doc.stored.contradictions.some(
      (/** @type {any} */ { source }) => source === 'rule:duration_sum',
    );
    element.classList.toggle('alarm', isReported && isNumber(most) && inside > valueOf(most));
    element.hidden = inside + outside === 0;
    announce();
  };
  return { element, refresh };
}

/** Returns true if the values are short, so that several such fields fit in one row. @param {any} schema */
function isShort(schema) {
  const all = types(schema).filter((type) => type !== 'null');
  return all.length > 0 && (all.includes('integer') || all.includes('number')) && kind(schema, undefined) !== 'choice';
}

/** @param {import('../core/schema.js').Field} field @param {Desk} desk @param {() => void} removed */
function toolsOf({ name, schema, label, help, known, isForPupils }, desk, removed) {
  const { doc, root } = desk;
  const hasNotes = own(resolved(schema.items, root).properties, 'notes') !== undefined;
  const seen = !isForPupils ? TEACHERS_ONLY : hasNotes ? 'Pupils see this, notes included.' : 'Pupils see this.';
  const fits = button('Fit the other fields', () => assist('regenerate', name, desk), {
    title: 'Change the other fields so that they agree with this one',
    'aria-label': `Fit the other fields to ${label}`,
  });
  const remove = () => {
    doc.edit(name, undefined);
    doc.flush();
    removed();
  };
  const history = async () => (await import('../history/versions.js')).fieldHistory(name, desk);
  const tools = menu(`More for ${label}`, [
    help && el('p', { class: 'about' }, el('span', { 'aria-hidden': 'true' }, help), ' ', seen),
    button('History', history, { 'aria-label': `History of ${label}` }),
    fits,
    !known && button('Remove', remove, { class: 'grave', 'aria-label': `Remove ${label}` }),
  ]);
  return [tools, fits];
}
