// @ts-check
// The unsaved changes of a lesson: which can be sent, which conflict with the stored state, and which this
// browser has to keep. This code sends and stores nothing itself.

import { merge } from '../text/merge.js';
import { withoutDrafts } from '../text/picture_refs.js';
import { isBlank, mergePatch, own, same } from '../text/values.js';

/**
 * An unsaved change of a field. `value` is undefined if the field is removed, and `base` is the stored value that it
 * replaces. `tried` are the values that were sent and may be stored, although no answer came. A change that is `held`
 * is not sent until the user has chosen between two values, has corrected a text that is no value, or has changed a
 * value that the service refused.
 * @typedef {{ value: any, base: any, tried: any[], held: 'clash' | 'invalid' | 'refused' | null }} Change
 * @typedef {{ fields: [string, any][], patch: Record<string, any> }} Sent
 * @typedef {{ field: string, conflict: import('../text/merge.js').Conflict }} Clash
 * @typedef {'away' | 'forbidden' | 'gone' | 'stale' | 'other'} Why
 *
 * @typedef {{ type: string, isOfAnother?: boolean } & Record<string, any>} Event `isOfAnother` if another person has
 *   signed in, who does not send this text
 * @typedef {{ do: string } & Record<string, any>} Effect
 */

/** The state of a lesson in an editor. */
export class State {
  /** The current activity. @type {'resting' | 'sending' | 'reading' | 'resending' | 'looking'} */
  at = 'resting';
  /** @type {Map<string, Change>} */
  changes = new Map();
  /** The user's choices about conflicts, by key. @type {Map<string, import('../text/merge.js').Choice>} */
  choices = new Map();
  /** Fields that were merged with changes made elsewhere, until the user was told. @type {Set<string>} */
  merged = new Set();
  /**
   * The changes that are being sent. While a new lesson is being created, they stay the same until an answer comes, so
   * that a lost answer does not create the lesson twice.
   */
  sent = /** @type {Sent | null} */ (null);
  /** Why the last save failed, if it did. */
  failure = /** @type {{ error: unknown, why: Why } | null} */ (null);
  /** Number of failures in a row. */
  failures = 0;
  /** True if the lesson was deleted. */
  gone = false;
  /** Effects that the change of state requires. @type {Effect[]} */
  effects = [];

  /** @param {any} stored what the service returned last */
  constructor(stored) {
    this.stored = stored;
  }

  /** Returns a copy that can change independently of this state. */
  copy() {
    const { changes, choices, merged } = this;
    const copied = { changes: new Map(changes), choices: new Map(choices), merged: new Set(merged), effects: [] };
    return Object.assign(new State(this.stored), this, copied);
  }

  /** True if the lesson is stored in the service, and not only in this browser. */
  get isStored() {
    return this.stored.revision !== undefined;
  }

  get isClean() {
    return this.changes.size === 0;
  }

  /** True if the lesson is not stored, and has no text yet. */
  get isNothing() {
    return !this.isStored && [...this.changes.values()].every(({ value }) => isBlank(value));
  }

  /** The values that were changed both here and elsewhere, between which the user must choose. @returns {Clash[]} */
  get clashes() {
    return [...this.changes].flatMap(([field, { value, base, held }]) => {
      const open = held === 'clash' ? merge(base, value, own(this.stored, field), this.choices).open : [];
      return open.map((conflict) => ({ field, conflict }));
    });
  }

  /**
   * Returns `saved` if everything is stored, or else a word that says why not.
   * @param {{ refused: boolean, sending: boolean }} pictures
   */
  word(pictures) {
    const held = [...this.changes.values()].map((change) => change.held);
    if (this.gone) return 'gone';
    if (held.includes('clash')) return 'clash';
    // A failed save is shown until one succeeds, so that its button does not disappear under the pointer.
    if (this.failure && !this.isClean) return this.failure.why === 'forbidden' ? 'forbidden' : 'waiting';
    if (this.at === 'sending' || pictures.sending) return 'saving';
    if (held.includes('invalid') || held.includes('refused') || pictures.refused) return 'refused';
    return this.isClean ? 'saved' : 'unsaved';
  }

