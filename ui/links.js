// @ts-check
// The links of an investigation: make, copy, hand out, count, delete.

import { Failure, call, investigation, service } from './api.js';
import { visitsOf } from './chart.js';
import { button, el, id, said } from './dom.js';
import { confirmed, tell, tellFailure } from './notice.js';
import { tabs } from './tabs.js';
import { counted, time, titleOf } from './words.js';

/** The most links that are shown at once. */
const SHOWN = 50;

/** Where a link lies on this service. @param {{ key: string, subLink: string }} link @param {string} [rest] */
export function path({ key, subLink }, rest = '') {
  return `/api/link/${encodeURIComponent(key)}/${encodeURIComponent(subLink)}${rest}`;
}

/** Its address for others: the one by which the service is known outside, as in the QR code. @param {{ key: string, subLink: string }} link */
export async function address(link) {
  return ((await service()).publicUrl ?? location.origin) + path(link);
}

/** @param {import('./app.js').View} view @param {string} docId */
export async function links({ signal, way }, docId) {
  const [{ data: doc }, first] = await Promise.all([call('GET', investigation(docId), { signal }), page()]);
  tabs(way, docId, 'links');
  const title = titleOf(doc);
  document.title = `Links to ${title} · Fieldbook`;
  const none = el('p', { class: 'muted' }, 'There are no links yet.');
  const rows = el('ul', { class: 'links' });

  /** @param {any} link */
  async function card(link) {
    const [name, where] = [`${link.key}/${link.subLink}`, await address(link)];
    const chart = el('div', { class: 'chart' });
    const more = el(
      'details',
      {
        ontoggle: () => {
          if (more.open && !chart.hasChildNodes()) visitsOf(link, chart, signal);
        },
      },
      el('summary', {}, 'Visits per day'),
      chart,
    );
    const visits = el('strong', {}, counted(link.visitCount, 'visit'));
    const count = async () => {
      const { data } = await call('GET', path(link, '/visits'), { signal });
      visits.textContent = counted(data.visitCount, 'visit');
    };
    // Whoever comes back to this window sees the count of now.
    addEventListener('focus', () => count().catch(() => undefined), { signal });
    const line = el(
      'li',
      { 'data-link': name },
      el('img', {
        class: 'qr',
        src: path(link, '/qr.svg'),
        alt: `QR code of ${name}`,
        width: 112,
        height: 112,
        loading: 'lazy',
      }),
      el(
        'div',
        { class: 'what' },
        el('h2', {}, name),
        link.description && said(link.description, 'p'),
        // No link: the author's own click would count as a visit.
        el('p', { class: 'address' }, where),
        el('p', { class: 'muted' }, visits, ' · made ', time(link.createdAt)),
        el(
          'div',
          { class: 'acts' },
          button('Copy', () => copy(where), { 'aria-label': `Copy the address of ${name}` }),
          el(
            'a',
            {
              class: 'button',
              href: `#/i/${docId}/handout/${encodeURIComponent(link.key)}/${encodeURIComponent(link.subLink)}`,
              'aria-label': `Hand-out with ${name}`,
            },
            'Hand-out',
          ),
          button('Delete', () => remove(link, line), { class: 'quiet', 'aria-label': `Delete ${name}` }),
        ),
        more,
      ),
    );
    return line;
  }

  /** @param {string} where */
  async function copy(where) {
    try {
      await navigator.clipboard.writeText(where);
      tell('The address was copied.');
    } catch {
      tell(`Copying did not work. The address is ${where}`);
    }
  }

  /** @param {any} link @param {HTMLElement} line */
  async function remove(link, line) {
    if (
      !(await confirmed(
        'Delete this link?',
        el(
          'p',
          {},
          `${link.key}/${link.subLink} will stop working, and its count of ${counted(link.visitCount, 'visit')} will be deleted.`,
        ),
        'Delete',
      ))
    )
      return;
    try {
      await call('DELETE', path(link));
      line.remove();
      none.hidden = rows.children.length > 0;
      tell('The link was deleted.');
      /** @type {HTMLElement | null} */ (document.querySelector('main h1'))?.focus();
    } catch (error) {
      tellFailure(error, () => remove(link, line));
    }
  }

  const names = { key: id(), sub: id(), about: id(), fault: id() };
  const form = {
    pattern: '[A-Za-z0-9_\\-]{1,64}',
    maxlength: 64,
    autocomplete: 'off',
    spellcheck: 'false',
    autocapitalize: 'none',
    title: 'Letters, digits, - and _',
    'aria-describedby': names.fault,
  };
  const key = el('input', { id: names.key, required: true, placeholder: 'class-5b', ...form });
  const sub = el('input', { id: names.sub, placeholder: 'generated if empty', ...form });
  const about = el('input', { id: names.about, maxlength: 500, dir: 'auto' });
  const fault = el('p', { id: names.fault, class: 'fault', role: 'alert' });
  /** @param {Event} event */
  async function make(event) {
    event.preventDefault();
    fault.textContent = '';
    const body = {
      key: key.value.trim(),
      description: about.value,
      ...(sub.value.trim() ? { subLink: sub.value.trim() } : {}),
    };
    try {
      const { data } = await call('POST', investigation(docId, '/links'), { body });
      rows.prepend(await card(data));
      none.hidden = true;
      sub.value = '';
      about.value = '';
      tell(`The link ${data.key}/${data.subLink} was created.`);
    } catch (error) {
      if (!(error instanceof Failure) || error.status === 0) return tellFailure(error);
      fault.textContent =
        error.code === 'link_exists'
          ? 'This link already exists. Choose another second part, or leave it empty.'
          : error.words;
      (error.code === 'link_exists' ? sub : key).focus();
    }
  }

  /** The links after a cursor, or the oldest. @param {string} [cursor] */
  function page(cursor) {
    return call(
      'GET',
      investigation(docId, `/links?limit=${SHOWN}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`),
      { signal },
    );
  }

  /** Adds a page of links, and a button where more follow. @param {any} found @returns {Promise<void>} */
  async function add({ data, pagination }) {
    // A link that was made here is shown already.
    const shown = new Set([...rows.children].map((row) => row.getAttribute('data-link')));
    rows.append(
      ...(await Promise.all(
        data.filter((/** @type {any} */ link) => !shown.has(`${link.key}/${link.subLink}`)).map(card),
      )),
    );
    if (!pagination) return;
    const more = el(
      'li',
      { class: 'older' },
      button('Show more', async () => {
        try {
          const next = await page(pagination.nextCursor);
          more.remove();
          await add(next);
        } catch (error) {
          tellFailure(error);
        }
      }),
    );
    rows.append(more);
  }

  await add(first);
  none.hidden = rows.children.length > 0;
  const field = (/** @type {string} */ label, /** @type {string} */ name, /** @type {any} */ control) =>
    el('div', {}, el('label', { for: name }, label), control);
  return el(
    'section',
    { class: 'narrow' },
    el('h1', { tabindex: -1 }, 'Links to ', said(title)),
    el(
      'form',
      { class: 'make', onsubmit: make },
      field('First part (the class)', names.key, key),
      field('Second part', names.sub, sub),
      field('Purpose', names.about, about),
      el('button', { class: 'primary' }, 'Create a link'),
      fault,
    ),
    none,
    rows,
  );
}
