// @ts-check
// Creates a lesson from a text or a file. First shows where each part goes, and lets the user correct this.

import { schema, service, wordsOf } from '../core/api.js';
import { plain } from '../history/changes.js';
import { button, choice, el, id, settled } from '../core/dom.js';
import { chosen, dropped } from '../core/input.js';
import { confirmed, tell, tellFailure } from '../core/notice.js';
import { fit } from '../form/plain.js';
import { draftId } from '../text/picture_refs.js';
import { createWithPictures } from '../doc/outbox.js';
import { ENDINGS, placeOf, read, sourceOf, withPictures } from '../form/reading.js';
import { UNPLACED, fields, hasPictures, resolved } from '../core/schema.js';
import { user } from '../core/session.js';

/** @typedef {import('../form/reading.js').Reading} Reading @typedef {import('../form/reading.js').Source} Source */
/** Pictures of a document, by block. @typedef {Map<string, { id: string, blob: Blob, url: string }>} Pictures */

/** Returns the key under which this window keeps a text until a lesson is created from it. */
const key = () => `fieldbook.pasted:${user() ?? ''}`;
const WAIT_MS = 300;
const HEADINGS = 'Sorted by its headings.';

/** @param {File} [file] a file that is read first */
export async function pasteLesson(file) {
  try {
    const root = await schema();
    const agreed = await lessonOf(root, file);
    if (!agreed) return;
    const { reading, pictures } = agreed;
    const lesson = withPictures(reading, pictures);
    if (Object.keys(lesson).length === 0) return tell('No lesson was created: none of your text is in a field.');
    const left = reading.blocks.filter(({ id }) => reading.notPlaced.includes(id) && !pictures.has(id));
    const rest = left.map(({ text }) => text);
    const body = rest.length > 0 ? { ...lesson, [UNPLACED]: rest.join('\n') } : lesson;
    const blobs = new Map([...pictures.values()].map(({ id, blob }) => [id, blob]));
    const made = await createWithPictures(body, async (id) => blobs.get(id));
    sessionStorage.removeItem(key());
    const words =
      rest.length > 0 ? 'Created. Text that was not placed is in the last field.' : 'Created from your text.';
    tell(words, { stays: true });
    location.hash = `#/i/${made}`;
  } catch (error) {
    tellFailure(error, () => pasteLesson(file));
  }
}

/** Keeps a text, and the HTML that it was copied from, until a lesson is created. @param {Source} source */
function keep(source) {
  try {
    sessionStorage.setItem(key(), JSON.stringify(source));
  } catch {
    sessionStorage.removeItem(key());
  }
}

/** @returns {{ text?: string, html?: string }} */
const kept = () => JSON.parse(sessionStorage.getItem(key()) ?? '{}');

/**
 * Asks the user for a text or a file, and shows where its parts go.
 * @param {any} root the schema @param {File} [file]
 * @returns {Promise<{ reading: Reading, pictures: Pictures } | null>}
 */
async function lessonOf(root, file) {
  const name = id('lesson');
  const before = kept();
  const box = el('textarea', {
    id: name,
    class: 'lesson',
    dir: 'auto',
    autofocus: true,
    placeholder: 'Title\nMaterials:\n- …\nSteps:\n1. … (10 min)',
    value: before.text ?? '',
  });
  const shown = preview(root);
  /** @type {Source} */
  let source = before.html ? { html: before.html } : { text: box.value };
  const readIt = () => shown.take(source);
  const readSoon = settled(readIt, WAIT_MS);
  const take = (/** @type {Source} */ given) => {
    source = given;
    shown.wait();
    readSoon();
  };
  box.addEventListener('paste', (/** @type {ClipboardEvent} */ event) => {
    const html = event.clipboardData?.getData('text/html');
    if (!html || (box.value.trim() !== '' && box.selectionEnd - box.selectionStart < box.value.length)) return;
    event.preventDefault();
    box.value = event.clipboardData?.getData('text/plain') ?? '';
    keep({ text: box.value, html });
    fit(box);
    take({ html });
  });
  box.addEventListener('input', () => {
    keep({ text: box.value });
    fit(box);
    take({ text: box.value });
  });
  const open = async (/** @type {File | undefined} */ given) => {
    if (!given) return;
    box.value = '';
    box.placeholder = given.name;
    source = sourceOf(given);
    await readIt();
  };
  const files = chosen({ accept: ENDINGS }, ([given]) => open(given));
  const assistant =
    (await service()).converses &&
    button('Let the assistant sort it', () => shown.take(source, { assistant: true }), {
      title: 'Sends your text to the language model of this service',
    });
  fit(box);
  const body = [
    el('label', { for: name }, 'The text of your lesson: paste it from Word, a web page or an e-mail'),
    box,
    el(
      'div',
      { class: 'acts' },
      button('Open a file', () => files.open()),
      files.input,
      assistant,
    ),
    shown.element,
  ];
  [shown.element, box].forEach((place) => dropped(place, ([given]) => open(given)));
  if (file) open(file);
  else readIt();
  const agreed = await confirmed('Paste a lesson', body, 'Create the lesson', { class: 'primary' }, { wide: true });
  if (agreed) return shown.agreed(() => readIt());
  shown.end();
  if (box.value.trim() !== '') tell('Your text is kept in this window: press Paste a lesson to continue.');
  return null;
}

