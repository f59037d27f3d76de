// @ts-check
// Shows changes: for each changed place, such as “Step 3, minutes”, the old value and the new value.

import { el, heard, said } from '../core/dom.js';
import { differences, reverted, words } from '../text/diff.js';
import { STATUSES, counted, spoken } from '../text/words.js';
import { ask } from '../core/notice.js';
import { frame } from '../form/picture.js';
import { idsIn, isId } from '../text/picture_refs.js';
import { isNumber, isObject, own, steps } from '../text/values.js';
import { UNPLACED, content, fieldLabel, label, resolved } from '../core/schema.js';
import { statusesByHand } from '../core/constants.js';

/** Maximum number of changes that are shown. Further changes are only counted. */
const SHOWN = 200;

/** Texts for pictures, for screen readers. */
const THUMBS = { del: '[picture gone]', ins: '[new picture]' };

/** Returns a value as readable text. @param {any} value @returns {string} */
export function plain(value) {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isNumber(value) || typeof value === 'boolean') return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(plain).join('\n');
  const words = spoken(value);
  if (words !== null) return words;
  const parts = Object.entries(value).map(([name, part]) => {
    const lead = label(name, {});
    return isObject(part) || Array.isArray(part) ? `${lead}:\n${plain(part)}` : `${lead}: ${plain(part)}`;
  });
  return parts.join('\n');
}

/**
 * Returns the content before a record, and its changes. A record compares lists by index and misses moved entries, so
 * this rebuilds the content before it, and compares this with `after` in a way that finds them.
 * @param {{ changes: { fieldPath: string, before: any, after: any }[] }} record @param {any} after
 */
export function changesOf({ changes }, after) {
  // The status is not part of the content, so only the record contains it.
  const [ofStatus, ofContent] = [true, false].map((is) =>
    changes.filter(({ fieldPath }) => is === (fieldPath === 'status')),
  );
  const before = (ofContent ?? []).reduceRight(
    (state, change) => reverted(state, steps(change.fieldPath), change.before),
    after,
  );
  const named = (/** @type {string} */ status) => STATUSES[status]?.words ?? status;
  const statuses = (ofStatus ?? []).map((one) => ({
    path: ['Status'],
    before: named(one.before),
    after: named(one.after),
  }));
  return { before, changes: [...differences(before, after), ...statuses] };
}

/** Returns an element that marks the differences between two texts. @param {string} before @param {string} after */
export function marked(before, after) {
  return el(
    'p',
    { class: 'diff', dir: 'auto' },
    words(before, after).map(({ kind, text }) => {
      if (kind === 'same') return shortened(text);
      return kind === 'gone'
        ? el('del', {}, heard('[gone: '), text, heard(']'))
        : el('ins', {}, heard('[new: '), text, heard(']'));
    }),
  );
}

/**
 * Returns the differences between two values: of their texts, and the pictures that only one of them has.
 * @param {any} before @param {any} after @param {string} [docId] of the pictures; without it, they are not shown
 */
export function changed(before, after, docId) {
  const [gone, fresh] = [before, after].map((value) => (isId(value) ? [value] : idsIn(value)));
  const shown = (/** @type {string[]} */ ids, /** @type {string[]} */ others, /** @type {'del' | 'ins'} */ tag) =>
    docId !== undefined &&
    ids
      .filter((id) => !others.includes(id))
      .map((id) => el(tag, { class: 'thumb' }, heard(THUMBS[tag]), frame(docId, { id, alt: '' })));
  const words = isId(before) && isId(after) ? el('p', {}, 'another picture') : marked(plain(before), plain(after));
  return [words, shown(gone ?? [], fresh ?? [], 'del'), shown(fresh ?? [], gone ?? [], 'ins')];
}

/** Shortens a long unchanged passage in the middle. @param {string} text */
function shortened(text) {
  return text.length > 400 ? `${text.slice(0, 160)} … ${text.slice(-160)}` : text;
}

/**
 * Returns the name of a path, as the service writes it: "Step 3", "Material 2, quantity", "Group size". If a list
 * entry has only one required part, the name of this part is left out.
 * @param {(string | number)[]} path @param {any} root @returns {string}
 */
export function placeName(path, root) {
  let schema = resolved(root, root);
  let inElement = false;
  /** @type {string[]} */
  const parts = [];
  for (const step of path.map(String)) {
    const known = own(schema.properties, step);
    const last = parts.length - 1;
    if (!known && last >= 0 && /^\d+$/.test(step)) {
      schema = resolved(schema.items, root);
      if (schema.title && inElement) parts.push(`${within(schema.title)} ${Number(step) + 1}`);
      else parts[last] = `${schema.title || parts[last]} ${Number(step) + 1}`;
      inElement = true;
      continue;
    }
    const standsForElement = inElement && schema.required?.length === 1 && schema.required[0] === step;
    schema = resolved(known, root);
    const title = known || step === UNPLACED ? label(step, schema) : step;
    const group = parts[last]?.toLowerCase().replace(/s$/, '') ?? '';
    if (last < 0) parts.push(title);
    else if (!inElement && title.toLowerCase().includes(group)) parts[last] = title;
    else if (!standsForElement) parts.push(known ? within(title) : title);
    inElement = false;
  }
  return parts.join(', ');
}

