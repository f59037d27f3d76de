// @ts-check
// The conversation beside the form. What the assistant did stands in it with or without a language model.

import { call, investigation, wasLeft } from './api.js';
import { button, el, id, said } from './dom.js';
import { fieldLabel } from './findings.js';
import { tell, tellFailure, work } from './notice.js';
import { failed } from './states.js';

/** The most entries that are shown at once. */
const SHOWN = 60;

/**
 * @param {import('./doc.js').Doc} doc @param {any} root @param {AbortSignal} left
 * @param {boolean} converses whether there is somebody to talk to
 */
export function chatPanel(doc, root, left, converses) {
  const name = id('say');
  const log = el('ol', { class: 'chat', 'aria-label': 'Conversation' });
  const box = el('textarea', { id: name, rows: 2, dir: 'auto', placeholder: 'Make the steps shorter …' });
  const send = el('button', { class: 'primary' }, 'Send');
  const form = el('form', { onsubmit: say }, el('label', { for: name }, 'Say something to the assistant'), box, send);
  const panel = el(
    'details',
    {
      class: 'talk',
      ontoggle: () => {
        if (panel.open) read();
      },
    },
    el('summary', {}, 'Assistant'),
    log,
    converses
      ? form
      : el(
          'p',
          { class: 'help' },
          'There is nobody to answer here: whoever runs Fieldbook can set up a language model. ' +
            'What was done for you stands above.',
        ),
  );
  const none = converses ? 'No messages yet. Say what should be different.' : 'No messages yet.';
  let revision = -1;

  async function read() {
    revision = doc.stored.revision;
    if (!log.hasChildNodes()) log.append(el('li', { class: 'muted' }, 'Loading …'));
    try {
      const shown = await page();
      log.replaceChildren(...(shown.length === 0 ? [el('li', { class: 'muted' }, none)] : shown));
      log.scrollTop = log.scrollHeight;
    } catch (error) {
      if (!wasLeft(error)) log.replaceChildren(el('li', {}, failed(error, read)));
    }
  }

  /**
   * The entries before a cursor, or the newest, after a button for earlier ones.
   * @param {string} [cursor] @returns {Promise<HTMLElement[]>}
   */
  async function page(cursor) {
    const { data, pagination } = await call(
      'GET',
      investigation(doc.id, `/chat?limit=${SHOWN}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`),
      { signal: left },
    );
    return [...(pagination ? [earlier(pagination.nextCursor)] : []), ...data.history.flatMap(lines)];
  }

  /** @param {string} cursor @returns {HTMLElement} */
  function earlier(cursor) {
    const place = el(
      'li',
      { class: 'older' },
      button('Show earlier', async () => {
        try {
          const below = log.scrollHeight - log.scrollTop;
          place.replaceWith(...(await page(cursor)));
          log.scrollTop = log.scrollHeight - below;
        } catch (error) {
          tellFailure(error);
        }
      }),
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

  /** @param {Event} event */
  async function say(event) {
    event.preventDefault();
    const words = box.value.trim();
    if (!words) return box.focus();
    send.disabled = true;
    log.append(said(words, 'li', { 'data-who': 'person' }));
    log.scrollTop = log.scrollHeight;
    try {
      const answer = await work(
        'The assistant is thinking …',
        (signal) => doc.act('POST', '/chat', { content: words }, signal),
        left,
      );
      if (answer) {
        box.value = '';
        const { changedFields } = answer.data;
        const changed = changedFields.map((/** @type {string} */ field) => fieldLabel(field, root));
        if (changed.length > 0) tell(`The assistant changed ${changed.join(', ')}.`);
      } else
        tell('You stopped waiting. If the assistant still changes something, you will find it in the history.', {
          act: { label: 'Look', run: () => doc.again().then(read) },
        });
    } catch (error) {
      tellFailure(error);
    }
    send.disabled = false;
    await read();
  }

  box.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  return {
    element: panel,
    refresh: () => {
      if (panel.open && doc.stored.revision !== revision) read();
    },
  };
}
