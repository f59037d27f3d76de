// @ts-check
// The history of an investigation as a timeline. Changes that one person made without a long break are grouped.

import { call, investigation, readLesson, schema, service } from '../core/api.js';
import { changeList, changesOf, preview } from './changes.js';
import { steps } from '../text/values.js';
import { maxEntries } from '../core/constants.js';
import { actOn, button, el, said } from '../core/dom.js';
import { keyed } from '../core/keyed.js';
import { content, fieldLabel } from '../core/schema.js';
import { attempt, tell, work } from '../core/notice.js';
import { learnNames, who } from '../core/people.js';
import { sessions } from './sessions.js';
import { menu, tabs } from '../core/menu.js';
import { storedIn } from '../doc/asking.js';
import { compareVersions, fieldUndos, namings, readVersion, showVersion, versionTitle } from './versions.js';
import { capitalised, clockOf, counted, dateOf, dayOf, didWhat, helper, titleOf } from '../text/words.js';

/** Minimum number of changes in a group. Fewer changes are shown one by one. */
const MIN_SESSION = 3;
/** Maximum number of field names that are shown. Further names are only counted. */
const MAX_NAMES = 6;

/** @param {import('../core/app.js').View} view @param {string} docId */
export async function timeline({ signal, way }, docId) {
  const [root, { converses }, { data: now, mayChange }, { data: versions }] = await Promise.all([
    schema(),
    service(),
    readLesson(docId, { signal }),
    call('GET', investigation(docId, `/versions?limit=${maxEntries}`), { signal }),
  ]);
  tabs(way, docId, 'history', mayChange);
  const title = titleOf(now);
  document.title = `History of ${title} · Fieldbook`;
  const shown = new Timeline(docId, { now, mayChange, root, converses, signal });
  await learnNames(versions.map((/** @type {any} */ version) => version.by));
  shown.show(versions);
  const count = versions.length === 0 ? '' : counted(versions[0].version, 'version');
  return el(
    'section',
    { class: 'narrow' },
    el('hgroup', {}, el('h1', { tabindex: -1 }, 'History'), said(title, 'p', { class: 'muted' })),
    el(
      'p',
      { class: 'muted' },
      count
        ? `${count}, newest first. Nothing that was saved is ever lost.`
        : 'No changes yet. Saved changes will appear here.',
    ),
    shown.list,
  );
}

/** @typedef {{ name: string, make: () => HTMLElement }} Line */

class Timeline {
  /**
   * @param {string} docId
   * @param {{ now: any, mayChange: boolean, root: any, converses: boolean, signal: AbortSignal }} lesson `now` is the
   * investigation
   */
  constructor(docId, { now, mayChange, root, converses, signal }) {
    this.docId = docId;
    this.mayChange = mayChange;
    this.now = now;
    this.root = root;
    this.signal = signal;
    this.helper = helper(converses);
    this.records = /** @type {any[]} */ ([]);
    this.list = el('ol', { class: 'timeline', reversed: true });
    const all = () => this.records.map((record) => record.by);
    this.who = (/** @type {any} */ record) => who(record.by, this.now.author, all());
  }

  /** Adds older records, and shows all records again. @param {any[]} older */
  show(older) {
    this.records.push(...older);
    keyed(this.list, this.lines(), { key: ({ name }) => name, make: ({ make }) => make() });
  }

  /**
   * Returns the menu of a version: shows it, compares it, restores it, and gives it a name.
   * @param {string} name @param {any} record
   */
  menu(name, record) {
    const { version } = record;
    const named = (/** @type {any} */ now, /** @type {string | null} */ name) => {
      this.now = now;
      this.records = this.records.map((one) => (one.version === version ? { ...one, name } : one));
      this.show([]);
      this.list.querySelector(`[data-version="${version}"] .menu summary`)?.focus();
    };
    const parts = [
      version !== this.now.version && this.ways(version),
      this.mayChange && version > 0 && namings(this.docId, record, named),
    ];
    return parts.some(Boolean) && menu(`Actions for ${name}`, parts);
  }

