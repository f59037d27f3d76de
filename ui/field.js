// @ts-check
// One top-level field of the form: its label, help and control, what is wrong with it, and what contradicts it.

import { placeName, steps } from './changes.js';
import { control, go } from './control.js';
import { button, el, id } from './dom.js';
import { findingCard, touches } from './findings.js';
import { isBlank, kind, own, same } from './schema.js';

/** The path of the control that has the focus. @param {Element | null} element */
function pathOf(element) {
  return /** @type {HTMLElement | null} */ (element?.closest('[data-path]'))?.dataset.path ?? null;
}

/**
 * @typedef {object} FieldView
 * @property {HTMLElement} element
 * @property {string} name
 * @property {(forced?: boolean) => void} refresh shows what is stored, where nothing else is being written
 * @property {(violations: {path: string, message: string}[]) => void} violated
 *
 * @param {import('./schema.js').Field} field @param {import('./doc.js').Doc} doc @param {any} root
 * @param {import('./findings.js').Desk} desk what can be done from here
 * @returns {FieldView}
 */
export function fieldView(field, doc, root, desk) {
  const { name, schema, label, help } = field;
  const [box, title, about] = [id('f'), id('l'), id('h')];
  const faults = el('div', { class: 'fault', role: 'alert' });
  const cards = el('div', { class: 'cards' });
  const body = el('div', { class: 'control' });
  const tag = el('div', { class: 'tag' });
  const fits = button('Fit others', () => desk.regenerate(name), {
    class: 'quiet',
    title: 'Change the other fields so that they agree with this one',
    'aria-label': `Fit others to ${label}`,
  });
  const tools = el(
    'div',
    { class: 'tools' },
    button('History', () => desk.history(name), { class: 'quiet', 'aria-label': `History of ${label}` }),
    fits,
    !field.known &&
      button(
        'Remove',
        () => {
          doc.edit(name, undefined);
          doc.flush();
          refresh(true);
        },
        { class: 'quiet', 'aria-label': `Remove ${label}` },
      ),
  );
  const element = el(
    'section',
    { class: 'field', tabindex: -1, 'data-field': name, 'aria-labelledby': title },
    el('div', { class: 'margin' }, tag, tools),
    el('div', { class: 'sheet' }, body, help && el('p', { class: 'help', id: about }, help), faults, cards),
  );
  /** What the control shows. @type {any} */
  let shown;
  let findings = '';

  /** @param {any} value */
  function show(value) {
    shown = value;
    const composite = ['list', 'object'].includes(kind(schema, value));
    const made = control(schema, value, {
      root,
      path: name.replaceAll('\\', '\\\\').replaceAll('.', '\\.'),
      name: label,
      required: (root.required ?? []).includes(name),
      ...(composite ? { labelled: title } : { id: box }),
      ...(help ? { described: about } : {}),
      change: (value, fault) => {
        shown = value;
        faults.replaceChildren(...(fault ? [el('p', {}, `${fault} It is not saved yet.`)] : []));
        doc.edit(name, value, fault);
        note();
      },
      commit: () => {
        if (doc.mine.has(name)) doc.flush();
      },
    });
    tag.replaceChildren(
      composite ? el('h2', { id: title, class: 'label' }, label) : el('label', { for: box, id: title }, label),
    );
    const focused = body.contains(document.activeElement) ? pathOf(document.activeElement) : null;
    body.replaceChildren(made);
    if (focused) go(body, focused);
  }

  function note() {
    const blank = isBlank(doc.value(name));
    element.classList.toggle('missing', field.complete && blank);
    fits.hidden = blank;
  }

  function refresh(forced = false) {
    // What is written here stays; what came from elsewhere is shown.
    if (forced || !same(shown, doc.value(name))) show(doc.value(name));
    note();
    if (!doc.held.has(name)) faults.replaceChildren();
    const { contradictions, hints } = doc.stored;
    const mine = { contradictions: contradictions.filter(touches(name)), hints: hints.filter(touches(name)) };
    if (JSON.stringify(mine) === findings) return;
    findings = JSON.stringify(mine);
    element.classList.toggle('contradicted', mine.contradictions.length > 0);
    cards.replaceChildren(
      ...mine.contradictions.map((/** @type {any} */ f) => findingCard(f, name, root, desk, false)),
      ...(mine.hints.length > 0
        ? [
            el(
              'details',
              { class: 'hints' },
              el('summary', {}, `${mine.hints.length === 1 ? 'A hint' : `${mine.hints.length} hints`}`),
              mine.hints.map((/** @type {any} */ f) => findingCard(f, name, root, desk, true)),
            ),
          ]
        : []),
    );
  }

  show(doc.value(name));
  refresh();
  return {
    element,
    name,
    refresh,
    violated: (violations) =>
      faults.replaceChildren(
        ...violations.map(({ path, message }) =>
          el('p', {}, `${path === name ? 'This' : placeName(steps(path), root)} ${message}. It is not saved yet.`),
        ),
      ),
  };
}
