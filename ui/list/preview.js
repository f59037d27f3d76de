// @ts-check
// Shows where each part of a document goes, and lets the user correct this.

import { plain } from '../history/changes.js';
import { choice, el } from '../core/dom.js';
import * as reader from '../form/reading.js';
import { UNPLACED, fields, hasPictures, label } from '../core/schema.js';
import { counted } from '../text/words.js';

/**
 * @typedef {reader.Reading} Reading @typedef {reader.Source} Source @typedef {reader.Pictures} Pictures
 * How somebody sorted a document: the blocks of each field, the ids of blocks that the user placed, and the ids of
 * labels.
 * @typedef {{ place: string, chosen: string[], labels: string[] }} Sorted
 */

/**
 * Shows the blocks of a document next to the resulting fields. Each block has a menu for its field.
 * @param {any} root the schema
 * @param {(how: Sorted) => void} sorted called when the user or the assistant has sorted the document
 */
export function preview(root, sorted) {
  const all = fields(root, {});
  const textual = all.filter((field) => !hasPictures(field.schema, root));
  const pictorial = all.filter((field) => reader.takesPictures(field.schema, root));
  const gallery = pictorial.find(({ schema }) => schema.type === 'array' && hasPictures(schema, root))?.name;
  const state = el('p', { class: 'muted', role: 'status' });
  const blocks = el('ol', { class: 'blocks' });
  const made = el('dl', { class: 'changes' });
  const fault = el('p', { class: 'fault', role: 'alert' });
  const element = el('div', {}, fault, state, el('div', { class: 'reading' }, blocks, made));
  const left = new AbortController();
  /** The shown document. @type {{ source: Source, reading: Reading, asked: Promise<Reading | null> } | null} */
  let last = null;
  /** What the service read, or null while the text changes. @type {Promise<Reading | null> | null} */
  let latest = null;
  let pictures = /** @type {Pictures} */ (new Map());
  /** The ids of blocks for which the user chose a field. @type {Set<string>} */
  const chosen = new Set();
  /** The ids of blocks that only name what is below them. @type {Set<string>} */
  let labels = new Set();

  const ready = (/** @type {boolean} */ is) =>
    element.closest('dialog')?.querySelector('.answers .primary')?.toggleAttribute('disabled', !is);
  const labelOf = (/** @type {string} */ field) => all.find(({ name }) => name === field)?.label ?? field;
  /** Gives an element the color of its field. @param {HTMLElement} part @param {string} field */
  const coloured = (part, field) => {
    const place = all.findIndex(({ name }) => name === field);
    part.classList.toggle('placed', place >= 0);
    part.style.setProperty('--hue', `${place * 67}`);
    return part;
  };

  /** @param {Reading} reading @param {number} at @param {string} field */
  async function move(reading, at, field) {
    const { schema } = all.find(({ name }) => name === field) ?? {};
    const { blocks: changed, isLabel } = reader.moved(reading.blocks, at, field, schema, chosen);
    const id = reading.blocks[at]?.id ?? '';
    const named = new Set(labels);
    named[isLabel ? 'add' : 'delete'](id);
    // If the text has changed since then, the new text is shown soon.
    const found = last ? await take(last.source, { place: reader.placeOf(changed, named) }) : 'left';
    if (found === 'left') return;
    blocks.querySelectorAll('select')[at]?.focus();
    if (found !== 'shown') return;
    chosen.add(id);
    labels = named;
    const after = (await latest)?.blocks ?? [];
    keepSorted(after);
    const now = after[at]?.field;
    if (!field || now === field) return;
    const words = `${labelOf(field)} cannot hold this. It is ${now ? `in ${labelOf(now)}` : 'not placed'}.`;
    state.textContent = words;
    // Also shows the message in the block, because the line above the blocks is out of sight in a long document.
    blocks.children[at]?.append(el('p', { class: 'fault' }, words));
  }

  /** @param {Reading['blocks']} after */
  const keepSorted = (after) =>
    sorted({ place: reader.placeOf(after, labels), chosen: [...chosen], labels: [...labels] });

  /** Sorts the shown document as the user did before. @param {Sorted} how */
  async function resume({ place, chosen: ids, labels: names }) {
    if (!last || (await take(last.source, { place })) !== 'shown') return;
    ids.forEach((id) => chosen.add(id));
    labels = new Set(names);
  }

  /** @param {Reading} reading */
  function show(reading) {
    const { splitBy, notices } = reading;
    const by = splitBy.startsWith('model:') ? 'Sorted by the assistant, in your words.' : 'Sorted by its headings.';
    state.textContent = [splitBy === 'place' ? 'Sorted as you chose.' : by, ...notices].join(' ');
    /** @param {typeof all} some */
    const placesOf = (some, none = 'Not placed') => [['', none], ...some.map(({ name, label }) => [name, label])];
    // A text that is not placed is kept, and a picture is not.
    const [ofTexts, ofPictures] = [placesOf(textual), placesOf(pictorial, 'Left out')];
    blocks.replaceChildren(
      ...reading.blocks.map(({ id, kind, level, text, field = '' }, at) => {
        const picture = pictures.get(id);
        // A picture whose bytes are missing cannot be placed in a field.
        const places = picture ? ofPictures : kind === 'picture' ? placesOf([]) : ofTexts;
        const menu = choice(places, field, {
          'aria-label': `Where this belongs: ${text}`,
          onchange: () => move(reading, at, menu.value),
        });
        const image = picture ? [el('img', { src: picture.url, alt: text })] : [];
        const words = el('span', { class: 'diff', dir: 'auto' }, ...image, text.replaceAll('\t', ' · '));
        if (kind === 'item') words.style.setProperty('--level', `${level}`);
        // Consecutive lines in one field form a group. The first line shows its menu, and the others show only an
        // arrow.
        const follows = at > 0 && (reading.blocks[at - 1]?.field ?? '') === field;
        return coloured(el('li', { class: follows ? 'same' : null, 'data-kind': kind }, menu, words), field);
      }),
    );
    const lesson = Object.entries(reader.withPictures(reading, pictures));
    const rest = reader.restOf(reading, pictures);
    made.replaceChildren(
      ...lesson.flatMap(([field, value]) => [
        coloured(el('dt', {}, labelOf(field)), field),
        el('dd', { class: 'diff', dir: 'auto' }, shownAs(value)),
      ]),
      // Otherwise no lesson is created, and the text is kept where it was.
      ...(lesson.length > 0 && rest.length > 0
        ? [
            el('dt', {}, `${label(UNPLACED, {})} (${counted(rest.length, 'part')})`),
            el('dd', { class: 'diff', dir: 'auto' }, rest.join('\n')),
          ]
        : []),
    );
  }

  const clear = (/** @type {boolean} */ isReady) => {
    [state, blocks, made].forEach((part) => part.replaceChildren());
    ready(isReady);
  };
  /** Shows a document, as the user sorted it, unless another one was read since. @param {Source} given */
  function again(given) {
    if (last?.source !== given) return false;
    latest = last.asked;
    ready(true);
    show(last.reading);
    return true;
  }

  /**
   * Makes the service read a document, and shows the resulting fields. If the document cannot be read, returns the
   * reason.
   * @param {Source} given @param {{ assistant?: boolean, place?: string }} [options]
   * @returns {Promise<string>} `shown`, `left` if the result is no longer needed, or a sentence
   */
  async function take(given, options = {}) {
    const isBlank = !(given instanceof Blob) && 'text' in given && given.text.trim() === '';
    const asked = isBlank ? Promise.resolve(null) : reader.read(given, { ...options, signal: left.signal });
    latest = asked;
    if (options.assistant) state.textContent = 'The assistant is reading your text …';
    try {
      const reading = await asked;
      if (latest !== asked) return 'left';
      fault.textContent = '';
      // With `place`, the response contains only the paths of pictures.
      if (options.place === undefined) {
        pictures = reading ? reader.picturesOf(reading, gallery) : new Map();
        [chosen, labels].forEach((ids) => ids.clear());
        reading?.blocks.filter(({ label }) => label).forEach(({ id }) => labels.add(id));
      }
      last = reading && { source: given, reading, asked };
      if (!again(given)) clear(false);
      if (options.assistant && reading) keepSorted(reading.blocks);
      return 'shown';
    } catch (error) {
      if (latest !== asked || left.signal.aborted) return 'left';
      latest = null;
      fault.textContent = reader.whyUnread(error, given);
      // If sending failed, the user can try again.
      if (!again(given)) clear(!reader.isRefused(error));
      return fault.textContent;
    }
  }
  /** @param {() => Promise<any>} ask reads a text that changed */
  async function agreed(ask) {
    if (!latest) await ask();
    if (!latest) throw new Error(fault.textContent);
    const reading = await latest;
    return reading && { reading, pictures };
  }
  const say = (/** @type {string} */ words) => (fault.textContent = words);
  const wait = () => void ((latest = last = null), ready(true));
  return { element, take, resume, again, agreed, wait, say, end: () => left.abort() };
}

/** Returns a value as readable text; a list as a list, so that the entries can be told apart. @param {any} value */
function shownAs(value) {
  if (!Array.isArray(value)) return plain(value);
  return el('ol', {}, ...value.map((entry) => el('li', { dir: 'auto' }, plain(entry))));
}
