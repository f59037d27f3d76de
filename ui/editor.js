// @ts-check
// The editor: the form, what is still to do beside it, and everything that can be done to the investigation.

import { call, investigation, schema, service, wordsOf } from './api.js';
import { marked, plain } from './changes.js';
import { chatPanel } from './chat.js';
import { go } from './control.js';
import { dismiss } from './dismissals.js';
import { Doc } from './doc.js';
import { button, el, id } from './dom.js';
import { fieldView } from './field.js';
import { assist, fieldLabel } from './findings.js';
import { ask, tell, tellFailure } from './notice.js';
import { overview } from './overview.js';
import { fields } from './schema.js';
import { fieldHistory } from './timeline.js';
import { person, titleOf } from './words.js';
import { tabs } from './tabs.js';

const SAVING = /** @type {Record<string, string>} */ ({
  saved: 'All saved',
  unsaved: 'Not saved yet',
  saving: 'Saving …',
  failed: 'Not saved',
  refused: 'One field is not saved',
  clash: 'Somebody else changed this first',
});

/** @param {import('./app.js').View} view @param {string} docId */
export async function editor({ signal, way }, docId) {
  const [root, { data }, { converses }] = await Promise.all([
    schema(),
    call('GET', investigation(docId), { signal }),
    service(),
  ]);
  const doc = new Doc(data);
  tabs(way, docId, 'write');
  const heading = el('h1', { tabindex: -1, dir: 'auto' });
  const byline = el('p', { class: 'byline' }, person(data.author));
  const saving = el('span', { class: 'saving', role: 'status', 'data-word': 'saved' }, SAVING.saved);
  const retry = button('Try again', () => doc.flush(), { class: 'quiet', hidden: true });
  const undo = button('↶ Undo', () => step('undo'), {
    class: 'quiet',
    title: 'Ctrl + Alt + Z',
    'aria-keyshortcuts': 'Control+Alt+Z',
  });
  const redo = button('↷ Redo', () => step('redo'), {
    class: 'quiet',
    title: 'Ctrl + Alt + Shift + Z',
    'aria-keyshortcuts': 'Control+Alt+Shift+Z',
  });
  const form = el('div', { class: 'form' });
  /** @type {import('./findings.js').Desk} */
  const desk = {
    go: (path) => go(form, path),
    resolve: (field) => assist('resolve-contradiction', field, doc, root, signal),
    regenerate: (field) => assist('regenerate', field, doc, root, signal),
    history: (field) => fieldHistory(doc, field, root, signal),
    dismiss: (finding, reason) => dismiss(doc, finding, reason),
  };
  const beside = overview(doc, root, desk, converses);
  const chat = chatPanel(doc, root, signal, converses);
  /** @type {Map<string, import('./field.js').FieldView>} */
  const views = new Map();

  function arrange() {
    const wanted = fields(root, doc.written);
    for (const [name, view] of views) {
      if (wanted.some((field) => field.name === name)) continue;
      view.element.remove();
      views.delete(name);
    }
    for (const field of wanted) {
      if (views.has(field.name)) continue;
      const view = fieldView(field, doc, root, desk);
      views.set(field.name, view);
      form.append(view.element);
    }
  }

  /** @param {string | null} [forced] */
  function refresh(forced = null) {
    arrange();
    views.forEach((view) => view.refresh(view.name === forced));
    entitle();
    beside.refresh();
    chat.refresh();
    undo.disabled = doc.stored.version === 0;
  }

  function entitle() {
    const title = titleOf(doc.written);
    heading.textContent = title;
    document.title = `${title} · Fieldbook`;
  }

  /** @param {'undo' | 'redo'} which */
  async function step(which) {
    try {
      await doc.act('POST', `/${which}`);
      redo.disabled = which === 'redo' ? !(await canRedo()) : false;
      tell(which === 'undo' ? 'Undone.' : 'Redone.');
    } catch (error) {
      tellFailure(error);
      if (which === 'redo') redo.disabled = true;
    }
  }

  /** Whether something newer was undone. The newest record says so, where there is one. */
  async function canRedo() {
    const { data: newest } = await call('GET', investigation(docId, '/versions?limit=1'), { signal });
    return newest[0]?.undone === true;
  }

  /** Somebody else changed the same fields meanwhile. @param {import('./doc.js').Clash[]} clashes */
  async function settle(clashes) {
    for (const { field, mine, theirs } of clashes) {
      const name = fieldLabel(field, root);
      const mineFirst = await ask(
        `Somebody else changed ${name}`,
        [
          el(
            'p',
            {},
            'Which text do you want to keep? Theirs is saved and stays in the history either way. Yours is saved only if you keep it.',
          ),
          el(
            'div',
            { class: 'sides' },
            el('div', { class: 'side' }, el('h3', {}, 'Yours'), el('pre', { dir: 'auto' }, plain(mine) || '(nothing)')),
            el(
              'div',
              { class: 'side' },
              el('h3', {}, 'Theirs'),
              el('pre', { dir: 'auto' }, plain(theirs) || '(nothing)'),
            ),
          ),
          el('h3', {}, 'Differences between theirs and yours'),
          marked(plain(theirs), plain(mine)),
        ],
        [
          { label: 'Take theirs', answer: false },
          { label: 'Keep mine', answer: true, class: 'primary' },
        ],
        { wide: true },
      );
      await doc.decide(field, mineFirst !== false);
    }
  }

  doc.addEventListener('taken', (event) => refresh(/** @type {CustomEvent} */ (event).detail.forced));
  doc.addEventListener('clash', (event) => settle(/** @type {CustomEvent} */ (event).detail));
  doc.addEventListener('violations', (event) => {
    const violations = /** @type {CustomEvent} */ (event).detail;
    views.forEach((view) =>
      view.violated(
        violations.filter((/** @type {any} */ { path }) => path === view.name || path.startsWith(`${view.name}.`)),
      ),
    );
  });
  doc.addEventListener('saving', (event) => {
    const { word, error } = /** @type {CustomEvent} */ (event).detail;
    saving.textContent = error ? `${SAVING[word]}: ${wordsOf(error)}` : (SAVING[word] ?? word);
    saving.dataset.word = word;
    retry.hidden = word !== 'failed';
    entitle();
    beside.refresh();
    if (word === 'unsaved') redo.disabled = true;
  });

  const keys = (/** @type {KeyboardEvent} */ event) => {
    const writes = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    const meant = (event.ctrlKey || event.metaKey) && (event.altKey || !writes) && event.code === 'KeyZ';
    if (!meant || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    step(event.shiftKey ? 'redo' : 'undo');
  };
  const unload = (/** @type {BeforeUnloadEvent} */ event) => {
    if (doc.isClean) return;
    doc.farewell();
    event.preventDefault();
  };
  const hide = () => doc.farewell();
  addEventListener('keydown', keys, { signal });
  addEventListener('beforeunload', unload, { signal });
  addEventListener('pagehide', hide, { signal });
  signal.addEventListener('abort', () => doc.leave());

  redo.disabled = true;
  canRedo().then(
    (can) => {
      redo.disabled = !can;
    },
    () => undefined,
  );
  refresh();
  const name = id('write');
  return el(
    'div',
    { class: 'editor', 'data-keeps': '' },
    el('div', { class: 'bar' }, saving, retry, el('span', { class: 'grow' }), undo, redo),
    el(
      'div',
      { class: 'desk' },
      el(
        'article',
        { class: 'paper', 'aria-labelledby': name },
        el('header', {}, ((heading.id = name), heading), byline),
        form,
      ),
      el('aside', { class: 'beside', 'aria-label': 'Status and what is to do' }, beside.element, chat.element),
    ),
  );
}
