// @ts-check
// Shows a version whole, compares any two, lets an author name them, and shows the history of one field.

import { call, investigation, service, wordsOf } from '../core/api.js';
import { changeList, changed } from './changes.js';
import { differences } from '../text/diff.js';
import { button, choice, el, field, labelled, said } from '../core/dom.js';
import { ask, attempt, confirmed, tell, work } from '../core/notice.js';
import { content, fieldLabel } from '../core/schema.js';
import { sheetFrame } from '../links/sheet.js';
import { maxEntries, maxVersionName } from '../core/constants.js';
import { learnNames, time, who } from '../core/people.js';
import { escaped, isBlank, mergePatch, own, same, steps } from '../text/values.js';
import { clockOf, dayOf, helper } from '../text/words.js';

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
 * @param {string} docId @param {any} root @param {any[]} records of the versions
 * @param {{ from: number, to: number }} first the versions that are compared first; the second is the state now
 */
export function compareVersions(docId, root, records, { from, to }) {
  const named = records.map(({ version, name, at, changes }) => {
    const moment = new Date(at);
    const day = dayOf(moment) === dayOf(new Date()) ? '' : dayOf(moment);
    const fields = changes.map((/** @type {any} */ one) => fieldLabel(steps(one.fieldPath)[0] ?? '', root));
    const what = name ? `“${name}”` : [...new Set(fields)].join(', ');
    const parts = [version, version === to ? 'now' : clockOf(moment), day, what];
    return [version, parts.filter(Boolean).join(' · ')];
  });
  named.push([0, 'The beginning']);
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

/** Returns the heading of a version: its name, if it has one, and its number. @param {any} record */
export function versionTitle({ version, name }) {
  return name
    ? [el('h3', {}, said(name)), el('span', { class: 'muted' }, `Version ${version}`)]
    : el('h3', {}, `Version ${version}`);
}

/**
 * Returns the buttons that name a version, rename it, and remove its name.
 * @param {string} docId @param {any} record
 * @param {(now: any, name: string | null) => void} named gets the investigation and the name afterwards
 */
export function namings(docId, record, named) {
  const { version, name } = record;
  /** @param {string | null} name @param {string | null} [before] */
  function rename(name, before = record.name ?? null) {
    return attempt(async () => {
      const { data } = await call('PATCH', investigation(docId, `/versions/${version}`), { body: { name } });
      named(data, name);
      tell(name ? `Version ${version} is now called “${name}”.` : `Version ${version} no longer has a name.`, {
        act: { label: 'Undo', run: () => rename(before, name) },
      });
    });
  }
  return [
    button(name ? 'Rename …' : 'Name this version …', () => chooseName(record, rename)),
    name && button('Remove the name', () => rename(null)),
  ];
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

/** @param {string} field @param {import('../form/desk.js').Desk} desk */
export function fieldHistory(field, { doc, root, left }) {
  return attempt(async () => {
    await doc.saved();
    const path = encodeURIComponent(escaped(field));
    const answer = await work(
      'Fetching the history …',
      (signal) => call('GET', investigation(doc.id, `/history/${path}?limit=${maxEntries}`), { signal }),
      left,
    );
    if (!answer) return;
    const { subject } = helper((await service()).converses);
    await learnNames(answer.data.map((/** @type {any} */ record) => record.by));
    await showHistory(doc, field, fieldLabel(field, root), answer.data, subject);
  });
}

/**
 * Returns buttons that undo the changes of a version, one for each field that still has the value of that version.
 * @param {any} now the investigation @param {any} before the content before the version @param {any} after
 * @param {any} root
 */
export function fieldUndos(now, before, after, root) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const undone = (/** @type {string} */ name) =>
    attempt(async () => {
      const body = { [name]: mergePatch(own(now, name), own(before, name)) };
      await call('PATCH', investigation(now._id), { body, revision: now.revision });
      tell(`${fieldLabel(name, root)} is as it was before.`, { stays: true });
      location.hash = `#/i/${now._id}`;
    });
  return names
    .filter((name) => !same(own(before, name), own(after, name)) && same(own(now, name), own(after, name)))
    .map((name) => button(`Undo the change of ${fieldLabel(name, root)}`, () => undone(name), { class: 'link' }));
}

/**
 * Makes an earlier value the value of a field, unless something is not saved, which this would replace.
 * @param {import('../doc/doc.js').Doc} doc @param {string} field @param {any} value
 */
export async function putBack(doc, field, value) {
  await doc.saved();
  await doc.put(field, value);
}

/**
 * @param {import('../doc/doc.js').Doc} doc @param {string} field @param {string} name @param {any[]} records
 * @param {string} subject
 */
function showHistory(doc, field, name, records, subject) {
  /** Returns the button that restores a value. @param {any} value @param {string} when */
  const restores = (value, when) => {
    const restore = () => {
      body.closest('dialog')?.querySelector('.answers button')?.click();
      return attempt(() => putBack(doc, field, value));
    };
    const props = { class: 'link', 'aria-label': `Restore this: ${name} ${when}` };
    return !same(value, doc.value(field)) && button('Restore this', restore, props);
  };
  const entry = (/** @type {any} */ record) =>
    el(
      'li',
      { class: record.undone ? 'undone' : '' },
      el(
        'p',
        {},
        el('strong', {}, record.name && [said(record.name), ', '], `Version ${record.version} `),
        record.withAI ? `by ${subject}, asked by ` : 'by ',
        said(who(record.by, doc.stored.author)),
        record.undone && [' · ', el('span', { class: 'badge' }, 'undone')],
        ' · ',
        time(record.at),
      ),
      changed(record.before, record.after, doc.id),
      restores(record.after, `of version ${record.version}`),
    );
  const oldest = records.at(-1);
  /** What the field had before all these changes. */
  const first = () => {
    const when = records.length < maxEntries ? 'At the beginning' : `Before version ${oldest.version}`;
    const value = isBlank(oldest.before) ? el('p', {}, '(empty)') : changed(oldest.before, oldest.before, doc.id);
    return el('li', {}, el('p', {}, el('strong', {}, when)), value, restores(oldest.before, when.toLowerCase()));
  };
  const body =
    records.length === 0
      ? el('p', {}, 'It has not been changed since the beginning.')
      : el('ol', { class: 'timeline', reversed: true }, [records.map(entry), first()]);
  return ask(`History of ${name}`, body, [{ label: 'Close', answer: null }], { wide: true });
}
