// @ts-check
// Shows a version whole, and compares any two versions.

import { call, investigation, wordsOf } from './api.js';
import { changeList } from './changes.js';
import { differences } from './diff.js';
import { el, id } from './dom.js';
import { ask } from './notice.js';
import { content } from './schema.js';
import { sheetFrame } from './sheet.js';

const CLOSE = [{ label: 'Close', answer: null }];

/** @param {string} docId @param {number | string} version @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function readVersion(docId, version, signal) {
  return (await call('GET', investigation(docId, `/versions/${version}`), signal ? { signal } : {})).data;
}

/** @param {string} docId @param {number} version @param {string} title */
export function showVersion(docId, version, title) {
  return ask(title, sheetFrame(docId, { for: 'teachers', version }), CLOSE, { wide: true });
}

/**
 * Shows the differences between two versions, which the user chooses.
 * @param {string} docId @param {any} root @param {{ version: number, name: string }[]} all
 * @param {{ from: number, to: number }} first the versions that are compared first
 */
export function compareVersions(docId, root, all, { from, to }) {
  const choice = (/** @type {number} */ chosen) =>
    el(
      'select',
      { id: id('version'), onchange: show },
      all.map(({ version, name }) => el('option', { value: version, selected: version === chosen }, name)),
    );
  const [before, after] = [choice(from), choice(to)];
  const place = el('div', { 'aria-live': 'polite' });

  async function show() {
    const versions = [before.value, after.value];
    try {
      const [was, is] = await Promise.all(versions.map((version) => readVersion(docId, version)));
      if (versions.join() !== [before.value, after.value].join()) return;
      const changes = differences(content(was), content(is));
      place.replaceChildren(
        changes.length === 0 ? el('p', {}, 'They are the same.') : changeList(changes, root, content(is), docId),
      );
    } catch (error) {
      place.replaceChildren(el('p', { role: 'alert' }, wordsOf(error)));
    }
  }

  show();
  const row = (/** @type {string} */ label, /** @type {HTMLElement} */ control) =>
    el('div', {}, el('label', { for: control.id }, label), control);
  const body = [el('div', { class: 'make' }, row('From', before), row('To', after)), place];
  return ask('Compare versions', body, CLOSE, { wide: true });
}