/**
 * Shows the blocks of a document beside the fields that come of them. Each block has a menu for its field.
 * @param {any} root the schema
 */
function preview(root) {
  const all = fields(root, {});
  const textual = all.filter((field) => !hasPictures(field.schema, root));
  const pictorial = all.filter((field) => takesPictures(field.schema, root));
  const state = el('p', { class: 'muted', role: 'status' });
  const blocks = el('ol', { class: 'blocks' });
  const made = el('dl', { class: 'changes' });
  const element = el('div', {}, state, el('div', { class: 'reading' }, blocks, made));
  const left = new AbortController();
  /** The last document that was asked for. @type {Source | null} */
  let source = null;
  /** What the service read, or null while the text changes. @type {Promise<Reading | null> | null} */
  let latest = null;
  /** @type {Pictures} */
  let pictures = new Map();

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
    const moved = reading.blocks.map((block, place) => (place === at ? { ...block, field } : block));
    await take(source, { place: placeOf(moved) });
    blocks.querySelectorAll('select')[at]?.focus();
    const now = (await latest)?.blocks[at]?.field;
    if (field && now !== field) {
      state.textContent = `${labelOf(field)} cannot hold this. It is ${now ? `in ${labelOf(now)}` : 'not placed'}.`;
    }
  }

  /** @param {Reading} reading */
  function show(reading) {
    const { splitBy, notices } = reading;
    const by = splitBy.startsWith('model:') ? 'Sorted by the assistant, in your words.' : HEADINGS;
    state.textContent = [splitBy === 'place' ? 'Sorted as you chose.' : by, ...notices].join(' ');
    const placesOf = (/** @type {typeof all} */ some) => [
      ['', 'Not placed'],
      ...some.map(({ name, label }) => [name, label]),
    ];
    const [ofTexts, ofPictures] = [placesOf(textual), placesOf(pictorial)];
    blocks.replaceChildren(
      ...reading.blocks.map(({ id, kind, text, field = '' }, at) => {
        const picture = pictures.get(id);
        // A picture without its bytes fits into no field.
        const places = picture ? ofPictures : kind === 'picture' ? placesOf([]) : ofTexts;
        const menu = choice(places, field, {
          'aria-label': `Where this belongs: ${text}`,
          onchange: () => move(reading, at, menu.value),
        });
        const image = picture ? [el('img', { src: picture.url, alt: text })] : [];
        const words = el('span', { class: 'diff', dir: 'auto' }, ...image, text.replaceAll('\t', ' · '));
        return coloured(el('li', { 'data-kind': kind }, menu, words), field);
      }),
    );
    made.replaceChildren(
      ...Object.entries(withPictures(reading, pictures)).flatMap(([field, value]) => [
        coloured(el('dt', {}, labelOf(field)), field),
        el('dd', { class: 'diff', dir: 'auto' }, plain(value)),
      ]),
    );
  }

  /**
   * Has the service read a document, and shows what comes of it.
   * @param {Source | null} given @param {{ assistant?: boolean, place?: string }} [options]
   */
  async function take(given, options = {}) {
    source = given;
    const isFile = given instanceof Blob;
    const isBlank = given === null || (!isFile && 'text' in given && given.text.trim() === '');
    const asked = isBlank ? Promise.resolve(null) : read(given, { ...options, signal: left.signal });
    latest = asked;
    if (options.assistant) state.textContent = 'The assistant is reading your text …';
    try {
      const reading = await asked;
      if (latest !== asked) return;
      // With a place, only the places of pictures come back.
      if (options.place === undefined) pictures = reading ? picturesOf(reading) : new Map();
      if (reading) show(reading);
      else [state, blocks, made].forEach((part) => part.replaceChildren());
    } catch (error) {
      if (latest !== asked || left.signal.aborted) return;
      latest = null;
      [blocks, made].forEach((part) => part.replaceChildren());
      state.textContent = `Your text could not be read: ${wordsOf(error)}`;
    }
  }
  /** @param {() => Promise<void>} ask reads a text that changed */
  async function agreed(ask) {
    if (!latest) await ask();
    if (!latest) throw new Error(state.textContent);
    const reading = await latest;
    return reading && { reading, pictures };
  }
  const wait = () => (latest = null);
  return { element, take, agreed, wait, end: () => left.abort() };
}

/** Returns the pictures that came with a document, each with the id of a draft. @param {Reading} reading */
function picturesOf(reading) {
  /** @type {Pictures} */
  const pictures = new Map();
  for (const { id, picture: { type, data } = {} } of reading.blocks) {
    if (!data) continue;
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const blob = new Blob([bytes], type ? { type } : {});
    pictures.set(id, { id: draftId(), blob, url: `data:${type};base64,${data}` });
  }
  return pictures;
}

/** Returns true for a field of pictures, or of entries with pictures. @param {any} schema @param {any} root */
function takesPictures(schema, root) {
  const members = Object.values(resolved(schema.items, root).properties ?? {});
  return hasPictures(schema, root) || members.some((member) => hasPictures(resolved(member, root), root));
}

export const pasteButton = () => button('Paste a lesson', () => pasteLesson());
