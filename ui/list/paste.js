// @ts-check
// Creates a lesson from a text or a file. First shows where each part goes, and lets the user correct this.

import { schema, service } from '../core/api.js';
import { button, el, labelled, settled } from '../core/dom.js';
import { chosen, dropped } from '../core/input.js';
import { confirmed, tell, tellFailure } from '../core/notice.js';
import { fit } from '../form/plain.js';
import { createWithPictures } from '../doc/outbox.js';
import * as reader from '../form/reading.js';
import { preview } from './preview.js';
import { UNPLACED } from '../core/schema.js';
import { user } from '../core/session.js';
import { PASTE } from '../text/words.js';

/**
 * @typedef {reader.Reading} Reading @typedef {reader.Source} Source @typedef {reader.Pictures} Pictures
 * @typedef {import('./preview.js').Sorted} Sorted
 */

/** Returns the key under which this window keeps a text until a lesson is created from it. */
const key = () => `fieldbook.pasted:${user() ?? ''}`;
const WAIT_MS = 300;
const HINT = 'Title\nMaterials:\n- …\nSteps:\n1. … (10 min)';

/**
 * The file that is or was open in this window's dialog.
 * @type {{ by: string | null, file: File, sorted?: Sorted | undefined } | null}
 */
let opened = null;

/** @param {File | Kept} [given] a file or a text that is read first */
export async function pasteLesson(given) {
  try {
    /** @type {Kept | undefined} */
    let text;
    if (given instanceof File) opened = { by: user(), file: given };
    else if (given) {
      opened = null;
      keep((text = { ...given, before: kept().text ? kept() : undefined }));
    }
    const root = await schema();
    if (opened?.by !== user()) opened = null;
    const agreed = await lessonOf(root, opened?.file, text);
    if (!agreed) return;
    const { reading, pictures } = agreed;
    const lesson = reader.withPictures(reading, pictures);
    if (Object.keys(lesson).length === 0) return tell('No lesson was created: none of your text is in a field.');
    const rest = reader.restOf(reading, pictures);
    const body = rest.length > 0 ? { ...lesson, [UNPLACED]: rest.join('\n') } : lesson;
    const blobs = new Map([...pictures.values()].map(({ id, blob }) => [id, blob]));
    const made = await createWithPictures(body, async (id) => blobs.get(id));
    // If the lesson came from a file, the pasted text was not used, and stays.
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

/**
 * @typedef {{ text?: string | undefined, html?: string | undefined, before?: Kept | undefined,
 *   sorted?: Sorted | undefined }} Kept
 */

/** Keeps a text, its HTML, how it was sorted, and the text before it, until it is a lesson. @param {Kept} [text] */
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
 * @param {any} root the schema @param {File} [file] @param {Kept} [given] a text, which may be too long to be kept
 * @returns {Promise<{ reading: Reading, pictures: Pictures } | null>}
 */
async function lessonOf(root, file, given = kept()) {
  let now = given;
  const look = { class: 'lesson', dir: 'auto', autofocus: true, placeholder: HINT };
  const box = el('textarea', { ...look, value: now.text ?? '' });
  const shown = preview(root, (sorted) => {
    if (source instanceof Blob && opened) opened.sorted = sorted;
    else keep((now = { ...now, sorted }));
  });
  const sourceOf = (/** @type {Kept} */ { text = '', html }) => /** @type {Source} */ (html ? { html } : { text });
  let source = sourceOf(now);
  /** Reads a document now, and cancels a scheduled read. @type {typeof shown.take} */
  const read = (given, options) => {
    readSoon.cancel();
    return shown.take(given, options);
  };
  /** Reads the text or the file, and sorts it as the user did before. */
  const readIt = async () => {
    const given = source;
    const found = await read(given);
    const sorted = given instanceof Blob ? opened?.sorted : now.sorted;
    if (found === 'shown' && given === source && sorted) await shown.resume(sorted);
    return found;
  };
  const readSoon = settled(readIt, WAIT_MS);
  /** Returns the text that was pasted before the document that is shown. */
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
      const sorted = opened?.file === given ? opened.sorted : undefined;
      opened = { by: user(), file: given, sorted };
      source = file;
      if (sorted) shown.resume(sorted);
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
  const isPhone = matchMedia('(pointer: coarse)').matches;
  const body = [
    labelled(`Paste your lesson from Word, a web page or an e-mail${isPhone ? '' : ', or drop its file here'}`, box),
    el('div', { class: 'acts' }, opens, files.input, sorts, back),
    shown.element,
  ];
  [shown.element, box].forEach((place) => dropped(place, ([given]) => open(given)));
  if (file) open(file);
  else readIt();
  // Selects the kept text, so that the next pasted text replaces it.
  setTimeout(() => box.select());
  const agreed = await confirmed(PASTE, body, 'Create the lesson', { class: 'primary' }, { wide: true });
  if (agreed) return shown.agreed(() => readIt());
  shown.end();
  const what = opened ? 'file' : box.value.trim() !== '' && 'text';
  if (what) tell(`Your ${what} is kept in this window: press ${PASTE} to continue.`);
  return null;
}
