// @ts-check
// A state machine that decides how the changes of a lesson are stored: for each state and event, it computes
// the next state and the effects. `Doc` reports the events and runs the effects. The functions are pure: they send and
// store nothing.

import { keyOf } from '../text/merge.js';
import { isIn, own, same } from '../text/values.js';

/** Time without a keystroke after which changes are stored. */
const PAUSE_MS = 1200;
/** Waits before a failed save is tried again; the last one repeats. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15000];

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Event} Event @typedef {import('./state.js').Effect} Effect
 */

/** Events that are possible in every state: the user writes or decides, another request completes, or a picture was
 * uploaded or failed. */
const ALWAYS = { edited, chosen, took, named, interrupted, givenUp, told };

/** For each state, its possible events and their handlers. An asynchronous effect ends with one of these events. */
export const TABLE = {
  /** No asynchronous effect is running. */
  resting: { ...ALWAYS, flushed: store, outdated: read, found: restore, failed: wait },
  /** The service stores changes. */
  sending: { ...ALWAYS, answered, failed: refused },
  /** The service returns what is stored, because it may have changed elsewhere. */
  reading: { ...ALWAYS, read: rebase, failed: wait },
  /** Pictures are sent again, because the service refused fields with pictures that it no longer has. */
  resending: { ...ALWAYS, resent, failed: wait },
  /** This browser looks for changes that another window has left, because everything else is stored. */
  looking: { ...ALWAYS, found: goOn, failed: wait },
};

/** @param {State} state @param {Event} event @returns {{ state: State, effects: Effect[] }} */
export function next(state, event) {
  const act = /** @type {Record<string, (state: State, event: Event) => void>} */ (TABLE[state.at])[event.type];
  if (!act) throw new TypeError(`“${event.type}” cannot happen while ${state.at}`);
  const after = state.copy();
  act(after, event);
  return { state: after, effects: after.effects };
}

/**
 * The user wrote. A change with a `fault` is kept in this browser and not sent.
 * @param {State} state @param {Event} event
 */
function edited(state, { field, value, fault }) {
  const [change, stored] = [state.changes.get(field), own(state.stored, field)];
  // A request without a response may have been stored, so reverting to the previous value is a change as well.
  const isBack = !fault && same(value, stored) && !change?.tried.length;
  // An invalid text is only in its text box, so the user must correct it before choosing between it and another text.
  const held = fault ? 'invalid' : change?.held === 'clash' ? 'clash' : null;
  if (isBack) state.settle(field);
  else state.keep(field, { base: stored, tried: [], ...change, value, held });
  // What others stored while the text was invalid is merged now.
  if (change?.held === 'invalid' && !fault) {
    state.reconcile(field);
    state.tell('taken', { forced: null, before: state.stored });
  }
  // A new lesson with nothing but empty rows is not kept in this browser.
  if (state.isNothing) state.changes.forEach((change, field) => state.forget(field, change.value));
  state.tell('saving');
  state.does({ do: 'flush', ms: PAUSE_MS });
}

/** The user settled a clash, if it is still there. @param {State} state @param {Event} event */
function chosen(state, { field, conflict, choice }) {
  state.choices.set(keyOf(conflict), choice);
  const { merged } = state.copy();
  state.reconcile(field);
  // The user chose this value, so it is not announced as a merge.
  state.merged = merged;
  if (state.clashes.length === 0) state.choices.clear();
  state.tell('taken', { forced: field, before: state.stored });
  state.tell('saving');
}

/** An operation changed what is stored. @param {State} state @param {Event} event */
function took(state, { stored }) {
  state.take(stored);
}

/** The service has stored pictures. `values` have the new ids. @param {State} state @param {Event} event */
function named(state, { values }) {
  for (const [field, value] of values) state.change(field, (before) => state.keep(field, { ...before, value }));
}

/** A picture could not be sent. @param {State} state @param {Event} event */
function interrupted(state, { error, why }) {
  state.become({ gone: why === 'gone', failure: { error, why } });
  state.tell('saving');
  if (state.gone || why === 'forbidden') return;
  state.does({ do: 'retry', ms: RETRY_MS[Math.min(state.failures, RETRY_MS.length - 1)] });
  state.become({ failures: state.failures + 1 });
}

