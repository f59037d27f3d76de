// @ts-check
// Controls for values without parts: text, numbers, choices, yes or no, and JSON. Also suggestions for texts.

import { naming } from './control.js';
import { choice as menuOf, el, id, unfinished } from '../core/dom.js';
import { endsLine } from '../core/input.js';
import { selected } from '../text/diff.js';
import { isNumber, number as numberOf, own, same } from '../text/values.js';
import { types } from '../core/schema.js';
import { inLine, isFromRight } from '../text/words.js';
import { call } from '../core/api.js';

/** @typedef {import('./control.js').Place} Place @typedef {import('./control.js').Made} Made */

/** A text longer than this gets a box of fixed height, because measuring it at every keystroke takes too long. */
const LONG = 20000;
/** Maximum length of a text that fits on one line. */
const LINE = 36;
/** A text of at most this length, such as a title, has no paragraphs. */
const NAME = 300;
/** Reported for a text like “50 min”, which becomes a number when the user leaves it: not saved yet, but not wrong. */
export const UNREAD = 'unread';
const NO_JSON = 'This is not valid JSON yet.';

/** @param {Place} place @param {Record<string, any>} [more] */
function named(place, more = {}) {
  return {
    id: place.id,
    ...naming(place),
    // The style sheets detect an empty box by `:placeholder-shown`.
    placeholder: place.hint || ' ',
    onblur: place.commit,
    ...more,
  };
}

/** Returns true if one line shows a value, on a phone, too. @param {any} value */
export const fitsLine = (value) => shown(value).length <= LINE && !shown(value).includes('\n');

/** Returns the text of a box for a value. @param {any} value */
function shown(value) {
  if (value === undefined) return '';
  return isNumber(value) ? JSON.stringify(value) : String(value);
}

/**
 * Returns functions that show another value, record what the user wrote, and return the last value.
 * @param {any} value @param {(value: any) => void} put
 */
function showing(value, put) {
  let now = value;
  const wrote = (/** @type {any} */ made) => (now = made);
  const show = (/** @type {any} */ next) => {
    if (same(next, now)) return;
    now = next;
    put(next);
  };
  return { show, wrote, last: () => now };
}

/** Sets the text of a box. Keeps cursor and selection at the same words. @param {any} box @param {string} text */
function write(box, text) {
  const { selectionStart: from, selectionEnd: to, selectionDirection: way, value } = box;
  box.value = text;
  if (document.activeElement !== box || from === null) return;
  box.setSelectionRange(...selected(value, text, from, to), way);
}

/** Writes into the focused box as its user would, so that the browser can undo it. @param {string} text */
export const insert = (text) => document.execCommand('insertText', false, text);

/** @param {any} schema @param {any} value @param {Place} place @returns {Made} */
export function text(schema, value, place) {
  const allows = types(schema);
  const mayBeNumber = allows.includes('number') || allows.includes('integer');
  // A value that was a text stays a text, even if it looks like a number.
  let wasText = typeof value === 'string' && value !== '';
  const read = () => {
    const typed = box.value;
    if (typed === '') return place.required ? '' : undefined;
    const asNumber = mayBeNumber && !wasText ? numberOf(typed) : undefined;
    return asNumber ?? typed;
  };
  const isName = place.isLine || schema.maxLength <= NAME;
  // An entry of a list may have several lines.
  const hasOneLine = () => place.isLine || (isName && !box.closest('.entries'));
  const isDate = schema.format === 'date';
  let fault = '';
  // A box with suggestions has one line.
  const isLine = isDate || (place.suggestions && fitsLine(value));
  const box = el(
    isLine ? 'input' : 'textarea',
    named(place, {
      class: 'text',
      dir: 'auto',
      rows: isLine ? null : 1,
      type: isDate ? 'date' : null,
      list: isLine ? place.suggestions : null,
      value: shown(value),
      enterkeyhint: isName ? 'next' : null,
      onkeydown: (/** @type {KeyboardEvent} */ event) => hasOneLine() && goOn(event),
      onpaste: (/** @type {ClipboardEvent} */ event) => {
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (!hasOneLine() || !text.includes('\n') || event.defaultPrevented) return;
        event.preventDefault();
        insert(inLine(text));
      },
      oninput: () => {
        if (hasOneLine() && box.value.includes('\n')) write(box, inLine(box.value));
        fit(box);
        wasText &&= box.value !== '';
        // An incomplete date does not remove the previous date.
        fault = unfinished(box);
        if (fault) place.change(last(), fault);
        else place.change(wrote(read()));
      },
      // Browsers fire no event for an incomplete date if the control was empty before.
      onblur: () => {
        if (unfinished(box)) place.change(last(), (fault = unfinished(box)));
        // Browsers also fire no event when an incomplete date is cleared.
        else if (fault) place.change(wrote(read()), (fault = ''));
        // When the user leaves a box that is too short for its line, the box shows the start of the line again.
        box.scrollLeft = 0;
        place.commit();
      },
    }),
  );
  const { show, wrote, last } = showing(value, (next) => {
    wasText = typeof next === 'string' && next !== '';
    write(box, shown(next));
    fit(box);
  });
  fit(box);
  return { element: box, show };
}