  /** Returns the rows of the list: a key for each row, and a function that creates it. @returns {Line[]} */
  lines() {
    const oldest = this.records.at(-1)?.version ?? 1;
    let day = '';
    const rows = sessions(this.records).flatMap((session) => {
      const before = day;
      day = dayOf(new Date(session[0].at));
      const heading = { name: day, make: () => el('li', { class: 'day' }, el('h2', {}, heading.name)) };
      const name = (/** @type {any} */ record) => `${record.version} ${record.name} ${this.who(record)}`;
      const whole = { name: `${name(session[0])} ${session.length}`, make: () => this.session(session) };
      const each = session.map((record) => ({ name: name(record), make: () => this.entry(record) }));
      return [...(day === before ? [] : [heading]), ...(session.length < MIN_SESSION ? each : [whole])];
    });
    const earlier = { name: `before ${oldest}`, make: () => this.earlier(oldest) };
    return [...rows, ...(oldest > 1 ? [earlier] : []), { name: 'beginning', make: () => this.beginning() }];
  }

  /** @param {any[]} records */
  names(records) {
    const fields = records.flatMap(({ changes }) => changes.map((/** @type {any} */ c) => steps(c.fieldPath)[0] ?? ''));
    const names = [...new Set(fields.map((field) => fieldLabel(field, this.root)))];
    const more = names.length - MAX_NAMES;
    return [said(names.slice(0, MAX_NAMES).join(', ')), more > 0 && ` and ${more} more`];
  }

  /** Returns a group of changes that one person made in one session. @param {any[]} records */
  session(records) {
    const [newest] = records;
    const list = el('ol', { class: 'timeline', reversed: true });
    const isNow = records.some(({ version }) => version === this.now.version);
    const name = `versions ${records.at(-1).version} to ${newest.version}`;
    const count = counted(records.length, 'change');
    const all = el(
      'details',
      {
        ontoggle: () => {
          if (!list.hasChildNodes()) list.append(...records.map((record) => this.entry(record)));
        },
      },
      el('summary', { 'aria-label': `${count} in ${name}` }, count),
      list,
    );
    return el(
      'li',
      { class: 'session', 'data-version': newest.version, 'data-by': 'person' },
      el(
        'div',
        { class: 'head' },
        el('h3', {}, capitalised(name)),
        isNow && el('span', { class: 'badge now' }, 'now'),
        this.menu(name, newest),
      ),
      el('p', {}, said(capitalised(this.who(newest))), ' changed ', this.names(records), ' at ', at(newest.at)),
      all,
    );
  }

