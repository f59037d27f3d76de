// @ts-check
// An investigation in an editor: reports events to `machine.js`, and runs the resulting effects, one request at a time.

import { call, investigation } from '../core/api.js';
import { content } from '../core/schema.js';
import { isSignedIn, user } from '../core/session.js';
import { own } from '../text/values.js';
import { titleOf } from '../text/words.js';
import { NotSaved, ask, failed, storedIn } from './asking.js';
import * as drafts from './drafts.js';
import { next } from './machine.js';
import { Pictures, named } from './pictures.js';
import { State } from './state.js';

/**
 * @typedef {import('./state.js').Clash} Clash @typedef {import('./state.js').Event} Event
 *
 * Events: `taken` (`stored` was replaced; detail: { forced, before, isElsewhere }), `created` (it is stored now),
 * `saving` (`state` may have changed), `undo` (the user asked to undo the newest change; detail: what that change
 * did), `redo`, `did` (an operation changed the lesson, and can be undone; detail: what the operation did), `rights`
 * (`mayChange` is not true any more), `violations` (detail: {path, message}[]), `picture` (see `Pictures`).
 */
export class Doc extends EventTarget {
  #state;
  #queue = /** @type {Promise<any>} */ (Promise.resolve());
  #timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  #left = new AbortController();
  /** The user who writes the text in this editor. */
  #owner = user();
  /** True if this browser keeps the unsaved text. */
  #keepsText = true;

  /** @param {any} investigation @param {boolean} [mayChange] whether the user may change it */
  constructor(investigation, mayChange = true) {
    super();
    this.#state = new State(investigation);
    this.mayChange = mayChange;
    this.pictures = new Pictures(this);
    const { signal } = this.#left;
    ['online', 'signed-in'].forEach((event) => addEventListener(event, () => this.flush(), { signal }));
  }

  /** The state that the service returned last. */
  get stored() {
    return this.#state.stored;
  }
  get id() {
    return this.stored._id;
  }
  get isStored() {
    return this.#state.isStored;
  }
  /** True if the lesson is not stored, and has no text yet. */
  get isNothing() {
    return this.#state.isNothing;
  }
  /** True if another person has signed in since. A person's text is never sent with another person's session. */
  get isOfAnother() {
    return this.#owner !== null && user() !== null && user() !== this.#owner;
  }
  get isClean() {
    return this.#state.isClean;
  }
  /** True if the investigation was deleted. */
  get isGone() {
    return this.#state.gone;
  }
  /** The error of the last save, if it failed. */
  get failure() {
    return this.#state.failure?.error;
  }
  /** True if this browser keeps the unsaved changes. */
  get isKept() {
    return this.#keepsText && this.pictures.areKept;
  }
  /** The unsaved values, by field; undefined if the field is removed. */
  get mine() {
    return new Map([...this.#state.changes].map(([field, { value }]) => [field, value]));
  }
  /** The fields whose current values cannot be saved. */
  get held() {
    const held = [...this.#state.changes].filter(([, change]) => change.held).map(([field]) => field);
    return new Set([...held, ...this.pictures.refusedFields]);
  }
  /** A word that says whether everything is saved, and if not, why. */
  get state() {
    const { refusedFields, sending } = this.pictures;
    return this.#state.word({ refused: refusedFields.length > 0, sending: sending !== null });
  }
  /** The values that were changed both here and elsewhere, between which the user must choose. */
  get clashes() {
    return this.#state.clashes;
  }
  /** The content with the unsaved changes. */
  get written() {
    const all = { ...content(this.stored), ...Object.fromEntries(this.mine) };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }

  /** @param {string} field */
  value(field) {
    const change = this.#state.changes.get(field);
    return change ? change.value : own(this.stored, field);
  }

  /**
   * Changes a field. A change with a `fault` is kept in this browser and not sent.
   * @param {string} field @param {any} written @param {string} [fault]
   */
  edit(field, written, fault) {
    this.#happened({ type: 'edited', field, value: named(written), fault });
  }

  /** Sets, shows and stores a value. @param {string} field @param {any} value @param {string} [fault] */
  put(field, value, fault) {
    this.edit(field, value, fault);
    this.tell('taken', { forced: field, before: this.stored });
    return this.flush();
  }

  /** Restores kept changes, and merges them with what somebody else has stored since then. */
  recover() {
    return this.enqueue(async () => {
      const found = await ask(this, { do: 'look' });
      if (found) await this.#follow(found);
      return this;
    });
  }

  /** In unsaved changes, replaces the draft ids of pictures with the ids that the service gave them. */
  nameAll() {
    const values = [...this.mine].filter(([, value]) => named(value) !== value);
    this.#happened({ type: 'named', values: values.map(([field, value]) => [field, named(value)]) });
  }

  /** Reports that a picture could not be sent. @param {unknown} error */
  interrupted(error) {
    this.#happened({ ...failed(error), type: 'interrupted' });
  }

  /** Forgets the unsaved changes, because they were stored elsewhere. */
  giveUp() {
    this.#happened({ type: 'givenUp' });
  }

  /** Returns and forgets the fields that were merged with changes of others and that the user was not told about. */
  takeMerged() {
    const { merged } = this.#state;
    this.#happened({ type: 'told' });
    return [...merged];
  }

  /** @param {any} stored what the service returned */
  take(stored) {
    this.#happened({ type: 'took', stored });
  }

  /** Stores the unsaved changes. @returns {Promise<boolean>} whether everything is stored */
  flush() {
    clearTimeout(this.#timer);
    return this.enqueue(async () => {
      await this.#follow({ type: 'flushed' });
      return this.isClean && !this.isOfAnother;
    });
  }

  /** Stores the unsaved changes after a wait. @param {number} [wait] in milliseconds */
  flushSoon(wait = 0) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), wait);
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
    const done = this.#queue.then(act, act);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /**
   * Settles a clash as the user chose.
   * @param {Clash} clash @param {import('../text/merge.js').Choice} choice
   */
  decide(clash, choice) {
    this.#happened({ type: 'chosen', ...clash, choice });
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
      const { revision } = this.stored;
      const answer = await call(method, investigation(this.id, rest), { body, revision, signal });
      const shown = storedIn(answer);
      if (!rest.includes('dryRun=true') && shown?._id) this.take(shown);
      return answer;
    });
  }

