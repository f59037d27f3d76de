// @ts-check
// Undo and redo: by button and by key. Says what changed, and shows it.

import { call, investigation } from './api.js';
import { placeName } from './changes.js';
import { differences } from './diff.js';
import { button, el } from './dom.js';
import { tell, tellFailure } from './notice.js';
import { icon } from './icons.js';
import { content } from './schema.js';

/** More places than this are counted, not named. */
const NAMED = 3;

/** @param {any} before @param {any} after @param {any} root */
function named(before, after, root) {
  const places = [...new Set(differences(content(before), content(after)).map(({ path }) => placeName(path, root)))];
  const more = places.length - NAMED;
  return `${places.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * @param {import('./doc.js').Doc} doc @param {any} root @param {AbortSignal} signal
 * @param {(field: string) => void} show brings a field into view
 */
export function historySteps(doc, root, signal, show) {
  const shortcut = (/** @type {string} */ keys) => ({
    class: 'quiet',
    title: keys.replaceAll('+', ' + ').replace('Control', 'Ctrl'),
    'aria-keyshortcuts': keys,
  });
  const undo = button([icon('undo'), el('span', {}, 'Undo')], () => step('undo'), shortcut('Control+Alt+Z'));
  const redo = button([icon('redo'), el('span', {}, 'Redo')], () => step('redo'), shortcut('Control+Alt+Shift+Z'));

  /** @param {'undo' | 'redo'} which */
  async function step(which) {
    try {
      // What is written now is stored first, so it is what an undo takes back.
      await doc.flush();
      const before = doc.stored;
      await doc.act('POST', `/${which}`);
      const places = named(before, doc.stored, root);
      tell(`${which === 'undo' ? 'Undone' : 'Redone'}${places ? `: ${places}` : ''}.`);
      const [first] = differences(content(before), content(doc.stored));
      if (first) show(String(first.path[0]));
      redo.disabled = which === 'redo' ? !(await canRedo()) : false;
    } catch (error) {
      tellFailure(error);
      await allow();
    }
  }

  /** Whether something newer was undone. The newest record says so, where there is one. */
  async function canRedo() {
    const { data: newest } = await call('GET', investigation(doc.id, '/versions?limit=1'), { signal });
    return newest[0]?.undone === true;
  }

  const allow = () =>
    canRedo().then(
      (can) => void (redo.disabled = !can),
      () => undefined,
    );

  const keys = (/** @type {KeyboardEvent} */ event) => {
    const writes = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    const meant = (event.ctrlKey || event.metaKey) && (event.altKey || !writes) && event.code === 'KeyZ';
    if (!meant || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    step(event.shiftKey ? 'redo' : 'undo');
  };
  addEventListener('keydown', keys, { signal });
  doc.addEventListener('saving', () => {
    if (!doc.isClean) redo.disabled = true;
  });
  doc.addEventListener('taken', () => void (undo.disabled = doc.stored.version === 0));
  redo.disabled = true;
  undo.disabled = doc.stored.version === 0;
  allow();
  return el('div', { class: 'steps acts' }, undo, redo);
}
