// @ts-check
// The view in which an author edits one investigation: the form, the overview next to it, and the buttons above both.

import { isAway, isGone, schema, service } from '../core/api.js';
import { savingBar, tellMerged } from './saving.js';
import { Desk } from './desk.js';
import { dropped } from '../core/input.js';
import { open, openCopy } from '../doc/opening.js';
import { button, el, id, whenPainted } from '../core/dom.js';
import * as drafts from '../doc/drafts.js';
import { fieldView } from './field.js';
import { fields, kind } from '../core/schema.js';
import { awaitModel, follow, others } from '../doc/live.js';
import { menu, tabs } from '../core/menu.js';
import { ask, tell, tellFailure } from '../core/notice.js';
import * as outbox from '../doc/outbox.js';
import { overview } from './overview.js';
import { insert } from './plain.js';
import { isBlank, isIn } from '../text/values.js';
import { isAdmin, learnAgain, user } from '../core/session.js';
import { historySteps } from './steps.js';
import { person } from '../core/people.js';
import { showShortcuts } from '../core/shortcuts.js';
import { inLine, isFromRight, titleOf } from '../text/words.js';

/** Number of fields that are created before the lesson is shown: its title, and what shares rows. */
const FIRST = 5;
const AWAY = 'The service cannot be reached. This is the lesson as this browser last loaded it, with your text.';

/** @typedef {import('../doc/doc.js').Doc} Doc */

/** @param {import('../core/app.js').View} view @param {string} docId */
export async function editor({ signal, way }, docId) {
  const [root, settings] = await Promise.all([schema(), service(), outbox.hold(docId, signal)]);
  let doc;
  try {
    doc = await open(docId, { signal }).catch(async (error) => {
      if (!isAway(error)) throw error;
      const copy = await openCopy(docId, error);
      tell(AWAY, { tone: 'alarm', isAway: true });
      return copy;
    });
  } catch (error) {
    const kept = isGone(error) ? await drafts.take(docId) : new Map();
    if (kept.size === 0) throw error;
    return (await import('./reader.js')).leftOver(docId, kept, root, 'This lesson was deleted');
  }
  tabs(way, doc.isStored ? docId : '', 'write', doc.mayChange);
  followRights(doc, signal);
  if (!doc.mayChange) {
    const kept = doc.isClean ? new Map() : await drafts.take(docId);
    const { barred, leftOver, reader } = await import('./reader.js');
    if (kept.size > 0) return leftOver(docId, kept, root, 'You may no longer change this lesson');
    if (!doc.isStored) return barred();
    follow(doc, signal);
    return reader(doc.stored);
  }
  const paper = el('article', { class: 'paper' });
  const desk = new Desk(doc, root, paper, signal, settings.converses);
  const page = editorOf(desk, settings.editors);
  const stored = () => {
    if (signal.aborted) return;
    follow(doc, signal);
    awaitModel(doc, signal);
  };
  whenPainted(() => doc.whenStored(stored));
  doc.addEventListener('created', () => {
    if (signal.aborted) return;
    history.replaceState(null, '', `#/i/${doc.id}`);
    outbox.hold(doc.id, signal);
    tabs(way, doc.id, 'write');
  });
  tellMerged(desk);
  return page;
}

/**
 * Shows the lesson anew once the user may change it, or may not any more. Text that is not saved stays: the next save
 * says that it is refused.
 * @param {Doc} doc @param {AbortSignal} signal
 */
function followRights(doc, signal) {
  doc.addEventListener('rights', async () => {
    await learnAgain();
    if (!signal.aborted && doc.isClean) dispatchEvent(new Event('hashchange'));
  });
}