  /** @param {any} record */
  entry(record) {
    const { subject, tag } = this.helper;
    const isNow = record.version === this.now.version;
    const by = record.withAI
      ? [`${capitalised(subject)}, asked by `, said(this.who(record)), ', ']
      : [said(capitalised(this.who(record))), ' '];
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
        versionTitle(record),
        isNow && el('span', { class: 'badge now' }, 'now'),
        record.undone && el('span', { class: 'badge' }, 'undone'),
        record.withAI && el('span', { class: 'badge ai' }, tag),
        this.menu(`version ${record.version}`, record),
      ),
      el('p', {}, by, didWhat(record.kind, record.withAI), ' ', this.names([record]), ' at ', at(record.at)),
      this.changes(record),
    );
  }

  /** Returns the changes of a record, which are loaded when the user opens them. @param {any} record */
  changes(record) {
    const box = el(
      'details',
      {
        ontoggle: () =>
          attempt(async () => {
            if (box.children.length > 1) return;
            const after = content(await readVersion(this.docId, record.version, this.signal));
            const { before, changes } = changesOf(record, after);
            if (box.children.length > 1) return;
            const undos = this.mayChange ? fieldUndos(this.now, before, after, this.root) : [];
            box.append(changeList(changes, this.root, undefined, this.docId), ...undos);
          }),
      },
      el('summary', { 'aria-label': `What changed in version ${record.version}` }, 'What changed'),
    );
    return box;
  }

  /** Returns the buttons that show an old version, compare it and restore it. @param {number} version */
  ways(version) {
    const name = version === 0 ? 'the beginning' : `version ${version}`;
    const way = (/** @type {string} */ word, /** @type {() => any} */ act) => actOn(name, `${word} …`, act);
    return [
      way('Read', () => showVersion(this.docId, version, capitalised(name))),
      way('Compare', () => this.compare(version)),
      this.mayChange && way('Restore', () => this.restore(version)),
    ];
  }

  /** Compares a version with another, at first with the state now. @param {number} from */
  compare(from) {
    return compareVersions(this.docId, this.root, this.records, { from, to: this.now.version });
  }

  /** @param {number} version */
  restore(version) {
    return attempt(async () => {
      const read = (/** @type {AbortSignal} */ left) => readVersion(this.docId, version, left);
      const then = await work('Fetching the version …', read, this.signal);
      if (!then) return;
      const taken = await preview(version === 0 ? 'Go back to the beginning' : `Go back to version ${version}`, {
        before: content(this.now),
        after: content(then),
        root: this.root,
        said: el('p', {}, 'This becomes a new version; nothing is lost.'),
        take: 'Restore it',
      });
      if (!taken) return;
      const path = investigation(this.docId, `/versions/${version}/restore`);
      const { revision } = storedIn(await call('POST', path, { revision: this.now.revision }));
      // Fails if the lesson was changed in the meantime, so that later changes are not undone.
      const undo = () => attempt(() => call('POST', investigation(this.docId, '/undo'), { revision }));
      tell(version === 0 ? 'It is as it was at the beginning.' : `Version ${version} is restored.`, {
        act: { label: 'Undo', run: undo },
        stays: true,
      });
      location.hash = `#/i/${this.docId}`;
    });
  }

  /** Returns a button that loads the versions before this one. @param {number} version @returns {HTMLElement} */
  earlier(version) {
    const path = investigation(this.docId, `/versions?limit=${maxEntries}&before=${version}`);
    const fetch = (/** @type {AbortSignal} */ left) => call('GET', path, { signal: left });
    return el(
      'li',
      { class: 'older' },
      button('Earlier versions', () =>
        attempt(async () => {
          const found = await work('Fetching earlier versions …', fetch, this.signal);
          if (!found) return;
          await learnNames(found.data.map((/** @type {any} */ version) => version.by));
          const at = this.list.children.length - 2;
          this.show(found.data);
          [...this.list.children]
            .slice(at)
            .find((row) => row.matches('[data-version]'))
            ?.querySelector('summary')
            ?.focus();
        }),
      ),
    );
  }

  /** Returns the row of the first content. */
  beginning() {
    const { now } = this;
    const heading = el(this.records.length > 0 ? 'h3' : 'h2', {}, now.clonedFrom ? 'Copied' : 'Created');
    const link = (/** @type {any} */ one) => el('a', { href: `#/i/${one._id}`, dir: 'auto' }, titleOf(one));
    const from = (/** @type {any} */ { data }) => heading.append(' from ', link(data));
    // No link is shown if the lesson that this one was copied from was deleted.
    if (now.clonedFrom) readLesson(now.clonedFrom, { signal: this.signal }).then(from, () => undefined);
    const isNow = now.version === 0 && el('span', { class: 'badge now' }, 'now');
    return el(
      'li',
      { 'data-version': 0 },
      el('div', { class: 'head' }, heading, isNow, this.menu('the beginning', { version: 0 })),
      el('p', {}, dateOf(new Date(now.createdAt)), ' · ', at(now.createdAt)),
    );
  }
}

const at = (/** @type {string} */ moment) => clockOf(new Date(moment));
