// @ts-check
// Controls for values with parts: objects, and lists whose entries can be added, moved and removed.

import { below, control } from './control.js';
import { button, el, id } from './dom.js';
import { beginning, kind, label, own, resolved } from './schema.js';

/** @typedef {import('./control.js').Place} Place */

/** Of more entries than this only those in sight are laid out. */
const MANY = 60;

/** @param {any} schema @param {any} value @param {Place} place */
export function object(schema, value, place) {
  /** @type {Record<string, any>} */
  let parts = { ...(value ?? {}) };
  const known = Object.keys(schema.properties ?? {});
  const names = [...known, ...Object.keys(parts).filter((name) => !known.includes(name))];
  return el(
    'div',
    {
      class: 'object',
      role: 'group',
      'aria-labelledby': place.labelled,
      'aria-label': place.labelled ? null : place.name,
    },
    names.map((name) => {
      const part = resolved(own(schema.properties, name), place.root);
      const words = known.includes(name) ? label(name, part) : name;
      const [box, title, help] = [id('f'), id('l'), id('h')];
      const composite = ['list', 'object'].includes(kind(part, own(parts, name)));
      const inner = control(part, own(parts, name), {
        root: place.root,
        get path() {
          return below(place.path, name);
        },
        name: `${words}, ${place.name}`,
        required: (schema.required ?? []).includes(name),
        commit: place.commit,
        ...(composite ? { labelled: title } : { id: box }),
        ...(part.description ? { described: help } : {}),
        change: (made, fault) => {
          parts = { ...parts, [name]: made };
          if (made === undefined) delete parts[name];
          place.change(parts, fault);
        },
      });
      const form = kind(part, own(parts, name));
      return el(
        'div',
        { class: 'part', 'data-kind': form === 'text' && part.type !== 'string' ? 'number' : form, 'data-name': name },
        composite ? el('span', { id: title, class: 'label' }, words) : el('label', { for: box, id: title }, words),
        part.description && el('p', { id: help, class: 'help' }, part.description),
        inner,
      );
    }),
  );
}

/** @param {any} schema @param {any} value @param {Place} place */
export function list(schema, value, place) {
  const part = resolved(schema.items, place.root);
  const one = part.title || place.name;
  /** @type {any[]} */
  let entries = [...(value ?? [])];
  const rows = el('ol', { class: 'entries', 'data-of': kind(part, undefined) });
  const add = button('Add', () => insert(entries.length), { class: 'add', 'aria-label': `Add to ${place.name}` });
  const box = el(
    'div',
    {
      class: 'list-box',
      role: 'group',
      'aria-labelledby': place.labelled,
      'aria-label': place.labelled ? null : place.name,
      'aria-describedby': place.described,
    },
    rows,
    add,
  );

  const indexOf = (/** @type {Element} */ row) => [...rows.children].indexOf(row);
  const report = (/** @type {string | undefined} */ fault = undefined) => place.change([...entries], fault);

  /** @param {any} entry */
  function row(entry) {
    const place_ = el('div', { class: 'entry' });
    const line = el(
      'li',
      { onkeydown: keys },
      place_,
      el(
        'div',
        { class: 'tools' },
        button('↑', () => move(line, -1), { class: 'icon' }),
        button('↓', () => move(line, 1), { class: 'icon' }),
        button('✕', () => remove(line), { class: 'icon' }),
      ),
    );
    /** @param {KeyboardEvent} event */
    function keys(event) {
      const plainText = event.target instanceof HTMLTextAreaElement && kind(part, undefined) === 'text';
      if (event.altKey && !event.ctrlKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
        event.preventDefault();
        move(line, event.key === 'ArrowUp' ? -1 : 1);
      } else if (plainText && event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        insert(indexOf(line) + 1);
      }
    }
    fill(line, entry);
    return line;
  }

  /** @param {HTMLElement} line @param {any} entry */
  function fill(line, entry) {
    // Places are asked for anew each time: entries move. `renumber` corrects those that are in the document already.
    const made = control(part, entry, {
      root: place.root,
      get path() {
        return `${place.path}.${indexOf(line)}`;
      },
      name: place.name,
      required: true,
      commit: place.commit,
      change: (value, fault) => {
        entries[indexOf(line)] = value === undefined ? beginning(part, place.root) : value;
        report(fault);
      },
    });
    line.querySelector('.entry')?.replaceChildren(made);
  }

  /** Gives rows their places: numbers for those who listen, and paths. @param {number} from */
  function renumber(from) {
    for (let i = from; i < rows.children.length; i += 1) {
      const line = /** @type {HTMLElement} */ (rows.children[i]);
      const path = `${place.path}.${i}`;
      const was = /** @type {HTMLElement | null} */ (line.querySelector('.entry > [data-path]'))?.dataset.path ?? path;
      if (was === path && line.dataset.named) continue;
      line.dataset.named = 'yes';
      for (const inner of line.querySelectorAll('[data-path]')) {
        const at = /** @type {HTMLElement} */ (inner).dataset.path ?? '';
        if (at.startsWith(was)) /** @type {HTMLElement} */ (inner).dataset.path = path + at.slice(was.length);
      }
      const [up, down, gone] = line.querySelectorAll(':scope > .tools > button');
      up?.setAttribute('aria-label', `Move up ${one} ${i + 1}`);
      down?.setAttribute('aria-label', `Move down ${one} ${i + 1}`);
      gone?.setAttribute('aria-label', `Remove ${one} ${i + 1}`);
      const named = line.querySelector('.entry > [aria-label]');
      named?.setAttribute('aria-label', `${one} ${i + 1}`);
    }
  }

  /** @param {number} at */
  function insert(at) {
    const entry = beginning(part, place.root);
    entries.splice(at, 0, entry);
    const line = row(entry);
    rows.insertBefore(line, rows.children[at] ?? null);
    renumber(at);
    report();
    /** @type {HTMLElement | null} */ (line.querySelector('textarea, input, select'))?.focus();
  }

  /** @param {HTMLElement} line @param {number} by */
  function move(line, by) {
    const [from, to] = [indexOf(line), indexOf(line) + by];
    if (to < 0 || to >= entries.length) return;
    const focused = document.activeElement;
    entries.splice(to, 0, ...entries.splice(from, 1));
    rows.insertBefore(line, by < 0 ? (rows.children[to] ?? null) : (rows.children[to]?.nextSibling ?? null));
    renumber(Math.min(from, to));
    report();
    if (focused instanceof HTMLElement) focused.focus();
  }

  /** @param {HTMLElement} line */
  function remove(line) {
    const at = indexOf(line);
    entries.splice(at, 1);
    line.remove();
    renumber(at);
    report();
    place.commit();
    const near = rows.children[Math.min(at, rows.children.length - 1)];
    /** @type {HTMLElement} */ (near?.querySelector('textarea, input, select') ?? add).focus();
  }

  rows.append(...entries.map(row));
  rows.classList.toggle('many', entries.length > MANY);
  renumber(0);
  return box;
}