/** Enter moves the focus from a box of one line to the next control. @param {KeyboardEvent} event */
function goOn(event) {
  if (!endsLine(event)) return;
  event.preventDefault();
  after(/** @type {HTMLElement} */ (event.target))?.focus();
}

/** Returns the next control of the form in which something is written or chosen. @param {HTMLElement} box */
export function after(box) {
  const all = [...document.querySelectorAll(':is(.text, .number, select, .json)')].filter((one) =>
    one.checkVisibility(),
  );
  return /** @type {HTMLElement | undefined} */ (all[all.indexOf(box) + 1]);
}

/** Makes a box as high as its text. @param {HTMLTextAreaElement} box */
export function fit(box) {
  const long = box.value.length > LONG;
  box.classList.toggle('long', long);
  // Browsers need seconds to find the direction of a long text, so its first letter decides.
  if (long) box.dir = isFromRight(box.value.slice(0, 1000)) ? 'rtl' : 'ltr';
  if (long || CSS.supports('field-sizing', 'content')) return;
  box.rows = Math.min(24, box.value.split('\n').length + Math.floor(box.value.length / 70));
}

/** @param {any} schema @param {any} value @param {Place} place @returns {Made} */
export function number(schema, value, place) {
  const whole = types(schema).every((type) => type === 'integer' || type === 'null');
  let fault = '';
  const refuse = () => {
    box.setAttribute('aria-invalid', 'true');
    place.change(wrote(box.value), fault);
  };
  const oninput = () => {
    const typed = box.value.trim().replace(',', '.');
    const number = typed === '' ? undefined : numberOf(typed);
    const [first] = /\d+/.exec(typed) ?? [];
    const asks = `Enter a ${whole ? 'whole ' : ''}number${first ? `, such as ${first}` : ''}. Your text is kept.`;
    fault = typed !== '' && number === undefined ? asks : '';
    box.removeAttribute('aria-invalid');
    if (!fault) place.change(wrote(number));
    else if (/^\d[\d.]*\s*\p{L}/u.test(typed)) place.change(wrote(box.value), UNREAD);
    else refuse();
  };
  const leave = async () => {
    place.commit();
    const written = box.value;
    if (!fault) return;
    // “1 h 20” becomes 80. Without an answer, the words stay.
    const found = await import('./reading.js')
      .then(({ numberIn }) => numberIn(written, place.path))
      .catch(() => undefined);
    if (box.value !== written || !box.isConnected) return;
    if (found === undefined) return refuse();
    box.value = shown(found);
    oninput();
    place.commit();
  };
  const more = { class: 'number', inputmode: whole ? 'numeric' : 'decimal', autocomplete: 'off', size: 8 };
  // In a list, the row decides what Enter does.
  const onkeydown = (/** @type {KeyboardEvent} */ event) => !box.closest('.entries') && goOn(event);
  const acts = { oninput, onblur: leave, onkeydown, enterkeyhint: 'next' };
  const box = el('input', named(place, { ...more, ...acts, value: shown(value) }));
  const { show, wrote } = showing(value, (next) => {
    fault = '';
    write(box, shown(next));
    box.removeAttribute('aria-invalid');
  });
  return { element: el('span', { class: 'number-box' }, box), show };
}

