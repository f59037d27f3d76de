// @ts-check
// Creates a lesson from a text or a file. First shows where each part goes, and lets the user correct this.

import { schema, service } from '../core/api.js';
import { plain } from '../history/changes.js';
import { button, choice, el, labelled, settled } from '../core/dom.js';
import { chosen, dropped } from '../core/input.js';
import { confirmed, tell, tellFailure } from '../core/notice.js';
import { fit } from '../form/plain.js';
import { createWithPictures } from '../doc/outbox.js';
import * as reader from '../form/reading.js';
import { UNPLACED, fields, hasPictures } from '../core/schema.js';
import { user } from '../core/session.js';

/** @typedef {reader.Reading} Reading @typedef {reader.Source} Source @typedef {reader.Pictures} Pictures */

/** Returns the key under which this window keeps a text until a lesson is created from it. */
const key = () => `fieldbook.pasted:${user() ?? ''}`;
const WAIT_MS = 300;
const NAME = 'Paste or open a lesson';
const HINT = 'Title\nMaterials:\n- …\nSteps:\n1. … (10 min)';

/** The file that is or was open in this window's dialog. @type {{ by: string | null, file: File } | null} */
let opened = null;

/** @param {File} [file] a file that is read first */
export async function pasteLesson(file) {
  try {
    if (file) opened = { by: user(), file };
    const root = await schema();
    if (opened?.by !== user()) opened = null;
    const agreed = await lessonOf(root, opened?.file);
    if (!agreed) return;
    const { reading, pictures } = agreed;
    const lesson = reader.withPictures(reading, pictures);
    if (Object.keys(lesson).length === 0) return tell('No lesson was created: none of your text is in a field.');
    const rest = reading.blocks.filter(({ id }) => reading.notPlaced.includes(id) && !pictures.has(id));
    const body = rest.length > 0 ? { ...lesson, [UNPLACED]: rest.map(({ text }) => text).join('\n') } : lesson;
    const blobs = new Map([...pictures.values()].map(({ id, blob }) => [id, blob]));
    const made = await createWithPictures(body, async (id) => blobs.get(id));
    // A text that was pasted before is still to be used.
    if (opened) opened = null;
    else keep(kept().before);
    const words =
      rest.length > 0 ? 'Created. Text that was not placed is in the last field.' : 'Created from your text.';
    tell(words, { stays: true });
    location.hash = `#/i/${made}`;
  } catch (error) {
    tellFailure(error, () => pasteLesson());
  }
}

/** @typedef {{ text?: string | undefined, html?: string | undefined, before?: Kept | undefined }} Kept */

/** Keeps a text, its HTML, and the text before it, until a lesson is created. @param {Kept} [text] */
function keep(text = {}) {
  try {
    sessionStorage.setItem(key(), JSON.stringify(text));
  } catch {
    sessionStorage.removeItem(key());
  }
}

/** @returns {Kept} */
const kept = () => JSON.parse(sessionStorage.getItem(key()) ?? '{}');

/**
 * Asks the user for a text or a file, and shows where its parts go.
 * @param {any} root the schema @param {File} [file]
 * @returns {Promise<{ reading: Reading, pictures: Pictures } | null>}
 */
async function lessonOf(root, file) {
  let now = kept();
  const look = { class: 'lesson', dir: 'auto', autofocus: true, placeholder: HINT };
  const box = el('textarea', { ...look, value: now.text ?? '' });
  const shown = preview(root);
  const sourceOf = (/** @type {Kept} */ { text = '', html }) => /** @type {Source} */ (html ? { html } : { text });
  let source = sourceOf(now);
  /** Reads a document now, and none that was to be read soon. @type {typeof shown.take} */
  const read = (given, options) => {
    readSoon.cancel();
    return shown.take(given, options);
  };
  const readIt = () => read(source);
  const readSoon = settled(readIt, WAIT_MS);
  /** Returns the text that was pasted before what is shown. */
  const earlier = () => (source instanceof Blob && now.text ? now : now.before);
  const take = (/** @type {Kept} */ text) => {
    opened = null;
    keep((now = text));
    source = sourceOf(now);
    back.hidden = !earlier();
    box.placeholder = HINT;
    fit(box);
    shown.wait();
    readSoon();
  };
  box.addEventListener('paste', (/** @type {ClipboardEvent} */ event) => {
    const html = event.clipboardData?.getData('text/html');
    if (!html || (box.value.trim() !== '' && box.selectionEnd - box.selectionStart < box.value.length)) return;
    event.preventDefault();
    box.value = event.clipboardData?.getData('text/plain') ?? '';
    take({ text: box.value, html, before: earlier() });
  });
  box.addEventListener('input', () => take({ text: box.value, before: earlier() }));
  const back = button('Go back to the pasted text', () => {
    const text = earlier() ?? {};
    box.value = text.text ?? '';
    take(text);
  });
  back.hidden = !earlier();
  const open = async (/** @type {File | undefined} */ given) => {
    if (!given) return;
    const file = reader.sourceOf(given);
    const found = await read(file);
    if (found === 'left') return;
    if (found === 'shown') {
      opened = { by: user(), file: given };
      source = file;
      back.hidden = !earlier();
      box.value = '';
      box.placeholder = given.name;
      fit(box);
      return;
    }
    if (opened?.file === given) opened = null;
    if (!shown.again(source)) await readIt();
    shown.say(`${given.name} was not opened. ${found}`);
  };
  const files = chosen({ accept: reader.ENDINGS }, ([given]) => open(given));
  const opens = button('Open a file', () => files.open());
  const { converses } = await service();
  const title = 'Sends your text to the language model of this service';
  const sorts = converses && button('Let the assistant sort it', () => read(source, { assistant: true }), { title });
  fit(box);
  const body = [
    labelled('Paste your lesson from Word, a web page or an e-mail, or drop its file here', box),
    el('div', { class: 'acts' }, opens, files.input, sorts, back),
    shown.element,
  ];
  [shown.element, box].forEach((place) => dropped(place, ([given]) => open(given)));
  if (file) open(file);
  else readIt();
  const agreed = await confirmed(NAME, body, 'Create the lesson', { class: 'primary' }, { wide: true });
  if (agreed) return shown.agreed(() => readIt());
  shown.end();
  const what = opened ? 'file' : box.value.trim() !== '' && 'text';
  if (what) tell(`Your ${what} is kept in this window: press ${NAME} to continue.`);
  return null;
}

