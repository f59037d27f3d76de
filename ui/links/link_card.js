// @ts-check
// One link: its QR code and address, its visits, and its actions.

import { call } from '../core/api.js';
import { visitsOf } from './chart.js';
import { copy } from '../core/clipboard.js';
import { maxLinkDescription } from '../core/constants.js';
import { button, el, field } from '../core/dom.js';
import { icon } from '../core/icons.js';
import { address, path, readable } from './link_address.js';
import { SHOWS, closedBecause, optionControls } from './link_options.js';
import { menu } from '../core/menu.js';
import { attempt, confirmed, tell } from '../core/notice.js';
import { project } from './projector.js';
import { counted, momentOf } from '../text/words.js';
import { time } from '../core/people.js';

/**
 * @typedef {{ docId: string, version: number, publicUrl: string | null, mayChange: boolean }} Lesson
 * @typedef {Lesson & { signal: AbortSignal, changed: () => void }} Place
 */

/**
 * Shows a link, and shows it again at each event `counted` of the window.
 * @param {any} link @param {Place} place @returns {HTMLElement}
 */
export function linkCard(link, place) {
  const name = nameOf(link);
  const where = address(link, place.publicUrl);
  const facts = factsOf(link, where);
  const closing = button('', () => attempt(() => change({ archived: !link.archived })));

  function refresh() {
    facts.refresh();
    closing.textContent = link.archived ? 'Open again' : 'Close link';
    closing.ariaLabel = `${closing.textContent} ${name}`;
  }

  /** @param {any} body */
  async function change(body) {
    Object.assign(link, (await call('PATCH', path(link), { body })).data);
    refresh();
  }

  function actions() {
    const sheet = `#/i/${place.docId}/handout/${encodeURIComponent(link.key)}/${encodeURIComponent(link.subLink)}`;
    // Closing the system's share dialog without choosing an app is not an error.
    const share = () => navigator.share({ url: where }).catch(() => undefined);
    const take = () => copy(where, 'The address was copied.', `Copying did not work. The address is ${where}`);
    const copies = button('Copy', take, { 'aria-label': `Copy the address of ${name}` });
    const shares = 'share' in navigator && button('Share', share, { 'aria-label': `Share the address of ${name}` });
    const isPhone = matchMedia('(pointer: coarse)').matches;
    const [first, second] = shares && isPhone ? [shares, copies] : [copies, shares];
    first.className = 'primary';
    return [
      first,
      second,
      button('Show', () => project(link, where), { 'aria-label': `Show the code of ${name} full screen` }),
      el('a', { class: 'button', href: sheet, 'aria-label': `Sheet with ${name}` }, 'Sheet'),
      place.mayChange &&
        menu(`Actions for ${name}`, [
          button('Change …', () => choose(link, place, change), { 'aria-label': `Change ${name}` }),
          closing,
          button('Delete', () => remove(link, place.changed), { class: 'grave', 'aria-label': `Delete ${name}` }),
        ]),
    ];
  }

  addEventListener('counted', refresh, { signal: place.signal });
  refresh();
  const acts = el('div', { class: 'acts' }, actions());
  const what = el('div', { class: 'what' }, el('h2', {}, name), facts.elements);
  return el('li', { 'data-link': name }, qrCode(link), what, acts, chartOf(link, place.signal));
}

/** @param {any} link */
export function nameOf({ key, subLink }) {
  return `${key}/${subLink}`;
}

/** @param {any} link */
function qrCode(link) {
  return el('img', {
    class: 'qr',
    src: path(link, '/qr.svg'),
    alt: `QR code of ${nameOf(link)}`,
    width: 112,
    height: 112,
    loading: 'lazy',
  });
}

/** Returns the facts about a link, except its name. @param {any} link @param {string} where its address */
function factsOf(link, where) {
  const visits = el('strong', {});
  const state = el('p', { class: 'facts' });
  const purpose = el('p', { dir: 'auto' });

  function refresh() {
    const most = link.maxVisits === null ? '' : ` of ${link.maxVisits}`;
    visits.textContent = `${counted(link.visitCount, 'visit')}${most}`;
    purpose.textContent = link.description;
    purpose.hidden = !link.description;
    const closed = closedBecause(link);
    state.replaceChildren(
      closed ? el('span', { class: 'badge alarm' }, icon('warning'), closed) : '',
      el('span', {}, `Shows: ${SHOWS[link.shows] ?? link.shows}`),
      link.version === null ? '' : el('span', {}, `version ${link.version}`),
      link.expiresAt && !closed ? el('span', {}, `closes ${momentOf(new Date(link.expiresAt))}`) : '',
    );
  }

  // The address is not a link, because a click by the author would count as a visit.
  const parts = readable(where).map((part) => el('span', {}, part));
  const address = el('p', { class: 'address' }, parts);
  const made = el('p', { class: 'muted' }, visits, ' · made ', time(link.createdAt));
  return { elements: [purpose, address, state, made], refresh };
}

/**
 * Asks the user what to change about a link.
 * @param {any} link @param {Place} place @param {(body: any) => Promise<void>} change
 */
async function choose(link, place, change) {
  const { shows, more, values, nameVersions, unfinished } = optionControls(link, place);
  nameVersions();
  const about = el('input', { maxlength: maxLinkDescription, dir: 'auto', value: link.description });
  const body = el('div', { class: 'make' }, field('Purpose', about), shows, more);
  const act = async () => {
    unfinished()?.focus();
    if (unfinished()) throw new Error('Complete what is marked.');
    await change({ description: about.value, ...values() });
  };
  const isChanged = await confirmed(`Change ${nameOf(link)}`, body, 'Change it', { class: 'primary', act });
  if (isChanged) tell(`The link ${nameOf(link)} is changed.`);
}

/** Deletes a link if the user confirms this. @param {any} link @param {() => void} gone called when it is deleted */
async function remove(link, gone) {
  const visits = counted(link.visitCount, 'visit');
  const words = `${nameOf(link)} will stop working, and its count of ${visits} will be deleted.`;
  if (!(await confirmed('Delete this link?', el('p', {}, words), 'Delete'))) return;
  await attempt(async () => {
    await call('DELETE', path(link));
    gone();
    tell('The link was deleted.');
    /** @type {HTMLElement | null} */ (document.querySelector('main h1'))?.focus();
  });
}

/** @param {any} link @param {AbortSignal} signal */
function chartOf(link, signal) {
  const chart = el('div', { class: 'chart' });
  const box = el(
    'details',
    {
      ontoggle: () => {
        if (box.open && !chart.hasChildNodes()) visitsOf(link, chart, signal);
      },
    },
    el('summary', {}, 'Visits per day'),
    chart,
  );
  return box;
}
