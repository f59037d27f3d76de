// @ts-check
// Undo and redo, with buttons and keys: of versions, and of a change of rows, such as a removed step.

import { call, investigation } from '../core/api.js';
import { summary } from '../history/changes.js';
import { button, el, whenPainted } from '../core/dom.js';
import { ask, tell, tellFailure } from '../core/notice.js';
import { icon } from '../core/icons.js';
import { stepOf } from '../core/input.js';
import { faultIn } from './plain.js';
import { REDO, UNDO, isMac, namesOf } from '../core/shortcuts.js';
import { learnNames, who } from '../core/people.js';
import { user } from '../core/session.js';
import { merge } from '../text/merge.js';
import { same } from '../text/values.js';
import { named } from '../doc/pictures.js';

/** @typedef {import('./desk.js').Desk} Desk */

/** @type {Record<'undo' | 'redo', { title: string, act: string, done: string }>} */
const WORDS = {
  undo: { title: 'Undo', act: 'Undo it', done: 'Undone' },
  redo: { title: 'Redo', act: 'Redo it', done: 'Redone' },
};

/**
 * Asks whether to undo or redo a change by somebody else.
 * @param {'undo' | 'redo'} which @param {string} changed @param {string} name @returns {Promise<boolean>}
 */
function agreed(which, changed, name) {
  const { title, act } = WORDS[which];
  return ask(
    `${title} this change by ${name}: ${changed}?`,
    [],
    [
      { label: 'Leave it', answer: false },
      { label: act, answer: true, class: 'primary' },
    ],
  );
}

/** @param {string} keys */
const shortcut = (keys) => ({
  class: 'quiet',
  title: namesOf(keys),
  'aria-keyshortcuts': isMac ? keys.replace('Control', 'Meta') : keys,
});

/** Enables or disables a button with `aria-disabled`, so that it keeps the focus. @param {HTMLElement} button @param
 * {boolean} can */
const allowed = (button, can) => button.setAttribute('aria-disabled', String(!can));

/** @param {Desk} desk */
export function historySteps(desk) {
  const { doc, left } = desk;
  const undo = button([icon('undo'), el('span', {}, 'Undo')], () => step('undo'), shortcut(UNDO));
  const redo = button([icon('redo'), el('span', {}, 'Redo')], () => step('redo'), shortcut(REDO));

  const buttons = { undo, redo };
  /** Closes the notice of the last step. */
  let close = () => {};
  /** True while an undo or a redo is in progress. */
  let stepping = false;
  /** The empty row that was added last, and what was written then. */
  let added = { row: /** @type {Element | null} */ (null), written: doc.written };
  desk.paper.addEventListener('added', ({ target: row }) => {
    if (row instanceof Element) added = { row, written: doc.written };
    allowed(undo, true);
  });

  /** @param {'undo' | 'redo'} which @param {string} [did] what is undone, in the words in which it was told */
  async function step(which, did) {
    try {
      const row = which === 'undo' && did === undefined && unadded();
      if (row) return void (close = tell(`Undone: ${row} added.`));
      // Unsaved changes are stored first, so that an undo takes back the latest change.
      await doc.saved();
      if (buttons[which].getAttribute('aria-disabled') === 'true') return void tell(`There is nothing to ${which}.`);
      const { revision } = doc.stored;
      const { changed, author } = await next(desk, which);
      await learnNames([author]);
      const name = author && who(author, doc.stored.author);
      if (name && !(await agreed(which, changed, name))) return;
      // Undoes only the change that the user confirmed.
      if (doc.stored.revision !== revision) return step(which);
      const before = doc.stored;
      stepping = true;
      await doc.act('POST', `/${which}`).finally(() => void (stepping = false));
      const whose = name ? ` This was the change of ${name}.` : '';
      close = tell(`${WORDS[which].done}: ${did ?? changed}.${whose}`);
      desk.showFirst(before);
      allowed(redo, which === 'undo' || (await canRedo(desk)));
    } catch (error) {
      tellFailure(error);
      await allow();
    }
  }

  /** Removes the empty row that was added last, if nothing was written since, and returns its name. */
  function unadded() {
    const { row, written } = added;
    allowed(undo, doc.stored.version > 0);
    if (!row?.isConnected || !same(written, doc.written)) return '';
    const name = row.querySelector('.entry > [aria-label]')?.ariaLabel || 'Row';
    row.dispatchEvent(new Event('unadd'));
    return row.isConnected ? '' : name;
  }

  const allow = () =>
    canRedo(desk).then(
      (can) => allowed(redo, can),
      () => undefined,
    );

  onKeys(step, left);
  doc.addEventListener('undo', (event) => step('undo', /** @type {CustomEvent} */ (event).detail));
  doc.addEventListener('redo', () => step('redo'));
  doc.addEventListener('did', (event) => {
    const did = /** @type {CustomEvent} */ (event).detail;
    const { version } = doc.stored;
    const run = () => {
      if (doc.stored.version === version) step('undo', did);
      else tell('Something else was changed since. The history shows every change.');
    };
    close = tell(`${did}.`, { act: { label: 'Undo', run } });
  });
  doc.addEventListener('saving', () => {
    if (doc.isClean) return;
    allowed(redo, false);
    close();
  });
  doc.addEventListener('taken', (event) => {
    const { before } = /** @type {CustomEvent} */ (event).detail;
    allowed(undo, doc.stored.version > 0);
    if (stepping || !before) return;
    // After a newer version, there is nothing to redo. An older version means that somebody else has undone
    // something.
    if (doc.stored.version > before.version) allowed(redo, false);
    else if (doc.stored.version < before.version) allow();
  });
  allowed(redo, false);
  allowed(undo, doc.stored.version > 0);
  whenPainted(() => doc.whenStored(allow));
  return el('div', { class: 'steps acts' }, undo, redo);
}

