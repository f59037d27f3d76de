// @ts-check
// Print preview of a sheet: its audience, and the QR code of a link.

import { call, investigation, readLesson, service } from '../core/api.js';
import { maxEntries } from '../core/constants.js';
import { button, choice, el, labelled } from '../core/dom.js';
import { keyed } from '../core/keyed.js';
import { UNREACHABLE, address, isLocal, path, readable } from './link_address.js';
import { CLOSED, closedBecause, SHOWS } from './link_options.js';
import { sheetAddress, sheetFrame } from './sheet.js';
import { tabs } from '../core/menu.js';
import { titleOf } from '../text/words.js';

/** The audiences of a sheet. */
const AUDIENCES = { pupils: 'Pupils', class: 'Pupils, with lines to write on', teachers: 'Teachers: the whole lesson' };

/**
 * Returns the sheet with the QR code of a link.
 * @param {import('../core/app.js').View} view @param {string} docId @param {string} key @param {string} subLink
 */
export function handout(view, docId, key, subLink) {
  return sheet(view, docId, 'pupils', (links) => {
    const known = links.find((link) => link.key === key && link.subLink === subLink);
    return known ?? { key, subLink };
  });
}

/**
 * Returns a sheet with the QR code of the only open link. If there are several, the user chooses one on the sheet.
 * @param {import('../core/app.js').View} view @param {string} docId @param {string} kind
 */
export function printed(view, docId, kind) {
  return sheet(view, docId, kind === 'lesson' ? 'teachers' : 'pupils', (links) => {
    const open = links.filter((link) => !closedBecause(link));
    return open.length === 1 ? open[0] : undefined;
  });
}

/**
 * @param {import('../core/app.js').View} view @param {string} docId @param {keyof typeof AUDIENCES} first
 * @param {(links: any[]) => any} choose returns the link whose code is shown first; undefined for none
 */
async function sheet({ signal, way }, docId, first, choose) {
  const [{ data, mayChange }, { data: links }] = await Promise.all([
    readLesson(docId, { signal }),
    call('GET', investigation(docId, `/links?limit=${maxEntries}`), { signal }),
  ]);
  tabs(way, docId, 'print', mayChange);
  const title = titleOf(data);
  document.title = `${title} · Fieldbook`;
  const place = el('div', {});
  const code = await codeOf(links, choose(links), () => mark());
  /** The frame that is shown. @type {HTMLIFrameElement} */
  let frame;

  /** Puts the code of the link below the title of the sheet, and into its Word document. */
  async function mark() {
    const link = code.chosen();
    const query = { for: whom.value, format: 'docx', ...(link && { link: `${link.key}/${link.subLink}` }) };
    word.href = sheetAddress(docId, query);
    const figure = link && (await codeFigure(link));
    const shown = frame.contentDocument;
    // The frame looks like the printed page.
    shown?.documentElement.classList.add('paper');
    shown?.querySelector('.link')?.remove();
    if (figure) shown?.querySelector('h1')?.after(figure);
    frame.dispatchEvent(new Event('fit'));
  }

  function show() {
    frame = sheetFrame(docId, { for: whom.value });
    code.warn(whom.value);
    frame.addEventListener('load', mark);
    place.replaceChildren(frame);
    mark();
  }

  /** Link to the same sheet as a Word document, which can be changed. @type {HTMLAnchorElement} */
  const word = el('a', { class: 'button', download: '' }, 'Word');
  const print = () => frame.contentWindow?.print();
  const whom = choice(Object.entries(AUDIENCES), first, { onchange: show });
  show();
  return el(
    'article',
    { class: 'handout' },
    el('h1', { class: 'heard', tabindex: -1, dir: 'auto' }, title),
    el(
      'div',
      { class: 'bar' },
      button('Print', print, { class: 'primary', 'data-prints': '' }),
      word,
      el('div', { class: 'which' }, labelled('For', whom)),
      code.menu,
    ),
    code.warnings,
    el('p', { class: 'on-paper' }, 'To print the sheet, press “Print” above it.'),
    place,
  );
}

/**
 * Creates the menu in which the user chooses the link whose QR code is on the sheet. Returns:
 * - `menu`: the menu; null if there are no links
 * - `chosen`: a function that returns the chosen link; undefined for no QR code
 * - `warnings`: the element with warnings about the chosen link
 * - `warn`: a function that updates the warnings for an audience
 *
 * @param {any[]} links @param {any} first the link that is shown first @param {() => void} changed
 */
async function codeOf(links, first, changed) {
  const { publicUrl } = await service();
  const leadsNowhere = isLocal(publicUrl ?? location.origin);
  const warnings = el('div', { class: 'warnings' });
  const open = links.filter((link) => link !== first && !closedBecause(link));
  const choices = first ? [first, ...open] : open;
  const options = choices.map((link, at) => [at, named(link)]);
  const menu = choice([['', 'No code'], ...options], first ? 0 : '', { onchange: () => [warn(reader), changed()] });
  const chosen = () => choices[menu.value === '' ? -1 : Number(menu.value)];
  let reader = '';
  const warn = (/** @type {string} */ whom) => {
    reader = whom;
    const link = chosen();
    const notes = [
      !link && choices.length > 1 && CHOOSE,
      link && closedBecause(link) && CLOSED,
      link?.shows === 'lesson' &&
        reader !== 'teachers' &&
        'This link shows pupils the whole lesson, with what is for teachers.',
      link?.shows === 'nothing' && 'This link shows no text. Change what it shows under “Links”.',
      link && leadsNowhere && UNREACHABLE,
    ].filter((note) => note);
    // A warning that stays is not announced again.
    keyed(warnings, notes, { key: (note) => note, make: warning });
  };
  const box = el('div', { class: 'which' }, labelled('QR code', menu));
  return { warnings, warn, menu: choices.length > 0 ? box : null, chosen };
}

/** Returns the name of a link, and what it shows if that is not what pupils read. @param {any} link */
function named({ key, subLink, shows }) {
  const other = shows === 'handout' ? undefined : SHOWS[shows];
  return other ? `${key}/${subLink} (${other.toLowerCase()})` : `${key}/${subLink}`;
}

const CHOOSE = 'There are several open links. Choose the one whose code pupils get.';

/** @param {string} words */
const warning = (words) => el('p', words === CHOOSE ? {} : { class: 'alarm', role: 'alert' }, words);

/** @param {import('./link_address.js').LinkName} link */
async function codeFigure(link) {
  const where = address(link, (await service()).publicUrl);
  const alt = `QR code of ${link.key}/${link.subLink}`;
  return el(
    'figure',
    { class: 'link' },
    el('img', { src: path(link, '/qr.svg'), alt, width: 180, height: 180 }),
    el(
      'figcaption',
      { dir: 'ltr' },
      readable(where).map((part) => el('span', {}, part)),
    ),
  );
}
