// @ts-check
// Shows a version whole, and compares any two versions.

import { call, investigation, wordsOf } from '../core/api.js';
import { changeList } from './changes.js';
import { differences } from '../text/diff.js';
import { choice, el } from '../core/dom.js';
import { field } from '../links/link_options.js';
import { ask } from '../core/notice.js';
import { content } from '../core/schema.js';
import { sheetFrame } from '../links/sheet.js';

const CLOSE = [{ label: 'Close', answer: null }];

/** @param {string} docId @param {number | string} version @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function readVersion(docId, version, signal) {
  return (await call('GET', investigation(docId, `/versions/${version}`), { signal })).data;
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
  const named = all.map(({ version, name }) => [version, name]);
  const [before, after] = [from, to].map((chosen) => choice(named, chosen, { onchange: show }));
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
  const body = [el('div', { class: 'make' }, field('From', before), field('To', after)), place];
  return ask('Compare versions', body, CLOSE, { wide: true });
}