/**
 * Returns what an undo or a redo would change, and the user whose change this is, if it is somebody else.
 * @param {Desk} desk @param {'undo' | 'redo'} which @returns {Promise<{ changed: string, author: string | null }>}
 */
async function next({ doc, root, left }, which) {
  const { data: after } = await doc.act('POST', `/${which}?dryRun=true`);
  const version = Math.max(doc.stored.version, after.version);
  const path = investigation(doc.id, `/versions?limit=1&before=${version + 1}`);
  const { data: records } = await call('GET', path, { signal: left });
  const by = records[0]?.by ?? null;
  const states = which === 'undo' ? [after, doc.stored] : [doc.stored, after];
  return { changed: summary(states[0], states[1], root), author: by === user() ? null : by };
}

/**
 * Returns true if there is something to redo: the newest version has been undone.
 * @param {Desk} desk
 */
async function canRedo({ doc, left }) {
  const { data: newest } = await call('GET', investigation(doc.id, '/versions?limit=1'), { signal: left });
  return newest[0]?.undone === true;
}

/**
 * Handles the keys for undo and redo. In a text field, they need Alt, because without it they trigger the browser's own
 * undo.
 * @param {(which: 'undo' | 'redo') => void} step @param {AbortSignal} signal
 */
function onKeys(step, signal) {
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const writes = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    const which = event.altKey || !writes ? stepOf(event) : null;
    if (!which || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    step(which);
  };
  addEventListener('keydown', keys, { signal });
}

/**
 * Lets the user take back a change of rows. If it is the newest change, this is an ordinary undo, so that the next undo
 * goes back further. Otherwise the rows from before the change are merged into what was written since.
 * @param {HTMLElement} element the field @param {string} name @param {import('../doc/doc.js').Doc} doc
 * @returns {(did: string, before: any, after: any, isAlone: boolean) => void} called after a change, with what was
 *   done, and whether everything before it was saved
 */
export function takingBack(element, name, doc) {
  /** What the keys for undo and redo do while nothing was written since. @type {Record<string, () => void>} */
  let keys = {};
  /** The rows after the change. While the user is writing elsewhere, the keys trigger the browser's own undo. @type
   * {any} */
  let made;
  let isWritten = false;
  element.addEventListener('input', (event) => {
    const isUndo = event instanceof InputEvent && event.inputType === 'historyUndo';
    isWritten = !isUndo || !same(named(made), named(doc.value(name)));
  });
  element.addEventListener('keydown', (event) => {
    const act = isWritten ? undefined : keys[stepOf(event) ?? ''];
    if (!act) return;
    event.preventDefault();
    act();
  });
  return (did, before, after, isAlone) => {
    const { version } = doc.stored;
    /** The version that consists of this change only, if there is one: the first content of a lesson has no undo. */
    let own = NaN;
    doc.flush().then((isStored) => {
      if (isStored && isAlone && doc.stored.version > version) own = doc.stored.version;
    });
    const turn = (/** @type {'undo' | 'redo'} */ which, /** @type {any} */ from, /** @type {any} */ to) => {
      doc.put(name, merge(named(from), named(to), doc.value(name)).value, faultIn(element));
      tell(`${WORDS[which].done}: ${did}.`);
    };
    let isVersion = false;
    const back = async () => {
      close();
      keys = {};
      isVersion = (await doc.flush()) && doc.stored.version === own;
      if (isVersion) doc.tell('undo', did);
      else turn('undo', after, before);
      keys = { redo: forth };
    };
    const forth = () => {
      keys = { undo: back };
      if (isVersion) doc.tell('redo');
      else turn('redo', before, after);
    };
    const close = tell(`${did}.`, { act: { label: 'Undo', run: back } });
    keys = { undo: back };
    [made, isWritten] = [after, false];
  };
}
