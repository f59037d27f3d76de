// @ts-check
// The conversation next to the form. It also lists what the assistant did, with or without a language model.

import { call, investigation, wasLeft } from '../core/api.js';
import { button, el, labelled, said } from '../core/dom.js';
import { fieldLabel } from '../core/schema.js';
import { attempt, tell, tellFailure, work } from '../core/notice.js';
import { failed } from '../core/standing.js';

/** Maximum number of entries that are loaded at a time. */
const SHOWN = 60;

/** @param {import('./desk.js').Desk} desk */
export function chatPanel(desk) {
  const { doc, left, converses } = desk;
  const log = chatLog(doc, left, 'No messages yet. Say what should be different.');
  const panel = el(
    'details',
    {
      class: 'talk',
      ontoggle: () => {
        if (panel.open && doc.isStored) log.read();
      },
    },
    el('summary', {}, 'Assistant'),
    log.element,
    converses
      ? sayForm(desk, log)
      : el(
          'p',
          { class: 'help' },
          'No assistant is set up; the person who runs Fieldbook can add a language model. ' +
            'What Fieldbook did for you is listed above.',
        ),
  );
  // Without a language model, the panel is hidden at first: there is something to show only after Fieldbook has changed
  // something.
  panel.hidden = !converses;
  const look = async () => {
    const { data } = await call('GET', investigation(doc.id, '/chat?limit=1'), { signal: left });
    panel.hidden = data.history.length === 0;
  };
  if (!converses && doc.isStored) look().catch(() => undefined);
  return {
    element: panel,
    refresh: () => {
      if (doc.stored.lastChangeWithAI) panel.hidden = false;
      if (panel.open) log.refresh();
    },
  };
}

/**
 * The messages and actions of the conversation, the newest last.
 * @typedef {object} Log
 * @property {HTMLElement} element
 * @property {() => Promise<void>} read
 * @property {() => void} refresh reads the conversation again if the investigation has changed
 * @property {(words: string) => HTMLElement} add shows a message that was just sent; returns the row for its progress
 * @property {() => Promise<void>} settle reads the conversation after the message was answered
 *
 * @param {import('../doc/doc.js').Doc} doc @param {AbortSignal} left
 * @param {string} none the text that is shown for an empty conversation
 * @returns {Log}
 */
function chatLog(doc, left, none) {
  const element = el('ol', { class: 'chat', tabindex: 0, 'aria-label': 'Conversation' });
  let revision = -1;
  /** The message that waits for its answer, and the progress. @type {HTMLElement[]} */
  let waiting = [];

  async function read() {
    revision = doc.stored.revision;
    if (!element.hasChildNodes()) element.append(el('li', { class: 'muted' }, 'Loading …'));
    try {
      const shown = await entries(doc, element, left);
      const all = [...shown, ...waiting];
      element.replaceChildren(...(all.length === 0 ? [el('li', { class: 'muted' }, none)] : all));
      element.scrollTop = element.scrollHeight;
    } catch (error) {
      if (!wasLeft(error)) element.replaceChildren(el('li', {}, failed(error, read)));
    }
  }

  return {
    element,
    read,
    refresh: () => {
      if (doc.stored.revision !== revision) read();
    },
    add: (words) => {
      const row = el('li', { class: 'waits' });
      waiting = [said(words, 'li', { 'data-who': 'person' }), row];
      if (!element.querySelector('[data-who]')) element.replaceChildren();
      element.append(...waiting);
      element.scrollTop = element.scrollHeight;
      return row;
    },
    settle: () => {
      waiting = [];
      return read();
    },
  };
}

/**
 * Returns the entries before a cursor, or the newest entries. If there are earlier ones, a button for them comes
 * first.
 * @param {import('../doc/doc.js').Doc} doc @param {HTMLElement} log @param {AbortSignal} left @param {string} [cursor]
 * @returns {Promise<HTMLElement[]>}
 */
async function entries(doc, log, left, cursor) {
  const { data, pagination } = await call(
    'GET',
    investigation(doc.id, `/chat?limit=${SHOWN}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`),
    { signal: left },
  );
  const before = () => entries(doc, log, left, pagination.nextCursor);
  return [...(pagination ? [earlier(log, before)] : []), ...data.history.flatMap(lines)];
}

/** @param {HTMLElement} log @param {() => Promise<HTMLElement[]>} before @returns {HTMLElement} */
function earlier(log, before) {
  const place = el(
    'li',
    { class: 'older' },
    button('Show earlier', () =>
      attempt(async () => {
        const below = log.scrollHeight - log.scrollTop;
        place.replaceWith(...(await before()));
        log.scrollTop = log.scrollHeight - below;
      }),
    ),
  );
  return place;
}

/** @param {any} entry */
function lines(entry) {
  return [
    entry.user?.content && said(entry.user.content, 'li', { 'data-who': 'person' }),
    entry.assistant?.content && said(entry.assistant.content, 'li', { 'data-who': 'assistant' }),
  ].filter(Boolean);
}

/** @param {import('./desk.js').Desk} desk @param {Log} log */
function sayForm({ doc, root, left }, log) {
  const box = el('textarea', { rows: 2, dir: 'auto', placeholder: 'Make the steps shorter …' });
  const send = el('button', { class: 'primary' }, 'Send');
  const form = el('form', { onsubmit: say }, labelled('Say something to the assistant', box), send);

  /** @param {Event} event */
  async function say(event) {
    event.preventDefault();
    const words = box.value.trim();
    if (!words) return box.focus();
    send.disabled = true;
    box.value = '';
    const row = log.add(words);
    let answer;
    try {
      answer = await work(
        'The assistant is thinking …',
        (signal) => doc.act('POST', '/chat', { content: words }, signal),
        left,
        row,
      );
      if (answer) {
        const { changedFields } = answer.data;
        const changed = changedFields.map((/** @type {string} */ field) => fieldLabel(field, root));
        if (changed.length > 0) tell(`The assistant changed ${changed.join(', ')}.`);
      } else
        tell('You stopped waiting. If the assistant still changes something, you will find it in the history.', {
          act: { label: 'Look', run: () => doc.again().then(log.read) },
        });
    } catch (error) {
      tellFailure(error);
    }
    send.disabled = false;
    if (!answer && !box.value) box.value = words;
    await log.settle();
  }

  box.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return form;
}