/**
 * Shows the blocks of a document beside the fields that come of them. Each block has a menu for its field.
 * @param {any} root the schema
 */
function preview(root) {
  const all = fields(root, {});
  const textual = all.filter((field) => !hasPictures(field.schema, root));
  const pictorial = all.filter((field) => reader.takesPictures(field.schema, root));
  const state = el('p', { class: 'muted', role: 'status' });
  const blocks = el('ol', { class: 'blocks' });
  const made = el('dl', { class: 'changes' });
  const fault = el('p', { class: 'fault', role: 'alert' });
  const element = el('div', {}, fault, state, el('div', { class: 'reading' }, blocks, made));
  const left = new AbortController();
  /** What is shown. @type {{ source: Source, reading: Reading, asked: Promise<Reading | null> } | null} */
  let last = null;
  /** What the service read, or null while the text changes. @type {Promise<Reading | null> | null} */
  let latest = null;
  let pictures = /** @type {Pictures} */ (new Map());
  /** The ids of blocks for which the user chose a field, and of those that only name what is below them. */
  const chosen = new Set();
  let labels = new Set();

  const ready = (/** @type {boolean} */ is) =>
    element.closest('dialog')?.querySelector('.answers .primary')?.toggleAttribute('disabled', !is);
  const labelOf = (/** @type {string} */ field) => all.find(({ name }) => name === field)?.label ?? field;
  /** Gives an element the colour of its field. @param {HTMLElement} part @param {string} field */
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
    const id = reading.blocks[at]?.id;
    const named = new Set(labels);
    named[isLabel ? 'add' : 'delete'](id);
    // A text that changed since is shown soon.
    const found = last ? await take(last.source, { place: reader.placeOf(changed, named) }) : 'left';
    if (found === 'left') return;
    blocks.querySelectorAll('select')[at]?.focus();
    if (found !== 'shown') return;
    chosen.add(id);
    labels = named;
    const now = (await latest)?.blocks[at]?.field;
    if (field && now !== field)
      state.textContent = `${labelOf(field)} cannot hold this. It is ${now ? `in ${labelOf(now)}` : 'not placed'}.`;
  }

  /** @param {Reading} reading */
  function show(reading) {
    const { splitBy, notices } = reading;
    const by = splitBy.startsWith('model:') ? 'Sorted by the assistant, in your words.' : 'Sorted by its headings.';
    state.textContent = [splitBy === 'place' ? 'Sorted as you chose.' : by, ...notices].join(' ');
    /** @param {typeof all} some */
    const placesOf = (some) => [['', 'Not placed'], ...some.map(({ name, label }) => [name, label])];
    const [ofTexts, ofPictures] = [placesOf(textual), placesOf(pictorial)];
    blocks.replaceChildren(
      ...reading.blocks.map(({ id, kind, level, text, field = '' }, at) => {
        const picture = pictures.get(id);
        // A picture without its bytes fits into no field.
        const places = picture ? ofPictures : kind === 'picture' ? placesOf([]) : ofTexts;
        const menu = choice(places, field, {
          'aria-label': `Where this belongs: ${text}`,
          onchange: () => move(reading, at, menu.value),
        });
        const image = picture ? [el('img', { src: picture.url, alt: text })] : [];
        const words = el('span', { class: 'diff', dir: 'auto' }, ...image, text.replaceAll('\t', ' · '));
        if (kind === 'item') words.style.setProperty('--level', `${level}`);
        return coloured(el('li', { 'data-kind': kind }, menu, words), field);
      }),
    );
    made.replaceChildren(
      ...Object.entries(reader.withPictures(reading, pictures)).flatMap(([field, value]) => [
        coloured(el('dt', {}, labelOf(field)), field),
        el('dd', { class: 'diff', dir: 'auto' }, shownAs(value)),
      ]),
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
   * Has the service read a document, and shows what comes of it. Returns why it could not be read, if so.
   * @param {Source} given @param {{ assistant?: boolean, place?: string }} [options]
   * @returns {Promise<string>} `shown`, `left` if it does not matter any more, or a sentence
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
      // With a place, only the places of pictures come back.
      if (options.place === undefined) {
        pictures = reading ? reader.picturesOf(reading) : new Map();
        [chosen, labels].forEach((ids) => ids.clear());
        reading?.blocks.filter(({ label }) => label).forEach(({ id }) => labels.add(id));
      }
      last = reading && { source: given, reading, asked };
      if (!again(given)) clear(false);
      return 'shown';
    } catch (error) {
      if (latest !== asked || left.signal.aborted) return 'left';
      latest = null;
      fault.textContent = reader.whyUnread(error, given);
      // What could not be sent can be sent later.
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
  return { element, take, again, agreed, wait, say, end: () => left.abort() };
}

/** Returns a value as it is read; a list as a list, so that it shows what is one entry. @param {any} value */
function shownAs(value) {
  if (!Array.isArray(value)) return plain(value);
  return el('ol', {}, ...value.map((entry) => el('li', { dir: 'auto' }, plain(entry))));
}

export const pasteButton = () => button(NAME, () => pasteLesson());