/** The text was stored elsewhere. @param {State} state */
function givenUp(state) {
  state.changes.clear();
}

/** The user was told which fields were merged. @param {State} state */
function told(state) {
  state.merged.clear();
}

/** Stores the changes that can be stored. @param {State} state @param {Event} event */
function store(state, { isOfAnother = false }) {
  state.become({ at: 'resting' });
  if (isOfAnother) return;
  state.does({ do: 'pictures' });
  const sent = state.sent ?? state.unsent();
  if (!state.gone && sent.fields.length > 0) {
    state.become({ sent });
    for (const [field, value] of sent.fields)
      state.change(field, (c) => state.put(field, { tried: [...c.tried, value] }));
    ask(state, 'sending', { do: 'send', patch: sent.patch });
  } else if (!state.gone && state.isClean) ask(state, 'looking', { do: 'look' });
  state.tell('saving');
}

/** The service stored what was sent. @param {State} state @param {Event} event */
function answered(state, event) {
  const isNew = !state.isStored;
  for (const [field, value] of state.sent?.fields ?? []) {
    state.change(field, (now) => {
      if (same(now.value, value) && now.held !== 'invalid') state.settle(field);
      else state.keep(field, { ...now, base: own(event.stored, field), tried: [] });
    });
  }
  state.become({ at: 'resting', sent: null, failure: null, failures: 0 });
  state.take(event.stored);
  // After a lesson was created, what was written since is stored at once. After other saves, it waits for a pause.
  if (isNew || state.isClean) store(state, event);
}

/** The service did not store what was sent, or this is unknown. @param {State} state @param {Event} event */
function refused(state, event) {
  const fields = (state.sent?.fields ?? []).map(([field]) => field);
  if (!event.mayBeDone)
    for (const field of fields) state.change(field, ({ tried }) => state.put(field, { tried: tried.slice(0, -1) }));
  if (!event.mayBeDone || state.isStored) state.become({ sent: null });
  const { violations } = event;
  const concerns = (/** @type {string} */ field) => violations.some((/** @type {any} */ { path }) => isIn(path, field));
  const broken = fields.filter(concerns);
  if (event.why === 'stale') read(state);
  else if (broken.length > 0) ask(state, 'resending', { do: 'resend', fields: broken, violations });
  else wait(state, event);
}

/**
 * Sends refused fields again if their pictures could be sent again. Otherwise holds back these fields, and only these.
 * @param {State} state @param {Event} event
 */
function resent(state, event) {
  if (!event.isSent) {
    for (const field of event.fields) state.change(field, ({ held }) => state.put(field, { held: held ?? 'refused' }));
    state.tell('violations', event.violations);
  }
  store(state, event);
}

/** A request failed. It is made again later if that may help. @param {State} state @param {Event} event */
function wait(state, event) {
  state.become({ at: 'resting' });
  interrupted(state, event);
}

/** Reads the stored state. @param {State} state */
function read(state) {
  ask(state, 'reading', { do: 'read' });
}

/** Bases the changes on the newly read state. @param {State} state @param {Event} event */
function rebase(state, event) {
  state.become({ gone: false });
  // With the same revision, nothing was stored since.
  if (event.stored.revision !== state.stored.revision) state.take(event.stored, true);
  store(state, event);
}

/** Restores changes that an earlier visit left in this browser. @param {State} state @param {Event} event */
function restore(state, { found }) {
  for (const [field, { value, base }] of found) {
    if (state.changes.has(field)) continue;
    state.changes.set(field, { value, base, tried: [], held: null });
    state.reconcile(field);
  }
}

/** Stores changes that another window left in this browser. @param {State} state @param {Event} event */
function goOn(state, event) {
  state.become({ at: 'resting' });
  restore(state, event);
  if (event.found.size === 0 || state.isClean) return;
  state.tell('taken', { forced: null, before: state.stored });
  store(state, event);
}

/**
 * Enters the state `at`, and starts `effect`, whose answer arrives as an event in that state.
 * @param {State} state @param {State['at']} at @param {Effect} effect
 */
function ask(state, at, effect) {
  state.become({ at });
  state.does(effect);
}