  /** Stores everything, or throws `NotSaved`. */
  async saved() {
    if (!(await this.flushAll()) || !this.isStored) throw new NotSaved(this);
  }

  /** Reads the stored state again. @param {() => boolean} [isNeeded] asked once no other request is being made */
  again(isNeeded = () => true) {
    return this.enqueue(async () => void (isNeeded() && (await this.#follow({ type: 'outdated' }))));
  }

  /** Runs `act` once the investigation is stored. @param {() => void} act */
  whenStored(act) {
    if (this.isStored) act();
    else this.addEventListener('created', act);
  }

  /** Stores the unsaved changes, and ends the retries. Changes that cannot be stored stay in this browser. */
  leave() {
    this.#left.abort();
    return this.flushAll();
  }

  /** Sends the unsaved changes without waiting for the response, because the page is being closed. */
  farewell() {
    clearTimeout(this.#timer);
    const { fields, patch } = this.#state.unsent();
    // A new lesson is created only when the page is opened again, because the response would be lost now.
    if (fields.length === 0 || this.isOfAnother || !this.isStored) return;
    const revision = this.#state.at === 'sending' ? null : this.stored.revision;
    call('PATCH', investigation(this.id), { body: patch, revision, keepalive: true }).catch(() => undefined);
  }

  /** Handles an event and its follow-up events, until no effect is running. @param {Event} event */
  async #follow(event) {
    for (let now = /** @type {Event | undefined} */ (event); now;) {
      try {
        now = await this.#happened(now);
      } catch (error) {
        // An error here must not stop saving.
        if (now?.type === 'failed') throw error;
        now = failed(error);
      }
    }
  }

  /**
   * Passes an event to the machine, and runs the resulting effects.
   * @param {Event} event @returns {Promise<Event> | undefined} the answer to the request that the event led to, if any
   */
  #happened(event) {
    const { state, effects } = next(this.#state, { ...event, isOfAnother: this.isOfAnother });
    this.#state = state;
    let asked;
    for (const effect of effects) {
      const request = ask(this, effect);
      if (request) asked = request;
      else this.#effects[effect.do]?.(effect);
    }
    return asked;
  }

  /** The synchronous effects of the machine. */
  #effects = /** @type {Record<string, (effect: any) => void>} */ ({
    keep: ({ field }) => this.#keep(field),
    forget: ({ id, field, value }) => drafts.forget(id, field, value),
    settle: ({ value }) => this.pictures.settle(value),
    move: ({ from }) => this.pictures.moveFrom(from),
    tell: ({ name, detail }) => this.tell(name, detail),
    flush: ({ ms }) => this.flushSoon(ms),
    retry: ({ ms }) => {
      if (isSignedIn() && !this.#left.signal.aborted) this.flushSoon(ms);
    },
    pictures: () => this.pictures.send(),
  });

  /** Keeps an unsaved change in this browser. @param {string} field */
  #keep(field) {
    const change = this.#state.changes.get(field);
    if (change) this.#keepsText = drafts.keep(this.id, field, change.value, change.base, titleOf(this.written));
  }

  /** Fires an event. @param {string} name @param {any} [detail] */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
