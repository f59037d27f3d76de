// @ts-check
// The control of a list. Entries can be added, moved and removed with buttons, with keys, by dragging and by pasting.

import { control, naming, renew } from './control.js';
import { button, el } from '../core/dom.js';
import { afterPress, draggable } from './drag.js';
import { icon } from '../core/icons.js';
import { keyed, still } from '../core/keyed.js';
import { splitAtCursor, endsLine } from '../core/input.js';
import { columns } from './nested.js';
import { tellFailure } from '../core/notice.js';
import { speak } from '../core/speech.js';
import { receives, ways } from './picture.js';
import { after } from './plain.js';
import { beginning, entryOf, kind, resolved } from '../core/schema.js';
import { origins } from '../text/diff.js';
import { isBlank, same } from '../text/values.js';
import { counted } from '../text/words.js';

/**
 * A row stays the same while its entry changes or moves. A new row is not a change until the user writes in it.
 * @typedef {{ entry: any, isNew: boolean, at?: number, asked?: any }} Row
 * @typedef {import('./control.js').Place} Place
 */

const CONTROLS = 'textarea, input, select';
const reading = () => import('./reading.js'); // loaded once the user has written or pasted text

/** @param {any} schema @param {any} value @param {Place} place @returns {import('./control.js').Made} */
export function list(schema, value, place) {
  const entries = new Entries(schema, place);
  entries.take(value);
  return { element: entries.box, show: (value) => entries.take(value) };
}

class Entries {
  /** @param {any} schema @param {Place} place */
  constructor(schema, place) {
    this.place = place;
    this.part = resolved(schema.items, place.root);
    this.one = this.part.title || place.name; // the name of one entry
    /** @type {Row[]} */
    this.rows = [];
    const form = kind(this.part, undefined);
    this.list = el('ol', { class: 'entries', 'data-of': form });
    this.isOfPictures = form === 'picture';
    const take = (/** @type {File[]} */ files) => {
      const made = files.map((file) => place.pictures.add(file));
      this.insert(this.rows.length, made);
      place.commit();
    };
    const adding = this.isOfPictures
      ? ways('Add pictures', 'add quiet', take, true)
      : [
          button([icon('add'), 'Add'], () => this.insert(this.rows.length, [this.empty()]), {
            class: 'add quiet',
            'data-hint': place.hint,
            'aria-label': `Add to ${place.name}`,
            onbegin: () => this.rows.length === 0 && this.insert(0, [this.empty()]),
          }),
        ];
    this.add = adding[0];
    this.box = el(
      'div',
      { class: 'list-box', role: 'group', ...naming(place) },
      form === 'object' && columns(this.part, place.root),
      this.list,
      this.isOfPictures ? el('div', { class: 'adding' }, adding, el('span', {}, 'or drop or paste them here')) : adding,
    );
    if (this.isOfPictures) receives(this.box, take);
    draggable(this.list, (from, to) => this.moved(from, to));
  }

  empty() {
    return beginning(this.part, this.place.root);
  }

  get entries() {
    return this.rows.filter(({ isNew }) => !isNew).map(({ entry }) => entry);
  }

  /** Shows other entries. An entry that only changed or moved keeps its row. @param {any} value */
  take(value) {
    const [all, entries] = [this.rows, value ?? []];
    const before = all.filter(({ isNew }) => !isNew);
    const from = origins(this.entries, entries).found;
    this.rows = entries.map((/** @type {any} */ entry, /** @type {number} */ at) =>
      Object.assign(before[from[at] ?? -1] ?? { isNew: false, asked: entry }, { entry }),
    );
    // A new row stays after the row that preceded it.
    for (const row of all.filter(({ isNew }) => isNew)) {
      const before = all.slice(0, all.indexOf(row)).findLast((one) => this.rows.includes(one));
      this.rows.splice(before ? this.rows.indexOf(before) + 1 : 0, 0, row);
    }
    this.show();
  }

  show() {
    // New rows are not stored, so their paths come after those of all others.
    this.rows.toSorted((a, b) => Number(a.isNew) - Number(b.isNew)).forEach((row, at) => void (row.at = at));
    keyed(this.list, this.rows, {
      key: (row) => row,
      make: (row) => this.line(row),
      update: (line, row, at) => this.fill(line, row, at),
    });
  }

