// @ts-check
// Creates a lesson from plain text. First shows where each part goes, and lets the user correct this.

import { call, schema, service, wordsOf } from './api.js';
import { plain } from './changes.js';
import { button, el, id } from './dom.js';
import { DIVIDER, partsOf, placed, source } from './lesson_text.js';
import { needs } from './lesson_values.js';
import { ask, tell, tellFailure } from './notice.js';
import { fit } from './plain.js';
import { UNPLACED, fields } from './schema.js';
import { user } from './session.js';
import { partsByModel } from './split.js';

/** Returns the key under which this window keeps a text until a lesson is created from it. */
const key = () => `fieldbook.pasted:${user() ?? ''}`;

export async function pasteLesson() {
  try {
    const root = await schema();
    const all = fields(root, {});
    const found = await lessonText(all, root);
    if (!found) return;
    const { content, rest } = found;
    if (Object.keys(content).length === 0) return tell('No lesson was created: your text has headings only.');
    const body = rest.length > 0 ? { ...content, [UNPLACED]: rest.join('\n') } : content;
    const { data } = await call('POST', '/api/investigation', { body });
    sessionStorage.removeItem(key());
    const words =
      rest.length > 0 ? 'Created. Text that was not placed is in the last field.' : 'Created from your text.';
    tell(words, { stays: true });
    location.hash = `#/i/${data._id}`;
  } catch (error) {
    tellFailure(error, pasteLesson);
  }
}

/**
 * Asks the user for a text, and shows where its parts go.
 * @param {import('./schema.js').Field[]} all @param {any} root
 * @returns {Promise<import('./lesson_text.js').Placed | null>}
 */
async function lessonText(all, root) {
  const name = id('lesson');
  const box = el('textarea', {
    id: name,
    class: 'lesson',
    dir: 'auto',
    autofocus: true,
    placeholder: 'Title\nMaterials:\n- …\nSteps:\n1. … (10 min)',
    value: sessionStorage.getItem(key()) ?? '',
  });
  const parts = partList(box, all, root);
  const assistant = (await service()).converses ? assistantSplit(box, parts) : null;
  box.addEventListener('input', () => {
    sessionStorage.setItem(key(), box.value);
    fit(box);
    parts.take(null);
    assistant?.reset();
  });
  const splitHere = () => {
    const { value, selectionStart: at } = box;
    const [before, after] = [value.slice(0, at).trimEnd(), value.slice(at).trimStart()];
    box.setRangeText(`\n${DIVIDER}\n`, before.length, value.length - after.length, 'end');
    box.focus();
    box.dispatchEvent(new Event('input'));
  };
  parts.take(null);
  fit(box);
  const body = [
    el('label', { for: name }, 'The text of your lesson, with headings such as Materials and Steps'),
    box,
    el(
      'div',
      { class: 'acts' },
      button('Split here', splitHere, { title: 'Begin a new part where the cursor is in the text' }),
      assistant?.element,
    ),
    parts.element,
  ];
  const answers = [
    { label: 'Cancel', answer: false },
    { label: 'Create the lesson', answer: true, class: 'primary' },
  ];
  const agreed = await ask('Paste a lesson', body, answers, { wide: true });
  assistant?.end();
  if (box.value.trim() === '') return null;
  if (agreed) return placed(parts.chosen(), all, root);
  tell('Your text is kept in this window: press Paste a lesson to go on with it.');
  return null;
}

/**
 * Returns a button that has the assistant split the text, and a line that says what split it.
 * @param {HTMLTextAreaElement} box @param {ReturnType<typeof partList>} parts
 */
function assistantSplit(box, parts) {
  const left = new AbortController();
  const state = el('span', { class: 'muted', role: 'status' });
  const byHeadings = 'Split by its headings.';
  const reset = () => {
    state.textContent = byHeadings;
    ask.disabled = box.value.trim() === '';
  };
  const ask = button('Let the assistant split it', async () => {
    const text = box.value;
    ask.disabled = true;
    state.textContent = 'The assistant reads your text …';
    /** @type {string} */
    let words;
    let found = null;
    try {
      found = await partsByModel(text, left.signal);
      words = 'Split by the assistant, in your words. What it did not place stands under Not placed.';
    } catch (error) {
      words = `The assistant could not split it: ${wordsOf(error)} ${byHeadings}`;
    }
    // The parts do not fit a text that the user has changed meanwhile.
    if (box.value !== text) return reset();
    parts.take(found);
    state.textContent = words;
    ask.disabled = false;
  });
  reset();
  return { element: [ask, state], reset, end: () => left.abort() };
}

/**
 * Returns the parts of the text, each with a menu for its field.
 * @param {HTMLTextAreaElement} box @param {import('./schema.js').Field[]} all @param {any} root
 */
function partList(box, all, root) {
  const element = el('dl', { class: 'changes', 'aria-live': 'polite' });
  /** The fields that the user chose, by the beginning of the part. @type {Map<string, string>} */
  const choices = new Map();
  const begins = (/** @type {import('./lesson_text.js').Part} */ part) => source(part)[0] ?? '';
  /** The parts that the assistant returned. @type {import('./lesson_text.js').Part[] | null} */
  let byModel = null;
  const chosen = () => (byModel ?? partsOf(box.value, all)).map((part) => moved(part, choices.get(begins(part))));

  /**
   * @param {import('./lesson_text.js').Part} part @param {any} value undefined if it is not placed
   * @param {number} at
   */
  function row(part, value, at) {
    const choose = () => {
      choices.set(begins(part), menu.value);
      show();
      element.querySelectorAll('select')[at]?.focus();
    };
    const menu = el(
      'select',
      { 'aria-label': `Where this belongs: ${begins(part)}`, onchange: choose },
      el('option', { value: '' }, 'Not placed'),
      all.map((field) => el('option', { value: field.name }, field.label)),
    );
    menu.value = value === undefined ? '' : part.field;
    const field = value === undefined ? all.find(({ name }) => name === part.field) : undefined;
    const misfit = field ? ` ${field.label} ${needs(field, root)}.` : '';
    const text = value === undefined ? source(part).join('\n') : plain(value);
    return [el('dt', {}, menu, misfit), el('dd', { class: 'diff', dir: 'auto' }, text)];
  }

  function show() {
    const parts = chosen();
    const { values } = placed(parts, all, root);
    element.replaceChildren(...parts.flatMap((part, at) => row(part, values[at], at)));
  }

  /** Shows the parts of the assistant, or for null the parts by headings. @param {typeof byModel} parts */
  function take(parts) {
    byModel = parts;
    show();
  }
  return { element, take, chosen };
}

/**
 * Moves the lines of a part to the field that the user chose. A heading without lines becomes a line.
 * @param {import('./lesson_text.js').Part} part @param {string | undefined} field
 */
function moved(part, field) {
  if (field === undefined || field === part.field) return part;
  const isBlank = part.lines.every((line) => line.trim() === '');
  const words = isBlank ? { heading: '', lines: [part.heading] } : {};
  return { ...part, ...words, field, value: undefined };
}

export const pasteButton = () => button('Paste a lesson', pasteLesson);
