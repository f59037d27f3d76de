// @ts-check
// An investigation in an editor: its stored state, its unsaved changes, and one queue of requests that stores them.

import { call, investigation, isForbidden, schema } from '../core/api.js';
import * as drafts from './drafts.js';
import { keyOf } from '../text/merge.js';
import { NotSaved } from './not_saved.js';
import { Pictures, named } from './pictures.js';
import { beginning, content } from '../core/schema.js';
import { isBlank, own, same } from '../text/values.js';
import { conflicts, pending, rebase, reconcile, store } from './sending.js';
import { user } from '../core/session.js';
import { titleOf } from '../text/words.js';

/** Time without a keystroke after which changes are stored. */
const PAUSE_MS = 1200;

/** Number of investigations that this window can show without the service: the last ones that it opened. */
const MOST_COPIES = 20;
/** @type {Map<string, { stored: any, mayChange: boolean }>} */
const copies = new Map();

/** How the ids of lessons begin that are not stored yet. */
const FRESH = 'new-';

/** Returns the id of a lesson that is stored once something is written in it. */
export function freshId() {
  return FRESH + crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** @typedef {{ field: string, conflict: import('../text/merge.js').Conflict }} Clash */

/**
 * Events: `taken` (`stored` was replaced; detail: { forced, before }), `created` (it is stored now), `saving` (`state`
 * may have changed), `clash` (detail: Clash[]), `violations` (detail: {path, message}[]), `picture` (see `Pictures`).
 */
export class Doc extends EventTarget {
  /** @param {any} investigation */
  constructor(investigation) {
    super();
    /** The state that the service returned last. */
    this.stored = investigation;
    /** The user whose text this is. */
    this.owner = user();
    /** Unsaved changes, by field. The value is undefined if the field is removed. @type {Map<string, any>} */
    this.mine = new Map();
    /** The stored values that the unsaved changes replace, by field. @type {Map<string, any>} */
    this.bases = new Map();
    /** Values that were sent, but whose storing was not confirmed, by field. @type {Map<string, any>} */
    this.tried = new Map();
    /** What creates it. It stays the same while it is sent again, so that a lost answer creates nothing twice. */
    this.first = /** @type {import('./sending.js').Sent | null} */ (null);
    /** What the user chose about conflicts, by key. @type {Map<string, import('../text/merge.js').Choice>} */
    this.choices = new Map();
    /** Fields that were merged with changes made elsewhere, until the user was told. @type {Set<string>} */
    this.merged = new Set();
    /**
     * Fields that are not sent until the user has chosen between two values, or has written a valid value.
     * @type {Map<string, 'clash' | 'invalid'>}
     */
    this.held = new Map();
    /** The error of the last save, if it failed. @type {unknown} */
    this.failure = null;
    /** True if the investigation was deleted. */
    this.gone = false;
    /** True if the user may change the investigation. */
    this.mayChange = true;
    /** True if this browser keeps the unsaved changes. */
    this.kept = true;
    /** Number of failed saves in a row. */
    this.failures = 0;
    this.queue = /** @type {Promise<any>} */ (Promise.resolve());
    this.timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    /** True while a change is being sent. */
    this.sending = false;
    this.pictures = new Pictures(this);
    this.left = new AbortController();
    const { signal } = this.left;
    ['online', 'signed-in'].forEach((event) => addEventListener(event, () => this.flush(), { signal }));
  }

  /**
   * Opens an investigation as this window saw it last, because the service cannot be reached.
   * @param {string} id @param {unknown} failure
   */
  static async openCopy(id, failure) {
    const copy = copies.get(`${user()} ${id}`);
    if (!copy) throw failure;
    const doc = new Doc(copy.stored);
    doc.mayChange = copy.mayChange;
    await doc.recover();
    return doc;
  }

  /** Returns an investigation that is not stored yet, with the least that the schema asks for. @param {string} id */
  static async fresh(id) {
    const root = await schema();
    const least = beginning({ type: 'object', required: root.required, properties: root.properties }, root);
    const lists = { contradictions: [], hints: [], dismissed: [] };
    return new Doc({ ...least, ...lists, _id: id, author: { id: user() }, status: 'draft_incomplete', version: 0 });
  }

  /**
   * Reads an investigation, and restores the unsaved changes that this browser kept.
   * @param {string} id @param {import('../core/api.js').Options} [options]
   */
  static async open(id, options) {
    if (id.startsWith(FRESH)) {
      const doc = await Doc.fresh(id);
      await doc.recover();
      return doc;
    }
    let mayChange = true;
    const onHeaders = (/** @type {Headers} */ headers) => void (mayChange = !headers.has('allow'));
    const { data } = await call('GET', investigation(id), { ...options, onHeaders });
    const doc = new Doc(data);
    doc.mayChange = mayChange;
    doc.copy();
    await doc.recover();
    return doc;
  }

  /** Restores kept changes, and merges them with what somebody else has stored since then. */
  async recover() {
    const found = await drafts.take(this.id);
    if (found.size > 0) await this.pictures.load();
    for (const [field, { value, base }] of found) {
      if (this.mine.has(field)) continue;
      this.mine.set(field, named(value));
      this.bases.set(field, base);
      reconcile(this, field);
    }
  }

  get id() {
    return this.stored._id;
  }
  get revision() {
    return this.stored.revision;
  }
  get isStored() {
    return this.revision !== undefined;
  }
  /** True if nothing is stored, and nothing is written. */
  get isNothing() {
    return !this.isStored && [...this.mine.values()].every(isBlank);
  }
  /** True if another person has signed in since. Nobody sends the text of another. */
  get isOfAnother() {
    return this.owner !== null && user() !== null && user() !== this.owner;
  }
  get isClean() {
    return this.mine.size === 0;
  }

  /** Returns `saved` if everything is stored, or else a word that says why not. */
  get state() {
    const held = [...this.held.values(), ...this.pictures.refusedFields];
    if (this.gone) return 'gone';
    if (held.includes('clash')) return 'clash';
    // A failed save is shown until one succeeds, so that its button does not disappear under the pointer.
    if (this.failure && !this.isClean) return isForbidden(this.failure) ? 'forbidden' : 'waiting';
    if (this.sending || this.pictures.sending) return 'saving';
    return held.length > 0 ? 'refused' : this.isClean ? 'saved' : 'unsaved';
  }

  /** Returns the places that were changed here and elsewhere, and about which the user must choose. */
  get clashes() {
    const fields = [...this.held].filter(([, why]) => why === 'clash').map(([field]) => field);
    return fields.flatMap((field) => conflicts(this, field).open.map((conflict) => ({ field, conflict })));
  }

  /** @param {string} field */
  value(field) {
    return this.mine.has(field) ? this.mine.get(field) : own(this.stored, field);
  }

  /** Returns the content with the unsaved changes. */
  get written() {
    const all = { ...content(this.stored), ...Object.fromEntries(this.mine) };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }

  /**
   * Changes a field. A change with a `fault` is kept in this browser and not sent.
   * @param {string} field @param {any} written @param {string} [fault]
   */
  edit(field, written, fault) {
    const value = named(written);
    if (!fault && same(value, own(this.stored, field)) && !this.sending) this.settle(field);
    else {
      if (!this.mine.has(field)) this.bases.set(field, own(this.stored, field));
      this.mine.set(field, value);
      this.keep(field);
      if (fault) this.held.set(field, 'invalid');
      else if (this.held.get(field) === 'invalid') this.held.delete(field);
    }
    // An empty row of a lesson that is not stored is nothing to keep.
    if (this.isNothing) this.mine.forEach((value, field) => drafts.forget(this.id, field, value));
    this.announce();
    this.flushSoon();
  }

  /** Keeps the stored state for the time when the service cannot be reached. */
  copy() {
    const key = `${user()} ${this.id}`;
    copies.delete(key);
    copies.set(key, { stored: this.stored, mayChange: this.mayChange });
    if (copies.size > MOST_COPIES) copies.delete([...copies.keys()][0] ?? '');
  }

  /** Keeps an unsaved change in this browser. @param {string} field */
  keep(field) {
    const [value, base] = [this.mine.get(field), this.bases.get(field)];
    this.kept = drafts.keep(this.id, field, value, base, titleOf(this.written)) && this.pictures.areKept;
  }

  /** Gives the pictures of unsaved changes the ids that the service gave them. */
  nameAll() {
    for (const [field, value] of this.mine) {
      if (named(value) === value) continue;
      this.mine.set(field, named(value));
      this.keep(field);
    }
  }

  /** Stores the unsaved changes once nobody has written for a moment. */
  flushSoon() {
    this.flushIn(PAUSE_MS);
  }

  /** Stores the unsaved changes after a wait. @param {number} wait in milliseconds */
  flushIn(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), wait);
  }

  /** Removes an unsaved change, because it was stored or given up. @param {string} field */
  settle(field) {
    drafts.forget(this.id, field, this.mine.get(field));
    this.pictures.settle(this.mine.get(field));
    [this.mine, this.bases, this.tried].forEach((map) => map.delete(field));
    this.held.delete(field);
  }

  /** Stores the unsaved changes. @returns {Promise<boolean>} whether everything is stored */
  flush() {
    clearTimeout(this.timer);
    return this.enqueue(() => store(this));
  }

  /** Stores the unsaved changes, and then those whose pictures have to be sent first. */
  async flushAll() {
    const areStored = await this.flush();
    if (!this.pictures.sending) return areStored;
    await this.pictures.send();
    return this.flush();
  }

  /** Runs one request at a time, in order. @template T @param {() => Promise<T>} act @returns {Promise<T>} */
  enqueue(act) {
    const done = this.queue.then(act, act);
    this.queue = done.catch(() => undefined);
    return done;
  }

  /**
   * Settles a clash as the user chose, if it is still there.
   * @param {Clash} clash @param {import('../text/merge.js').Choice} choice
   */
  async decide({ field, conflict }, choice) {
    this.choices.set(keyOf(conflict), choice);
    if (this.mine.has(field)) reconcile(this, field);
    if (this.clashes.length === 0) this.choices.clear();
    this.dispatchEvent(new CustomEvent('taken', { detail: { forced: field, before: this.stored } }));
    this.announce();
    return this.flush();
  }

  /**
   * Stores everything, and then runs an operation of the service.
   * @param {string} method @param {string} rest @param {any} [body] @param {AbortSignal} [signal]
   * @returns {Promise<any>} the response. Throws `NotSaved` if something could not be stored first.
   */
  async act(method, rest, body, signal) {
    await this.saved();
    return this.enqueue(async () => {
      const options = { body, revision: this.revision, ...(signal ? { signal } : {}) };
      const answer = await call(method, investigation(this.id, rest), options);
      const shown = answer.updatedInvestigation ?? answer.data?.investigation ?? answer.data;
      if (!rest.includes('dryRun=true') && shown?._id) this.take(shown);
      return answer;
    });
  }

  /** Stores everything, or throws `NotSaved`. */
  async saved() {
    if (!(await this.flushAll()) || !this.isStored) throw new NotSaved(this);
  }

  /** Reads the stored state again. */
  again() {
    return this.enqueue(() => rebase(this));
  }

  /** @param {any} investigation */
  take(investigation) {
    const before = this.stored;
    this.stored = investigation;
    this.copy();
    const isNew = before._id !== this.id;
    // What was written meanwhile is kept under the id that it has now.
    if (isNew) this.pictures.moveFrom(before._id);
    for (const [field, value] of isNew ? this.mine : []) {
      drafts.forget(before._id, field, value);
      this.keep(field);
    }
    this.dispatchEvent(new CustomEvent('taken', { detail: { forced: null, before } }));
    if (isNew) this.dispatchEvent(new Event('created'));
    this.announce();
  }

  /** Runs `act` once the investigation is stored. @param {() => void} act */
  whenStored(act) {
    if (this.isStored) act();
    else this.addEventListener('created', act);
  }

  /** Stores the unsaved changes, and ends the retries. Changes that cannot be stored stay in this browser. */
  leave() {
    this.left.abort();
    return this.flushAll();
  }

  /** Sends the unsaved changes without waiting for the response, because the page is being closed. */
  farewell() {
    clearTimeout(this.timer);
    const { sent, patch } = pending(this);
    // A new one is created when the page is opened again, because its answer would come to nobody.
    if (sent.length === 0 || this.isOfAnother || !this.isStored) return;
    const options = { body: patch, revision: this.sending ? null : this.revision, keepalive: true };
    call('PATCH', investigation(this.id), options).catch(() => undefined);
  }

  announce() {
    this.dispatchEvent(new Event('saving'));
  }
}
