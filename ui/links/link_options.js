// @ts-check
// The options of a link: what its page shows, and when it closes.

import { investigation, once } from '../core/api.js';
import { maxEntries } from '../core/constants.js';
import { checked, choice, el, field, unfinished } from '../core/dom.js';

/** What the page of a link can show, in words. @type {Record<string, string>} */
export const SHOWS = { handout: 'What pupils read', lesson: 'The whole lesson', nothing: 'No text' };

/** When a link closes if no time is given. */
const LAST = '23:59';
const DAY = 'Add a date, or clear the time.';

/**
 * Returns the controls for the options of a link, and a function that reads their values.
 * @param {any} link the link as it is, or the options of a new one
 * @param {{ docId: string, version: number }} place the investigation, and its current version
 */
export function optionControls(link, { docId, version }) {
  const shows = choice(Object.entries(SHOWS), link.shows ?? 'handout');
  const newest = [
    ['', 'Always the newest'],
    [version, `As it is now (version ${version})`],
  ];
  const isOther = ![null, undefined, version].includes(link.version);
  const fixed = choice(isOther ? [...newest, [link.version, `Version ${link.version}`]] : newest, link.version ?? '');
  const named = once(investigation(docId, `/versions?named=true&limit=${maxEntries}`));
  /** Offers the versions that have a name. */
  async function nameVersions() {
    const { data } = await named().catch(() => ({ data: [] }));
    for (const { version, name } of data) {
      const words = `“${name}” (version ${version})`;
      const known = [...fixed.options].find((/** @type {HTMLOptionElement} */ one) => one.value === String(version));
      if (known) known.textContent = words;
      else fixed.append(el('option', { value: String(version) }, words));
    }
  }
  const [day, hour = ''] = localTime(link.expiresAt).split('T');
  const closes = el('input', { type: 'date', value: day });
  /** Returns when the link closes. Without a time, this is the end of the day. */
  const moment = () => (closes.value ? new Date(`${closes.value}T${at.value || LAST}`) : null);
  const isPast = () => Number(moment() ?? Infinity) <= Date.now();
  const past = () =>
    isPast() ? 'This time is in the past: the link would close at once.' : at.value && !closes.value ? DAY : '';
  const at = el('input', { type: 'time', value: hour, oninput: () => closes.dispatchEvent(new Event('input')) });
  const most = el('input', { type: 'number', min: 1, step: 1, value: link.maxVisits ?? '' });
  return {
    shows: field('The link shows', shows),
    more: [
      field('Text', fixed),
      checked('Closes on', closes, past),
      checked(`At (if empty, ${LAST})`, at),
      checked('Maximum visits', most),
    ],
    /** Returns the first control that is not complete, if any. */
    unfinished: () => [closes, at, most].find(unfinished) ?? (at.value && !closes.value ? closes : undefined),
    closes,
    isPast,
    nameVersions,
    values: () => ({
      shows: shows.value,
      version: fixed.value === '' ? null : Number(fixed.value),
      expiresAt: moment()?.toISOString() ?? null,
      maxVisits: most.value === '' ? null : Number(most.value),
    }),
  };
}

/** Returns a time as the values of the two controls, with a T between them. @param {string | null | undefined} at */
function localTime(at) {
  if (!at) return '';
  const moment = new Date(at);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The warning where the code of a closed link is shown. */
export const CLOSED = 'This link is closed: its code does not work until you open it again.';

/** Returns why a link is closed, or null if it is open. @param {any} link @returns {string | null} */
export function closedBecause(link) {
  if (link.archived) return 'closed';
  if (link.expiresAt && Date.parse(link.expiresAt) <= Date.now()) return 'expired';
  return link.maxVisits !== null && link.visitCount >= link.maxVisits ? 'used up' : null;
}
