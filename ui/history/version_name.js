// @ts-check
// Lets an author name a version, change the name, and remove it.

import { call, investigation } from '../core/api.js';
import { maxVersionName } from '../core/constants.js';
import { button, el, labelled, said } from '../core/dom.js';
import { menu } from '../core/menu.js';
import { attempt, confirmed, tell } from '../core/notice.js';

/** Returns the heading of a version: its name, if it has one, and its number. @param {any} record */
export function versionTitle({ version, name }) {
  return name
    ? [el('h3', {}, said(name)), el('span', { class: 'muted' }, `Version ${version}`)]
    : el('h3', {}, `Version ${version}`);
}

/**
 * Returns the menu with the buttons that name a version, rename it, and remove its name.
 * @param {string} docId @param {any} record
 * @param {(now: any, name: string | null) => void} named gets the investigation and the name afterwards
 */
export function versionMenu(docId, record, named) {
  const { version, name } = record;
  /** @param {string | null} name @param {string | null} [before] */
  function rename(name, before = record.name ?? null) {
    return attempt(async () => {
      const { data } = await call('PATCH', investigation(docId, `/versions/${version}`), { body: { name } });
      named(data, name);
      tell(name ? `Version ${version} is called “${name}” now.` : `Version ${version} has no name now.`, {
        act: { label: 'Undo', run: () => rename(before, name) },
      });
    });
  }
  return menu(`Actions for version ${version}`, [
    button(name ? 'Rename …' : 'Name this version …', () => chooseName(record, rename)),
    name && button('Remove the name', () => rename(null)),
  ]);
}

/** @param {any} record @param {(name: string | null) => Promise<void>} rename */
async function chooseName(record, rename) {
  const field = el('input', {
    value: record.name ?? '',
    maxlength: maxVersionName,
    dir: 'auto',
    autocomplete: 'off',
    autofocus: true,
  });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    form.closest('dialog')?.querySelector('.answers .primary')?.click();
  };
  const form = el('form', { onsubmit: submit }, labelled('Name, such as “before the trial”', field));
  const saves = await confirmed(`Name version ${record.version}`, form, 'Save', { class: 'primary' });
  const name = field.value.trim() || null;
  if (saves && name !== (record.name ?? null)) await rename(name);
}
