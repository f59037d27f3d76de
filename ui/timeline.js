// @ts-check
// History: of the whole investigation as a time line, and of one field.

import { call, investigation, schema, service } from './api.js';
import { changeList, marked, plain, preview, steps } from './changes.js';
import { button, el, said } from './dom.js';
import { fieldLabel } from './findings.js';
import { ask, tell, tellFailure, work } from './notice.js';
import { content } from './schema.js';
import { tabs } from './tabs.js';
import { counted, didWhat, helper, time, titleOf, who } from './words.js';

/** The most versions that the service gives at once. */
const MOST = 1000;

/** @param {import('./app.js').View} view @param {string} docId */
export async function timeline({ signal, way }, docId) {
  const [root, { converses }, { data: now }, { data: versions }] = await Promise.all([
    schema(),
    service(),
    call('GET', investigation(docId), { signal }),
    call('GET', investigation(docId, `/versions?limit=${MOST}`), { signal }),
  ]);
  tabs(way, docId, 'history');
  const title = titleOf(now);
  const { subject, tag } = helper(converses);
  document.title = `History of ${title} · Fieldbook`;
  const line = el('ol', { class: 'timeline', reversed: true });

  /** @param {number} version */
  async function restore(version) {
    try {
      const then = await work(
        'Fetching the version …',
        (left) => call('GET', investigation(docId, `/versions/${version}`), { signal: left }),
        signal,
      );
      if (!then) return;
      const taken = await preview(version === 0 ? 'Go back to the beginning' : `Go back to version ${version}`, {
        before: content(now),
        after: content(then.data),
        root,
        said: el('p', {}, 'This becomes a new version; nothing is lost.'),
        take: 'Restore it',
      });
      if (!taken) return;
      await call('POST', investigation(docId, `/versions/${version}/restore`), { revision: now.revision });
      tell(version === 0 ? 'The beginning is restored.' : `Version ${version} is restored.`);
      location.hash = `#/i/${docId}`;
    } catch (error) {
      tellFailure(error, () => restore(version));
    }
  }

  /** @param {any} record */
  function entry(record) {
    const names = [
      ...new Set(record.changes.map((/** @type {any} */ c) => fieldLabel(steps(c.fieldPath)[0] ?? '', root))),
    ];
    const shown = record.changes.map((/** @type {any} */ c) => ({
      path: steps(c.fieldPath),
      before: c.before,
      after: c.after,
    }));
    const changes = el(
      'details',
      {
        ontoggle: () => {
          if (changes.children.length === 1) changes.append(changeList(shown, root));
        },
      },
      el('summary', {}, 'What changed', el('span', { class: 'muted' }, ` ${counted(shown.length, 'place')}`)),
    );
    const isNow = record.version === now.version;
    return el(
      'li',
      {
        class: record.undone ? 'undone' : '',
        'data-version': record.version,
        'data-by': record.withAI ? 'assistant' : 'person',
      },
      el(
        'div',
        { class: 'head' },
        el('h2', {}, `Version ${record.version}`),
        isNow && el('span', { class: 'badge now' }, 'now'),
        record.undone && el('span', { class: 'badge' }, 'undone'),
        record.withAI && el('span', { class: 'badge ai' }, tag),
      ),
      el(
        'p',
        {},
        record.withAI ? `${subject.charAt(0).toUpperCase()}${subject.slice(1)}, asked by ` : '',
        said(who(record.by, now.author)),
        record.withAI ? ', ' : ' ',
        didWhat(record.kind, record.withAI),
        ' ',
        said(names.slice(0, 6).join(', ')),
        names.length > 6 && ` and ${names.length - 6} more`,
        ' · ',
        time(record.at),
      ),
      changes,
      !isNow &&
        button('Restore …', () => restore(record.version), {
          class: 'quiet',
          'aria-label': `Restore version ${record.version}`,
        }),
    );
  }

  /** What goes on with the versions below one, when it is asked for. @param {number} version @returns {HTMLElement} */
  function earlier(version) {
    const place = el(
      'li',
      { class: 'older' },
      button('Earlier versions', async () => {
        try {
          const found = await work(
            'Fetching earlier versions …',
            (left) => call('GET', investigation(docId, `/versions?limit=${MOST}&before=${version}`), { signal: left }),
            signal,
          );
          if (!found) return;
          const next = entries(found.data);
          place.replaceWith(...next);
          next[0]?.querySelector('summary')?.focus();
        } catch (error) {
          tellFailure(error);
        }
      }),
    );
    return place;
  }

  /** @param {any[]} records */
  function entries(records) {
    const oldest = records.at(-1)?.version ?? 1;
    return [...records.map(entry), ...(oldest > 1 ? [earlier(oldest)] : [])];
  }

  line.append(
    ...entries(versions),
    el(
      'li',
      { 'data-version': 0 },
      el(
        'div',
        { class: 'head' },
        el('h2', {}, now.clonedFrom ? 'Cloned' : 'Created'),
        now.version === 0 && el('span', { class: 'badge now' }, 'now'),
      ),
      el('p', {}, time(now.createdAt)),
      now.version !== 0 &&
        button('Restore …', () => restore(0), { class: 'quiet', 'aria-label': 'Restore the beginning' }),
    ),
  );
  return el(
    'section',
    { class: 'narrow' },
    el('h1', { tabindex: -1 }, 'History of ', said(title)),
    el(
      'p',
      { class: 'muted' },
      versions.length === 0
        ? 'Nothing has been changed yet.'
        : `${counted(versions[0].version, 'version')}, newest first. Nothing that was saved is ever lost.`,
    ),
    line,
  );
}

/** The history of one field, from the field. @param {import('./doc.js').Doc} doc @param {string} field @param {any} root @param {AbortSignal} left */
export async function fieldHistory(doc, field, root, left) {
  const name = fieldLabel(field, root);
  try {
    await doc.saved();
    const path = encodeURIComponent(field.replaceAll('\\', '\\\\').replaceAll('.', '\\.'));
    const answer = await work(
      'Fetching the history …',
      (signal) => call('GET', investigation(doc.id, `/history/${path}?limit=${MOST}`), { signal }),
      left,
    );
    if (!answer) return;
    const entries = answer.data;
    const { subject } = helper((await service()).converses);
    const lines = entries.map((/** @type {any} */ record) =>
      el(
        'li',
        { class: record.undone ? 'undone' : '' },
        el(
          'p',
          {},
          el('strong', {}, `Version ${record.version} `),
          record.withAI ? `by ${subject}, asked by ` : 'by ',
          said(who(record.by, doc.stored.author)),
          record.undone && [' · ', el('span', { class: 'badge' }, 'undone')],
          ' · ',
          time(record.at),
        ),
        marked(plain(record.before), plain(record.after)),
        button('Restore this', () => chosen(record), {
          class: 'quiet',
          'aria-label': `Put ${name} of version ${record.version} back`,
        }),
      ),
    );
    const body =
      entries.length === 0
        ? el('p', {}, 'It has not been changed since the beginning.')
        : el('ol', { class: 'timeline', reversed: true }, lines);
    const asked = ask(`History of ${name}`, body, [{ label: 'Close', answer: null }], { wide: true });
    /** @param {any} record */
    const chosen = (record) => {
      body.closest('dialog')?.querySelector('.answers button')?.click();
      doc.edit(field, record.after);
      doc.flush();
      doc.dispatchEvent(new CustomEvent('taken', { detail: { forced: field } }));
    };
    await asked;
  } catch (error) {
    tellFailure(error, () => fieldHistory(doc, field, root, left));
  }
}