  /**
   * Returns the changes that can be sent, and the patch for them. Pictures that the service has not got yet are left
   * out.
   * @returns {Sent}
   */
  unsent() {
    const fields = [...this.changes].flatMap(([field, { value, held }]) => {
      if (held || this.isNothing) return [];
      const [whole, now] = [withoutDrafts(value), own(this.stored, field)];
      const isOnlyPictures = whole !== value && (same(whole, now) || (now === undefined && isBlank(whole)));
      // A lesson is created even for pictures alone, because pictures can be sent only to a stored lesson.
      return isOnlyPictures && this.isStored ? [] : [/** @type {[string, any]} */ ([field, whole])];
    });
    const patch = fields.map(([field, value]) => [field, mergePatch(own(this.stored, field), value)]);
    return { fields, patch: Object.fromEntries(patch) };
  }

  /** @param {Partial<Pick<State, 'at' | 'sent' | 'failure' | 'failures' | 'gone'>>} parts */
  become(parts) {
    Object.assign(this, parts);
  }

  /** @param {...Effect} effects */
  does(...effects) {
    this.effects.push(...effects);
  }

  /**
   * Replaces the stored state, and bases all changes on it.
   * @param {any} stored @param {boolean} [isElsewhere] whether others have changed it
   */
  take(stored, isElsewhere = false) {
    const before = this.stored;
    const isNew = before._id !== stored._id;
    this.stored = stored;
    this.changes.forEach((_, field) => this.reconcile(field));
    if (isNew) {
      // Text that was written in the meantime is kept under the new id.
      this.does({ do: 'move', from: before._id });
      this.changes.forEach(({ value }, field) => {
        this.does({ do: 'keep', field }, { do: 'forget', id: before._id, field, value });
      });
    }
    this.tell('taken', { forced: null, before, isElsewhere });
    if (isNew) this.tell('created');
    this.tell('saving');
  }

  /**
   * Bases a change on the stored state, which may have changed elsewhere. Where both changed the same place, the user
   * must choose. A field with an invalid text is merged only after the text is corrected, because `value` does not
   * contain the text.
   * @param {string} field
   */
  reconcile(field) {
    this.change(field, (before) => {
      if (before.held === 'invalid') return;
      const theirs = own(this.stored, field);
      // The value that was sent has been stored, although no response arrived.
      const isOwn = before.tried.some((value) => same(value, theirs));
      const [base, tried] = isOwn ? [theirs, []] : [before.base, before.tried];
      const { value, open } = merge(base, before.value, theirs, this.choices);
      if (same(theirs, before.value)) return this.settle(field);
      if (open.length > 0) return this.put(field, { base, tried, held: 'clash' });
      const held = before.held === 'clash' ? null : before.held;
      if (same(theirs, base)) return this.put(field, { base, tried, held });
      if (!same(value, before.value)) this.merged.add(field);
      if (same(theirs, value)) return this.settle(field);
      this.keep(field, { value, base: theirs, tried, held });
    });
  }

  /** Calls `act` with the change of a field, if any. @param {string} field @param {(change: Change) => void} act */
  change(field, act) {
    const found = this.changes.get(field);
    if (found) act(found);
  }

  /** Replaces parts of a change. @param {string} field @param {Partial<Change>} parts */
  put(field, parts) {
    this.change(field, (before) => void this.changes.set(field, { ...before, ...parts }));
  }

  /** Keeps a change in this browser. @param {string} field @param {Change} change */
  keep(field, change) {
    this.changes.set(field, change);
    this.does({ do: 'keep', field });
  }

  /** Removes a kept change from this browser, unless it has changed since. @param {string} field @param {any} value */
  forget(field, value) {
    this.does({ do: 'forget', id: this.stored._id, field, value });
  }

  /** Removes a change, because it was stored or given up. @param {string} field */
  settle(field) {
    this.change(field, ({ value }) => {
      this.changes.delete(field);
      this.forget(field, value);
      this.does({ do: 'settle', value });
    });
  }

  /** @param {string} name of an event of `Doc` @param {any} [detail] */
  tell(name, detail) {
    this.does({ do: 'tell', name, detail });
  }
}