  /** @param {string} [fault] @param {string} [did] */
  report(fault, did) {
    this.place.change(this.entries, fault, did);
  }

  /** @param {Row} row @returns {HTMLElement} */
  line(row) {
    const line = el(
      'li',
      {
        tabindex: -1,
        onfocusout: (/** @type {FocusEvent} */ event) => {
          line.classList.add('held');
          afterPress(() => line.classList.remove('held'));
          this.split(event, row, line);
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressed(event, row, line),
        onpaste: (/** @type {ClipboardEvent} */ event) => this.pasted(event, row, line),
        onunadd: () => row.isNew && this.remove(row),
      },
      el('span', { class: 'grip', 'aria-hidden': 'true', title: 'Drag to move' }, icon('grip')),
      el('div', { class: 'entry' }),
      el(
        'div',
        { class: 'tools' },
        button(icon('up'), () => this.move(row, -1), { class: 'icon' }),
        button(icon('down'), () => this.move(row, 1), { class: 'icon' }),
        button(icon('close'), () => this.remove(row), { class: 'icon' }),
      ),
      el('div', { class: 'notes' }),
    );
    return line;
  }

  /** Shows an entry and its number, which is heard, too. @param {Element} line @param {Row} row @param {number} at */
  fill(line, row, at) {
    const [, entry, tools] = line.children;
    if (!entry || !tools) return;
    keyed(entry, [row.entry], {
      key: (entry) => kind(this.part, entry),
      make: () => this.controlOf(row),
      update: renew,
    });
    const name = `${this.one} ${at + 1}`;
    const acts = ['Move up', 'Move down', 'Remove'];
    [...tools.children].forEach((one, n) => void (one.ariaLabel = `${acts[n]} ${name}`));
    entry.querySelector(':scope > [aria-label]')?.setAttribute('aria-label', name);
  }

  /** @param {Row} row */
  controlOf(row) {
    const { place, part } = this;
    return control(part, row.entry, {
      root: place.root,
      get path() {
        return `${place.path}.${row.at}`;
      },
      name: place.name,
      hint: this.one,
      isRow: true,
      required: true,
      pictures: place.pictures,
      commit: place.commit,
      change: (value, fault, did) => {
        row.entry = value === undefined ? this.empty() : value;
        const { isNew } = row;
        row.isNew &&= isBlank(row.entry) && !fault;
        if (row.isNew) return;
        if (isNew) this.show();
        this.report(fault, did);
      },
    });
  }

  /** @param {KeyboardEvent} event @param {Row} row @param {HTMLElement} line */
  pressed(event, row, line) {
    const { target, key } = event;
    // A list inside an entry handles its own keys.
    if (!(target instanceof HTMLElement) || target.closest('li') !== line || event.defaultPrevented) return;
    const writes = target.matches('textarea:not(.json), input') && !this.isOfPictures;
    const at = this.rows.indexOf(row);
    if (event.altKey && !event.ctrlKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
      event.preventDefault();
      this.move(row, key === 'ArrowUp' ? -1 : 1);
    } else if (writes && endsLine(event)) {
      event.preventDefault();
      const add = (/** @type {string} */ rest) => this.insert(at + 1, [entryOf(this.part, rest)]);
      if (line.querySelector(CONTROLS) === target && splitAtCursor(target, add)) return;
      const [cell, next] = [after(target), this.rows[at + 1]];
      if (cell?.closest('li') === line && !cell.closest('[data-name=notes], .picture')) cell.focus();
      else if (next && isBlank(next.entry)) this.focus(at + 1);
      else if (!isBlank(row.entry)) this.insert(at + 1, [this.empty()]);
    } else if (writes && key === 'Backspace' && this.rows.length > 1 && isBlank(row.entry)) {
      event.preventDefault();
      this.remove(row, at - 1);
    }
  }

  /**
   * Turns several lines into entries, if they are pasted at the beginning of an entry.
   * @param {ClipboardEvent} event @param {Row} row @param {HTMLElement} line
   */
  async pasted(event, row, line) {
    const box = /** @type {HTMLTextAreaElement} */ (event.target);
    const [text = '', html = ''] = ['text/plain', 'text/html'].map((type) => event.clipboardData?.getData(type));
    if (this.isOfPictures || box !== line.querySelector(CONTROLS) || !/\S\s*[\n\t]\s*\S/.test(text)) return;
    event.preventDefault();
    const isWhole = box.selectionStart === 0 && box.selectionEnd === box.value.length;
    try {
      const made = await (await reading()).entriesOf(html ? { html } : { text }, this.place.path, this.part);
      if (!this.rows.includes(row)) return;
      const replaced = Number(isWhole || isBlank(row.entry));
      const at = this.rows.indexOf(row) + 1 - replaced;
      this.put(at, replaced, made);
      this.report(undefined, `${counted(made.length, 'row')} added to ${this.place.name}`);
      this.place.commit();
      this.focus(at + made.length - 1);
    } catch (error) {
      // Without the service, the lines cannot be split, so they are pasted into this entry.
      box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end');
      box.dispatchEvent(new Event('input'));
      tellFailure(error);
    }
  }

  /**
   * Splits “250 g clay” or “Sow. (5 min)”, when it is written, into the parts of the entry. Asks once for each entry.
   * @param {FocusEvent} event @param {Row} row @param {HTMLElement} line
   */
  async split({ target }, row, line) {
    const { entry } = row;
    if (this.isOfPictures || target !== line.querySelector(CONTROLS) || same(entry, row.asked)) return;
    row.asked = entry;
    // If the service does not respond, the entry stays as written, and the service is asked again.
    const asked = reading().then(({ separated }) => separated(entry, this.part, this.place.path));
    const made = await asked.catch(() => (row.asked = null));
    if (!made || !this.rows.includes(row) || !same(row.entry, entry)) return;
    row.entry = made;
    this.show();
    this.report();
    this.place.commit();
    /** @type {HTMLInputElement | null} */ (line.querySelector('input:focus'))?.select();
  }

  /** @param {number} at @param {any[]} made */
  insert(at, made) {
    this.put(at, 0, made);
    if (!made.every(isBlank)) this.report();
    else this.list.children[at]?.dispatchEvent(new Event('added', { bubbles: true }));
    this.focus(at);
  }

  /** Moves the focus to the first control of a row. @param {number} at */
  focus(at) {
    this.list.children[at]?.querySelector(CONTROLS)?.focus();
  }

  /** Replaces entries with new ones. @param {number} at @param {number} replaced their number @param {any[]} made */
  put(at, replaced, made) {
    this.rows = this.rows.toSpliced(at, replaced, ...made.map((entry) => ({ entry, isNew: isBlank(entry) })));
    this.show();
  }

  /** @param {Row} row @param {number} by */
  move(row, by) {
    const [from, to] = [this.rows.indexOf(row), this.rows.indexOf(row) + by];
    if (!this.rows[to]) return speak(`${this.one} ${from + 1} is the ${by < 0 ? 'first' : 'last'} already.`);
    // Scrolls along, so that the pressed button stays under the finger.
    still(this.list.children[from], () => this.moved(from, to));
  }

  /** @param {number} from @param {number} to */
  moved(from, to) {
    this.rows.splice(to, 0, ...this.rows.splice(from, 1));
    this.show();
    this.report(undefined, this.rows[to]?.isNew ? undefined : `${this.one} ${from + 1} moved to ${to + 1}`);
  }

  /** @param {Row} row @param {number} [next] index of the row in which the user goes on writing */
  remove(row, next) {
    const at = this.rows.indexOf(row);
    this.put(at, 1, []);
    const did = isBlank(row.entry) ? undefined : `${this.one} ${at + 1} removed`;
    if (!row.isNew) this.report(undefined, did);
    if (!did) speak('Empty row removed.');
    this.place.commit();
    const near = this.list.children[Math.max(0, Math.min(next ?? at, this.rows.length - 1))];
    // On a touch screen, the row gets the focus and not its text box: an on-screen keyboard would hide the undo notice.
    const isTouched = next === undefined && matchMedia('(pointer: coarse)').matches;
    /** @type {HTMLElement} */ ((isTouched ? near : near?.querySelector(CONTROLS)) ?? this.add).focus();
  }
}