/** @param {Desk} desk @param {boolean} editors whether only the author and chosen editors may change a lesson */
function editorOf(desk, editors) {
  const { doc, paper, left: signal } = desk;
  const name = id('write');
  const heading = el('h1', { id: name, tabindex: -1, dir: 'auto' });
  const head = el('header', {}, heading);
  const about = el('span', { class: 'about', dir: 'auto', 'aria-hidden': 'true' });
  const form = el('div', { class: 'form' });
  paper.setAttribute('aria-labelledby', name);
  paper.append(head, form);
  const beside = overview(desk);
  const aside = el('aside', { class: 'beside', 'aria-label': 'Status and what is left to do' }, beside.element);
  /** @type {{ element: HTMLElement, refresh: () => void } | null} */
  let chat = null;
  // The conversation is below what is read first.
  whenPainted(() =>
    import('./chat.js').then(({ chatPanel }) => {
      chat = chatPanel(desk);
      aside.append(chat.element);
    }, tellFailure),
  );
  const views = formOf(desk, { head, form });
  if (doc.stored.author?.id) head.append(el('p', { class: 'byline' }, person(doc.stored.author)));
  const entitle = () => {
    const title = titleOf(doc.written);
    heading.textContent = about.textContent = title;
    document.title = `${title} · Fieldbook`;
    paper.dir = isFromRight(title) ? 'rtl' : 'ltr';
  };
  const saving = savingBar(desk);
  const namesEditors = editors && (isAdmin() || doc.stored.author?.id === user());
  const steps = historySteps(desk);
  const more = actions(doc, namesEditors);
  more.hidden = !doc.isStored;
  doc.whenStored(() => void (more.hidden = false));
  const bar = el('div', { class: 'bar' }, saving, about, others(doc, signal), steps, more);
  const watch = new IntersectionObserver(([seen]) => bar.classList.toggle('past', !seen?.isIntersecting), {
    rootMargin: '-56px 0px 0px',
  });
  watch.observe(head);
  const refresh = (/** @type {string | null} */ forced, isElsewhere = false) => {
    views.refresh(forced, isElsewhere);
    entitle();
    beside.refresh();
    chat?.refresh();
  };
  const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
  doc.addEventListener('taken', (event) => {
    refresh(detail(event).forced, detail(event).isElsewhere);
    tellMerged(desk);
  });
  doc.addEventListener('violations', (event) => views.violated(detail(event)));
  doc.addEventListener('picture', (event) =>
    paper
      .querySelectorAll(`[data-picture="${detail(event)}"]`)
      .forEach((/** @type {Element} */ one) => one.dispatchEvent(new Event('picture'))),
  );
  doc.addEventListener('saving', () => [entitle, beside.refresh].forEach((show) => show()));
  leaveWith(doc, signal);
  paper.addEventListener('paste', (event) => sorted(event, doc), { capture: true });
  // Prevents the browser from opening the dropped file.
  dropped(paper, () => tell('Drop pictures on the Pictures field or on a step.'));
  entitle();
  beside.refresh();
  if (isNew(doc)) head.querySelector('.text')?.setAttribute('data-first', '');
  if (!doc.isClean) doc.flush();
  return el(
    'div',
    { class: 'editor', 'data-keeps': '' },
    bar,
    el('p', { class: 'on-paper' }, 'This is the form. To print the sheet, press ⋯ at the top, and “Print the lesson”.'),
    el('div', { class: 'desk' }, paper, aside),
  );
}

/** Number of lines from which a text that is pasted into the title of a new lesson looks like a whole lesson. */
const LESSON_LINES = 4;

/** Offers to sort a whole lesson that is pasted into a title. @param {ClipboardEvent} event @param {Doc} doc */
async function sorted(event, doc) {
  const [text = '', html] = ['text/plain', 'text/html'].map((type) => event.clipboardData?.getData(type));
  const isTitle = event.target instanceof Element && event.target.closest('[data-field=title]');
  if (!isTitle || !doc.isNothing || text.trim().split('\n').length < LESSON_LINES) return;
  event.preventDefault();
  const sorts = await ask('This looks like a whole lesson', el('p', {}, 'Sort it into its fields?'), [
    { label: 'Put it into the title', answer: false },
    { label: 'Sort it', answer: true, class: 'primary' },
  ]);
  const paste = sorts && (await import('../list/paste.js').catch(tellFailure));
  if (paste) paste.pasteLesson({ text, html });
  else if (sorts !== null) insert(inLine(text));
}

/** Returns true for a lesson without a title and without changes. Its title gets the focus. @param {Doc} doc */
const isNew = (doc) => doc.stored.version === 0 && isBlank(doc.value('title'));

/**
 * Returns the actions on the whole investigation.
 * @param {Doc} doc @param {boolean} namesEditors whether the user may choose who else can change it
 */
