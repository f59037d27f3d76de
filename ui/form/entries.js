// @ts-check
// The control of a list. Entries can be added, moved and removed with buttons, with keys, by dragging and by pasting.

import { control } from './control.js';
import { button, el } from '../core/dom.js';
import { draggable, putRow } from './drag.js';
import { icon } from '../core/icons.js';
import { endsLine } from '../core/keys.js';
import { columns } from './nested.js';
import { tellFailure } from '../core/notice.js';
import { receives, ways } from './picture.js';
import { entriesOf, separated } from './reading.js';
import { beginning, kind, resolved } from '../core/schema.js';
import { isBlank } from '../text/values.js';
import { counted } from '../text/words.js';

/** @typedef {import('./control.js').Place} Place */

/** A list with more entries than this is laid out only where it is visible. */
const MANY = 60;
const CONTROLS = 'textarea, input, select';

/** True while a mouse button is down. */
let pressing = false;
addEventListener('mousedown', () => void (pressing = true), { capture: true });
addEventListener('mouseup', () => void (pressing = false), { capture: true });

/** Runs `act` once no mouse button is down, so that what is clicked does not move away. @param {() => void} act */
function afterPress(act) {
  if (pressing) addEventListener('mouseup', () => setTimeout(act), { capture: true, once: true });
  else act();
}

/** @param {any} schema @param {any} value @param {Place} place */
export function list(schema, value, place) {
  return new Entries(schema, value, place).box;
}

class Entries {
  /** @param {any} schema @param {any} value @param {Place} place */
  constructor(schema, value, place) {
    this.place = place;
    this.part = resolved(schema.items, place.root);
    /** The name of one entry. */
    this.one = this.part.title || place.name;
    /** @type {any[]} */
    this.entries = [...(value ?? [])];
    const form = kind(this.part, undefined);
    this.rows = el('ol', { class: 'entries', 'data-of': form });
    this.isOfPictures = form === 'picture';
    const take = (/** @type {File[]} */ files) => {
      this.insert(
        this.entries.length,
        files.map((file) => place.pictures.add(file)),
      );
      place.commit();
    };
    const adding = this.isOfPictures
      ? ways('Add pictures', 'add quiet', take, true)
      : [
          button([icon('add'), 'Add'], () => this.insert(this.entries.length, [this.empty()]), {
            class: 'add quiet',
            'data-hint': place.hint,
            'aria-label': `Add to ${place.name}`,
            onbegin: () => this.begin(),
          }),
        ];
    this.add = adding[0];
    /** Says where a row went that was moved by keys or buttons. */
    this.heard = el('span', { class: 'heard', role: 'status' });
    this.box = el(
      'div',
      {
        class: 'list-box',
        role: 'group',
        'aria-labelledby': place.labelled,
        'aria-label': place.labelled ? null : place.name,
        'aria-describedby': place.described,
      },
      form === 'object' && columns(this.part, place.root),
      this.rows,
      this.isOfPictures ? el('div', { class: 'adding' }, adding, el('span', {}, 'or drop or paste them here')) : adding,
      this.heard,
    );
    if (this.isOfPictures) receives(this.box, take);
    this.rows.append(...this.entries.map((entry) => this.row(entry)));
    this.rows.classList.toggle('many', this.entries.length > MANY);
    this.renumber(0);
    draggable(this.rows, (line, from) => this.moved(line, from));
  }

  empty() {
    return beginning(this.part, this.place.root);
  }

  /** @param {Element} line */
  indexOf(line) {
    return [...this.rows.children].indexOf(line);
  }

  /** @param {string} [fault] @param {string} [did] */
  report(fault, did) {
    this.place.change([...this.entries], fault, did);
  }

