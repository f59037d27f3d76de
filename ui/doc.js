// @ts-check
// An investigation that is being written: what is stored, what is not yet, and the one line of requests that stores it.

import { Failure, call, investigation } from './api.js';
import { content, mergePatch, own, same } from './schema.js';

/** After so long without a keystroke what was written is stored. */
const PAUSE_MS = 1200;
/** How often the page asks whether the language model has read the document. */
const CHECK_MS = 2500;

/** @typedef {{ field: string, mine: any, theirs: any }} Clash */

/** Events: `taken` (a state of the service came), `saving` (detail: a word), `clash` (detail: Clash[]), `violations` (detail: {path, message}[]). */
export class Doc extends EventTarget {
  /** @param {any} investigation */
  constructor(investigation) {
    super();
    /** What the service answered last. */
    this.stored = investigation;
    /** What it does not have yet, by field; undefined where the field goes. @type {Map<string, any>} */
    this.mine = new Map();
    /** Fields that wait for a decision, or for another form. @type {Map<string, 'clash' | 'invalid'>} */
    this.held = new Map();
    /** @type {Promise<any>} */
    this.line = Promise.resolve();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** Whether a change is on its way. */
    this.asking = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.checking = undefined;
    this.left = false;
    this.check();
  }

  get id() {
    return this.stored._id;
  }
  get revision() {
    return this.stored.revision;
  }
  get isClean() {
    return this.mine.size === 0;
  }

  /** How far it is stored, in a word. */
  get state() {
    const held = [...this.held.values()];
    if (held.includes('clash')) return 'clash';
    return held.length > 0 ? 'refused' : this.isClean ? 'saved' : 'unsaved';
  }

  /** @param {string} field */
  value(field) {
    return this.mine.has(field) ? this.mine.get(field) : own(this.stored, field);
  }

  /** The content as it is written. */
  get written() {
    return Object.fromEntries(
      Object.entries({ ...content(this.stored), ...Object.fromEntries(this.mine) }).filter(
        ([, value]) => value !== undefined,
      ),
    );
  }

  /** @param {string} field @param {any} value */
  edit(field, value) {
    if (same(value, own(this.stored, field)) && !this.asking) this.mine.delete(field);
    else this.mine.set(field, value);
    if (this.held.get(field) === 'invalid') this.held.delete(field);
    this.say(this.state);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** Stores what is not stored yet. @returns {Promise<boolean>} whether all is */
  flush() {
    clearTimeout(this.timer);
    return this.turn(() => this.store());
  }

  /** One request at a time, in order. @template T @param {() => Promise<T>} act @returns {Promise<T>} */
  turn(act) {
    const done = this.line.then(act, act);
    this.line = done.catch(() => undefined);
    return done;
  }

  /** @returns {Promise<boolean>} */
  async store() {
    const sent = [...this.mine].filter(([field]) => !this.held.has(field));
    if (sent.length === 0) {
      this.say(this.state);
      return this.isClean;
    }
    const patch = Object.fromEntries(sent.map(([field, value]) => [field, mergePatch(own(this.stored, field), value)]));
    this.say('saving');
    this.asking = true;
    try {
      const { updatedInvestigation } = await call('PATCH', investigation(this.id), {
        body: patch,
        revision: this.revision,
      });
      this.asking = false;
      for (const [field, value] of sent) if (same(this.mine.get(field), value)) this.mine.delete(field);
      this.take(updatedInvestigation);
      return this.isClean;
    } catch (error) {
      this.asking = false;
      if (error instanceof Failure && error.status === 412) return this.rebase();
      const broken = error instanceof Failure && error.code === 'validation_failed' ? error.errors : [];
      const fields = sent
        .map(([field]) => field)
        .filter((field) => broken.some(({ path }) => path === field || path.startsWith(`${field}.`)));
      if (fields.length > 0) {
        fields.forEach((field) => this.held.set(field, 'invalid'));
        this.dispatchEvent(new CustomEvent('violations', { detail: broken }));
        return this.store();
      }
      this.say('failed', error);
      return false;
    }
  }

  /** Goes on from what somebody else stored meanwhile; where that is the same field, somebody has to decide. */
  async rebase() {
    try {
      const before = this.stored;
      const { data } = await call('GET', investigation(this.id));
      /** @type {Clash[]} */
      const clashes = [];
      for (const [field, mine] of this.mine) {
        if (same(own(data, field), mine)) this.mine.delete(field);
        else if (!same(own(data, field), own(before, field))) {
          this.held.set(field, 'clash');
          clashes.push({ field, mine, theirs: own(data, field) });
        }
      }
      this.take(data);
      if (clashes.length > 0) {
        this.dispatchEvent(new CustomEvent('clash', { detail: clashes }));
      }
      return await this.store();
    } catch (error) {
      this.say('failed', error);
      return false;
    }
  }

  /** @param {string} field @param {boolean} keepMine */
  decide(field, keepMine) {
    this.held.delete(field);
    if (!keepMine) this.mine.delete(field);
    this.dispatchEvent(new CustomEvent('taken', { detail: { forced: keepMine ? null : field } }));
    return this.flush();
  }

  /**
   * An operation of the service on what is written: everything is stored before it.
   * @param {string} method @param {string} rest @param {any} [body] @param {AbortSignal} [signal]
   * @returns {Promise<any>} its answer; undefined where something could not be stored before
   */
  async act(method, rest, body, signal) {
    if (!(await this.flush())) return undefined;
    return this.turn(async () => {
      const answer = await call(method, investigation(this.id, rest), {
        body,
        revision: this.revision,
        ...(signal ? { signal } : {}),
      });
      const shown = answer.updatedInvestigation ?? answer.data?.investigation ?? answer.data;
      if (!rest.includes('dryRun=true') && shown?._id) this.take(shown);
      return answer;
    });
  }

  /** Reads what is there now. */
  again() {
    return this.turn(() => this.rebase());
  }

  /** @param {any} investigation */
  take(investigation) {
    this.stored = investigation;
    this.dispatchEvent(new CustomEvent('taken', { detail: { forced: null } }));
    this.say(this.state);
    this.check();
  }

  /** While the language model has not read the document, asks again and again. What is being written stays as it is. */
  check() {
    clearTimeout(this.checking);
    if (!this.stored.contradictionsPending || this.left) return;
    this.checking = setTimeout(
      () =>
        this.turn(async () => {
          const { data } = await call('GET', investigation(this.id));
          // Where somebody else wrote meanwhile, the next save finds out.
          if (same(content(data), content(this.stored))) this.take(data);
          else this.check();
        }).catch(() => undefined),
      CHECK_MS,
    );
  }

  /** Stores what is not stored yet, for the last time. */
  leave() {
    this.left = true;
    clearTimeout(this.checking);
    return this.flush();
  }

  /** What is left when the page goes away is sent without waiting. */
  farewell() {
    clearTimeout(this.timer);
    const sent = [...this.mine].filter(([field]) => !this.held.has(field));
    if (sent.length === 0) return;
    const patch = Object.fromEntries(sent.map(([field, value]) => [field, mergePatch(own(this.stored, field), value)]));
    call('PATCH', investigation(this.id), {
      body: patch,
      revision: this.asking ? null : this.revision,
      keepalive: true,
    }).catch(() => undefined);
  }

  /** @param {string} word @param {unknown} [error] */
  say(word, error) {
    this.dispatchEvent(new CustomEvent('saving', { detail: { word, error } }));
  }
}