function actions(doc, namesEditors) {
  const remove = async () => {
    const { deleteSoon, mayDelete } = await import('../list/deletion.js');
    await doc.flush();
    if (!(await mayDelete(doc.stored))) return;
    deleteSoon(doc.id, titleOf(doc.written), () => dispatchEvent(new Event('deletion')));
    location.hash = '#/';
  };
  const show = (/** @type {string} */ view) => void (location.hash = `#/i/${doc.id}/${view}`);
  const goTo = (/** @type {string} */ view) => () => doc.flush().then(() => show(view));
  const copy = async () => {
    const { clone } = await import('../list/list_results.js');
    return doc.saved().then(() => clone(doc.stored), tellFailure);
  };
  return menu('Actions for this lesson', [
    button('History', goTo('history')),
    button('Links', goTo('links')),
    button('Print the lesson', goTo('print/lesson'), { 'data-prints': '' }),
    button('Print the pupil sheet', goTo('print/handout')),
    namesEditors && button('Who can edit this …', async () => (await import('./editors.js')).chooseEditors(doc)),
    button('Make a copy', copy),
    button('Keyboard shortcuts', showShortcuts, { class: 'by-keys' }),
    button('Delete', remove, { class: 'grave' }),
  ]);
}

/**
 * Creates the fields of the form. The title is above the form, as a heading.
 * @param {Desk} desk
 * @param {{ head: HTMLElement, form: HTMLElement }} places
 */
function formOf(desk, { head, form }) {
  const { doc, root } = desk;
  /** @type {Map<string, import('./field.js').FieldView>} */
  const views = new Map();

  /** Creates fields that are missing, at most this number. Returns whether more are missing. @param {number} [most] */
  function arrange(most = Infinity) {
    const wanted = fields(root, doc.written);
    for (const [name, view] of views) {
      // A field that the user has emptied stays while it has the focus.
      if (wanted.some((field) => field.name === name) || view.element.querySelector('.text:focus')) continue;
      view.element.remove();
      view.below?.remove();
      views.delete(name);
    }
    for (const field of wanted) {
      if (views.has(field.name)) continue;
      if (most === 0) return true;
      most -= 1;
      const view = fieldView(field, desk);
      views.set(field.name, view);
      const isTitle = field.name === 'title' && kind(field.schema, undefined) === 'text';
      if (isTitle) head.querySelector('h1')?.after(view.element);
      else if (view.below) rowIn(form).append(view.element, view.below);
      else form.append(view.element);
      if (isTitle) head.classList.add('titled');
    }
    return false;
  }

  form.setAttribute('aria-busy', 'true');
  // Each of the other fields is created in a task of its own, so that the page reacts in between. In the background,
  // where tasks wait long, all are created at once.
  const more = () => {
    if (arrange(document.hidden ? Infinity : 1)) setTimeout(more);
    else form.removeAttribute('aria-busy');
  };
  arrange(FIRST);
  whenPainted(more);

  return {
    refresh: (/** @type {string | null} */ forced, /** @type {boolean} */ isElsewhere) => {
      arrange();
      views.forEach((view) => view.refresh(view.name === forced, isElsewhere));
    },
    violated: (/** @type {{ path: string, message: string }[]} */ violations) =>
      views.forEach((view) => {
        const own = violations.filter(({ path }) => isIn(path, view.name));
        if (own.length > 0) view.violated(own);
      }),
  };
}

/** Returns the row of short fields at the end of a form. @param {HTMLElement} form */
function rowIn(form) {
  const last = form.lastElementChild;
  if (last instanceof HTMLElement && last.matches('.shorts')) return last;
  return form.appendChild(el('div', { class: 'shorts' }));
}

/**
 * Sends the unsaved changes when the page is closed. If the browser does not keep them, it asks the user first.
 * @param {Doc} doc @param {AbortSignal} signal
 */
function leaveWith(doc, signal) {
  const unload = (/** @type {BeforeUnloadEvent} */ event) => {
    if (!doc.isClean && !doc.isKept) event.preventDefault();
  };
  addEventListener('beforeunload', unload, { signal });
  addEventListener('pagehide', () => doc.farewell(), { signal });
  signal.addEventListener('abort', () => outbox.left(doc.leave()));
}