/** @param {any} schema @param {any} value @param {Place} place */
export function choice(schema, value, place) {
  const all = schema.enum ?? [schema.const];
  const words = (/** @type {any} */ one) => (typeof one === 'string' ? one : JSON.stringify(one));
  return chosen(all, all.map(words), value, place);
}

/** @param {any} _schema @param {any} value @param {Place} place */
export function truth(_schema, value, place) {
  return chosen([true, false], ['Yes', 'No'], value, place);
}

/** @param {any[]} all @param {string[]} words @param {any} value @param {Place} place @returns {Made} */
function chosen(all, words, value, place) {
  const onchange = () => place.change(box.value === '' ? undefined : all[Number(box.value)]);
  const box = menuOf([['', '—'], ...words.map((one, i) => [i, one])], '', named(place, { onchange }));
  const show = (/** @type {any} */ value) => {
    const at = all.findIndex((one) => same(one, value));
    box.value = at < 0 ? '' : String(at);
  };
  show(value);
  return { element: box, show };
}

/** @param {any} _schema @param {any} value @param {Place} place @returns {Made} */
export function json(_schema, value, place) {
  let valid = value;
  const read = () => {
    try {
      valid = box.value.trim() === '' ? undefined : JSON.parse(box.value);
      box.removeAttribute('aria-invalid');
      place.change(wrote(valid));
    } catch {
      box.setAttribute('aria-invalid', 'true');
      place.change(valid, NO_JSON);
    }
  };
  const textOf = (/** @type {any} */ one) => (one === undefined ? '' : JSON.stringify(one, null, 2));
  const more = { class: 'json', dir: 'ltr', rows: 2, spellcheck: 'false', value: textOf(value), oninput: read };
  const box = el('textarea', named(place, more));
  const { show, wrote } = showing(value, (next) => {
    valid = next;
    write(box, textOf(next));
    box.removeAttribute('aria-invalid');
    fit(box);
  });
  fit(box);
  return { element: el('span', { class: 'json-box' }, box), show };
}

/**
 * Returns the first error of a box with a text that is no value yet: invalid JSON, or an incomplete date.
 * @param {ParentNode} body @returns {string | undefined}
 */
export function faultIn(body) {
  const boxes = [...body.querySelectorAll('.json[aria-invalid], input[type=date]')];
  return boxes.map((box) => (box.matches('.json') ? NO_JSON : unfinished(box))).find(Boolean);
}

/** What is suggested for some fields: values, each with its name if it has one. */
const SUGGESTED = { curriculum: curricula, language: languages };

/**
 * Returns the list of what is suggested for a field, which is filled once the field gets the focus, or null.
 * @param {string} name @param {HTMLElement} field
 */
export function suggestions(name, field) {
  const suggested = own(SUGGESTED, name);
  if (!suggested) return null;
  const list = el('datalist', { id: id(name) });
  const fill = async () =>
    list.replaceChildren(
      ...(await suggested()).map((/** @type {string[]} */ [value, words]) => el('option', { value }, words)),
    );
  field.addEventListener('focusin', fill, { once: true });
  return list;
}

/** Returns the curricula of other lessons, or none if they cannot be read. */
async function curricula() {
  const found = await call('GET', '/api/investigation?limit=1&fields=title').catch(() => null);
  const names = (found?.data.groups ?? []).map((/** @type {any} */ group) => group.curriculum);
  return names.filter(Boolean).map((/** @type {string} */ name) => [name]);
}

/** Languages that are suggested. Sheets have headings in the first five. */
const LANGUAGES = 'en de fr es ar bn el fa he hi id it ja ko nl pl pt ro ru sv tr uk ur vi zh'.split(' ');

/** Returns languages and their names. */
async function languages() {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return LANGUAGES.map((tag) => [tag, names.of(tag)]);
}