/** Maximum number of fields that a summary names. Further fields are only counted. */
const NAMED = 3;

/**
 * Says in a few words what a change did: “Step 2 moved to 3; Status”.
 * @param {any} before @param {any} after investigations @param {any} root
 */
export function summary(before, after, root) {
  /** @type {Map<string, Set<string>>} */
  const fields = new Map();
  for (const change of differences(content(before), content(after))) {
    const field = String(change.path[0]);
    fields.set(field, (fields.get(field) ?? new Set()).add(actOf(change, root)));
  }
  const all = [...fields].map(([field, [first = '', ...rest]]) =>
    rest.length === 0 ? first : `${fieldLabel(field, root)} in ${rest.length + 1} places`,
  );
  // A draft status follows from the content.
  const isByHand = [before.status, after.status].some((status) => statusesByHand.includes(status));
  if (isByHand && before.status !== after.status) all.push('Status');
  const more = all.length - NAMED;
  return `${all.slice(0, NAMED).join('; ')}${more > 0 ? ` and ${counted(more, 'more field')}` : ''}`;
}

/** @param {import('../text/diff.js').Difference} change @param {any} root */
function actOf({ path, before, after, movedFrom }, root) {
  const [name, at] = [placeName(path, root), path.at(-1)];
  if (typeof at !== 'number') return name;
  if (movedFrom !== undefined) return `${placeName([...path.slice(0, -1), movedFrom], root)} moved to ${at + 1}`;
  return before === undefined ? `${name} added` : after === undefined ? `${name} removed` : name;
}

/** Returns a title for use inside a name: "Minutes" becomes "minutes", but "DNA" is unchanged. @param {string} title */
function within(title) {
  return /^.\p{Lu}/u.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** @param {string} words */
const quoted = (words) => words && [' ', said(`“${words}”`)];

/** Returns the first part of a list entry, shortened. @param {any} entry */
function firstWords(entry) {
  const text = plain(isObject(entry) ? Object.values(entry)[0] : entry);
  return text.length > 80 ? `${text.slice(0, 78).replace(/\s+\S*$/, '')} …` : text;
}

/**
 * Returns the first words of the list entry that a change is in; '' if the change is to those words, or not to a part
 * of an entry.
 * @param {(string | number)[]} path @param {any} content
 */
function entryOf(path, content) {
  const [field = '', at = ''] = path;
  const entry = path.length > 2 ? own(own(content, field), at) : undefined;
  return isObject(entry) && Object.keys(entry)[0] !== path[2] ? firstWords(entry) : '';
}

/**
 * @param {import('../text/diff.js').Difference[]} changes @param {any} root @param {any} [content] with the changes
 * @param {string} [docId]
 */
export function changeList(changes, root, content, docId) {
  const shown = changes.slice(0, SHOWN);
  return el(
    'dl',
    { class: 'changes' },
    shown.map(({ path, before, after, movedFrom }) => [
      el(
        'dt',
        {},
        said(placeName(isId(after) ? path.slice(0, -1) : path, root)),
        typeof path.at(-1) === 'number' && after === undefined && ' before',
        quoted(entryOf(path, content)),
      ),
      movedFrom === undefined
        ? el('dd', {}, changed(before, after, docId))
        : el('dd', {}, `moved here from place ${movedFrom + 1}: `, said(firstWords(after))),
    ]),
    changes.length > SHOWN && el('dt', {}, `and ${changes.length - SHOWN} more`),
  );
}

/**
 * Shows the changes that an operation would make, and asks the user whether to make them.
 * @param {string} title @param {{ before: any, after: any, root: any, said?: any, beside?: any, take: string }} shown
 * @returns {Promise<boolean>}
 */
export async function preview(title, { before, after, root, said: words_, beside, take }) {
  const changes = differences(before, after);
  if (changes.length === 0) {
    await ask(title, [words_, el('p', {}, 'Nothing would change.')], [{ label: 'Close', answer: false }]);
    return false;
  }
  const answers = [
    { label: 'Leave as it is', answer: false },
    { label: take, answer: true, class: 'primary' },
  ];
  return Boolean(await ask(title, [words_, changeList(changes, root, after), beside], answers, { wide: true }));
}