  /** @param {any} entry @returns {HTMLElement} */
  row(entry) {
    const entryBox = el('div', { class: 'entry' });
    const line = el(
      'li',
      {
        onfocusout: (/** @type {FocusEvent} */ event) => {
          line.classList.add('held');
          afterPress(() => line.classList.remove('held'));
          this.split(event, line);
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.pressed(event, line),
        onpaste: (/** @type {ClipboardEvent} */ event) => this.pasted(event, line),
      },
      el('span', { class: 'grip', 'aria-hidden': 'true', title: 'Drag to move' }, icon('grip')),
      entryBox,
      el(
        'div',
        { class: 'tools' },
        button(icon('up'), () => this.move(line, -1), { class: 'icon' }),
        button(icon('down'), () => this.move(line, 1), { class: 'icon' }),
        button(icon('close'), () => this.remove(line), { class: 'icon' }),
      ),
      el('div', { class: 'notes' }),
    );
    entryBox.append(this.controlOf(entry, line));
    return line;
  }

  /** @param {any} entry @param {HTMLElement} line */
  controlOf(entry, line) {
    const { place, part } = this;
    const pathOf = () => `${place.path}.${this.indexOf(line)}`;
    return control(part, entry, {
      root: place.root,
      // The path is computed each time, because entries move. `renumber` corrects paths that are already in the
      // document.
      get path() {
        return pathOf();
      },
      name: place.name,
      hint: this.one,
      isRow: true,
      required: true,
      pictures: place.pictures,
      commit: place.commit,
      change: (value, fault, did) => {
        this.entries[this.indexOf(line)] = value === undefined ? this.empty() : value;
        this.report(fault, did);
      },
    });
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} line */
  pressed(event, line) {
    const { target, key } = event;
    // A list inside an entry handles its own keys.
    if (!(target instanceof HTMLElement) || target.closest('li') !== line) return;
    const writes = target.matches('textarea:not(.json), input') && !this.isOfPictures;
    const at = this.indexOf(line);
    if (event.altKey && !event.ctrlKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
      event.preventDefault();
      this.move(line, key === 'ArrowUp' ? -1 : 1);
    } else if (writes && endsLine(event)) {
      event.preventDefault();
      if (!isBlank(this.entries[at])) this.insert(at + 1, [this.empty()]);
    } else if (writes && key === 'Backspace' && this.entries.length > 1 && isBlank(this.entries[at])) {
      event.preventDefault();
      this.remove(line, at - 1);
    }
  }

  /**
   * Turns several lines into entries, if they are pasted at the beginning of an entry.
   * @param {ClipboardEvent} event @param {HTMLElement} line
   */
  async pasted(event, line) {
    const box = /** @type {HTMLTextAreaElement} */ (event.target);
    const [text = '', html = ''] = ['text/plain', 'text/html'].map((type) => event.clipboardData?.getData(type));
    if (this.isOfPictures || box !== line.querySelector(CONTROLS) || !/\S\s*[\n\t]\s*\S/.test(text)) return;
    event.preventDefault();
    const selected = box.selectionStart === 0 && box.selectionEnd === box.value.length;
    try {
      const made = await entriesOf(html ? { html } : { text }, this.place.path, this.part);
      const at = this.indexOf(line);
      const replaces = selected || isBlank(this.entries[at]);
      const last = this.show(at + 1, made);
      if (replaces) this.takeOut(line);
      this.report(undefined, `${counted(made.length, 'row')} added to ${this.place.name}`);
      this.place.commit();
      last?.focus();
    } catch (error) {
      // The lines stay one entry.
      box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end');
      box.dispatchEvent(new Event('input'));
      tellFailure(error);
    }
  }

  /**
   * Splits “250 g clay” or “Sow. (5 min)”, when it is written, into the parts of the entry.
   * @param {FocusEvent} event @param {HTMLElement} line
   */
  async split({ target }, line) {
    const entry = this.entries[this.indexOf(line)];
    if (this.isOfPictures || target !== line.querySelector(CONTROLS)) return;
    // Without an answer, the entry stays as it was written.
    const made = await separated(entry, this.part, this.place.path).catch(() => null);
    const at = this.indexOf(line);
    if (!made || at < 0 || this.entries[at] !== entry) return;
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const next = [...line.querySelectorAll(CONTROLS)].indexOf(focused);
    this.entries[at] = made;
    line.querySelector('.entry')?.replaceChildren(this.controlOf(made, line));
    delete line.dataset.named;
    this.renumber(at);
    this.report();
    this.place.commit();
    const to = /** @type {HTMLInputElement | undefined} */ ([...line.querySelectorAll(CONTROLS)][next]);
    to?.focus();
    to?.select?.();
  }

  /** Updates the numbers of rows, which screen readers read, and their paths. @param {number} from */
  renumber(from) {
    for (let i = from; i < this.rows.children.length; i += 1) {
      const line = /** @type {HTMLElement} */ (this.rows.children[i]);
      const path = `${this.place.path}.${i}`;
      const was = /** @type {HTMLElement | null} */ (line.querySelector('.entry > [data-path]'))?.dataset.path ?? path;
      if (was === path && line.dataset.named) continue;
      line.dataset.named = 'yes';
      for (const inner of line.querySelectorAll('[data-path]')) {
        const at = /** @type {HTMLElement} */ (inner).dataset.path ?? '';
        if (at.startsWith(was)) /** @type {HTMLElement} */ (inner).dataset.path = path + at.slice(was.length);
      }
      const [up, down, gone] = line.querySelectorAll(':scope > .tools > button');
      up?.setAttribute('aria-label', `Move up ${this.one} ${i + 1}`);
      down?.setAttribute('aria-label', `Move down ${this.one} ${i + 1}`);
      gone?.setAttribute('aria-label', `Remove ${this.one} ${i + 1}`);
      line.querySelector('.entry > [aria-label]')?.setAttribute('aria-label', `${this.one} ${i + 1}`);
    }
  }

  /** @param {number} at @param {any[]} made */
  insert(at, made) {
    const last = this.show(at, made);
    this.report();
    last?.focus();
  }

  /** Shows a first row in an empty list. The row counts as a change only when something is written. */
  begin() {
    if (this.entries.length === 0) this.show(0, [this.empty()])?.focus();
  }

  /**
   * Shows new entries.
   * @param {number} at @param {any[]} made @returns {HTMLElement | null | undefined} the first control of the last
   * entry
   */
  show(at, made) {
    this.entries.splice(at, 0, ...made);
    const lines = made.map((entry) => this.row(entry));
    const before = this.rows.children[at] ?? null;
    lines.forEach((line) => this.rows.insertBefore(line, before));
    this.renumber(at);
    return lines.at(-1)?.querySelector(CONTROLS);
  }

  /** @param {HTMLElement} line @param {number} by */
  move(line, by) {
    const [from, to] = [this.indexOf(line), this.indexOf(line) + by];
    if (to < 0 || to >= this.entries.length) return;
    putRow(line, this.rows.children[by < 0 ? to : to + 1] ?? null);
    this.moved(line, from);
    this.heard.textContent = `${this.one} ${to + 1} of ${this.entries.length}`;
  }

  /** Gives the entries the order of the rows after a row was moved. @param {HTMLElement} line @param {number} from */
  moved(line, from) {
    const to = this.indexOf(line);
    this.entries.splice(to, 0, ...this.entries.splice(from, 1));
    this.renumber(Math.min(from, to));
    this.report();
  }

  /** @param {HTMLElement} line @param {number} [next] index of the row that gets the focus */
  remove(line, next) {
    const at = this.indexOf(line);
    const [gone] = this.takeOut(line);
    this.report(undefined, isBlank(gone) ? undefined : `${this.one} ${at + 1} removed`);
    this.place.commit();
    const near = this.rows.children[Math.max(0, Math.min(next ?? at, this.rows.children.length - 1))];
    /** @type {HTMLElement} */ (near?.querySelector(CONTROLS) ?? this.add).focus();
  }

  /** Removes a row, and returns its entry. @param {HTMLElement} line */
  takeOut(line) {
    const at = this.indexOf(line);
    line.remove();
    this.renumber(at);
    return this.entries.splice(at, 1);
  }
}
