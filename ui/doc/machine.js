// @ts-check
// How the changes of a lesson are stored: what is known about them, and for each state and event, what comes next.
// `Doc` says what happened, and runs the effects. Pure: it asks nobody and stores nothing.

import { Step, clashesOf, isNothing, isStored, unsent } from './changes.js';
import { keyOf } from '../text/merge.js';
import { own, same } from '../text/values.js';

/** Time without a keystroke after which changes are stored. */
const PAUSE_MS = 1200;
/** Waits before a failed save is tried again; the last one repeats. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15000];

/**
 * @typedef {import('./changes.js').State} State
 * @typedef {import('./changes.js').Event} Event @typedef {import('./changes.js').Effect} Effect
 */

/** What can happen at any time: the user writes or decides, another request answers, or a picture was sent or not. */
const ALWAYS = { edited, chosen, took, named, interrupted, givenUp, told };

/** For each state, what can happen in it, and what follows. An effect that asks somebody leads to such an event. */
export const TABLE = {
  /** Nobody is asked for anything. */
  resting: { ...ALWAYS, flushed: store, outdated: read, found: restore, failed: wait },
  /** The service stores changes. */
  sending: { ...ALWAYS, answered, failed: refused },
  /** The service returns what is stored, because it may have changed elsewhere. */
  reading: { ...ALWAYS, read: rebase, failed: wait },
  /** The service gets pictures again, because it refused fields with pictures that it has forgotten. */
  resending: { ...ALWAYS, resent, failed: wait },
  /** This browser looks for changes that another window has left, because everything else is stored. */
  looking: { ...ALWAYS, found: goOn, failed: wait },
};

/** Returns the state of a lesson without changes. @param {any} stored @returns {State} */
export function beginning(stored) {
  const [changes, choices, merged] = [new Map(), new Map(), new Set()];
  return { at: 'resting', stored, changes, choices, merged, sent: null, failure: null, failures: 0, gone: false };
}

/** @param {State} state @param {Event} event @returns {{ state: State, effects: Effect[] }} */
export function next(state, event) {
  const act = /** @type {Record<string, (step: Step, event: Event) => void>} */ (TABLE[state.at])[event.type];
  if (!act) throw new TypeError(`“${event.type}” cannot happen while ${state.at}`);
  const step = new Step(state);
  act(step, event);
  const { effects, ...after } = step;
  return { state: after, effects };
}

/**
 * The user wrote. A change with a `fault` is kept in this browser and not sent.
 * @param {Step} step @param {Event} event
 */
function edited(step, { field, value, fault }) {
  const [change, stored] = [step.changes.get(field), own(step.stored, field)];
  // What was sent without an answer may be stored, so that going back to the value before it is a change, too.
  const isBack = !fault && same(value, stored) && !change?.tried.length;
  const held = change?.held === 'clash' ? 'clash' : fault ? 'invalid' : null;
  if (isBack) step.settle(field);
  else step.keep(field, { base: stored, tried: [], ...change, value, held });
  // An empty row of a lesson that is not stored is nothing to keep.
  if (isNothing(step)) step.changes.forEach((change, field) => step.forget(field, change.value));
  step.tell('saving');
  step.does({ do: 'flush', ms: PAUSE_MS });
}

/** The user settled a clash, if it is still there. @param {Step} step @param {Event} event */
function chosen(step, { field, conflict, choice }) {
  step.choices.set(keyOf(conflict), choice);
  step.reconcile(field);
  if (clashesOf(step).length === 0) step.choices.clear();
  step.tell('taken', { forced: field, before: step.stored });
  step.tell('saving');
}

/** An operation changed what is stored. @param {Step} step @param {Event} event */
function took(step, { stored }) {
  step.take(stored);
  step.tellClashes();
}

/** The service has taken pictures. These values have the ids that it gave. @param {Step} step @param {Event} event */
function named(step, { values }) {
  for (const [field, value] of values) step.change(field, (before) => step.keep(field, { ...before, value }));
}

/** A picture could not be sent. @param {Step} step @param {Event} event */
function interrupted(step, { error, why }) {
  step.become({ gone: why === 'gone', failure: { error, why } });
  step.tell('saving');
  if (step.gone || why === 'forbidden') return;
  step.does({ do: 'retry', ms: RETRY_MS[Math.min(step.failures, RETRY_MS.length - 1)] });
  step.become({ failures: step.failures + 1 });
}

/** The text was stored elsewhere. @param {Step} step */
function givenUp(step) {
  step.changes.clear();
}

/** The user knows what was merged. @param {Step} step */
function told(step) {
  step.merged.clear();
}

/** Stores the changes that can be stored. @param {Step} step @param {Event} event */
function store(step, { isOfAnother = false }) {
  step.become({ at: 'resting' });
  if (isOfAnother) return;
  step.does({ do: 'pictures' });
  const sent = step.sent ?? unsent(step);
  if (!step.gone && sent.fields.length > 0) {
    step.become({ sent });
    for (const [field, value] of sent.fields)
      step.change(field, (c) => step.put(field, { tried: [...c.tried, value] }));
    ask(step, 'sending', { do: 'send', patch: sent.patch });
  } else if (!step.gone && step.changes.size === 0) ask(step, 'looking', { do: 'look' });
  step.tell('saving');
}

/** The service stored what was sent. @param {Step} step @param {Event} event */
function answered(step, event) {
  const isNew = !isStored(step);
  for (const [field, value] of step.sent?.fields ?? []) {
    step.change(field, (now) => {
      if (same(now.value, value)) step.settle(field);
      else step.keep(field, { ...now, base: own(event.stored, field), tried: [] });
    });
  }
  step.become({ at: 'resting', sent: null, failure: null, failures: 0 });
  step.take(event.stored);
  // What was written since a lesson was first sent follows at once; what was written since, after a pause.
  if (isNew || step.changes.size === 0) store(step, event);
}

/** The service did not store what was sent, or it did not answer. @param {Step} step @param {Event} event */
function refused(step, event) {
  const fields = (step.sent?.fields ?? []).map(([field]) => field);
  const mayBeStored = event.why === 'away';
  if (!mayBeStored)
    for (const field of fields) step.change(field, ({ tried }) => step.put(field, { tried: tried.slice(0, -1) }));
  if (!mayBeStored || isStored(step)) step.become({ sent: null });
  const { violations } = event;
  const concerns = (/** @type {string} */ field) =>
    violations.some((/** @type {any} */ { path }) => path === field || path.startsWith(`${field}.`));
  const broken = fields.filter(concerns);
  if (event.why === 'stale') read(step);
  else if (broken.length > 0) ask(step, 'resending', { do: 'resend', fields: broken, violations });
  else wait(step, event);
}

/** Refused fields are sent again with their pictures, or held back alone. @param {Step} step @param {Event} event */
function resent(step, event) {
  if (!event.isSent) {
    for (const field of event.fields) step.change(field, () => step.put(field, { held: 'invalid' }));
    step.tell('violations', event.violations);
  }
  store(step, event);
}

/** A request failed. It is made again later if that may help. @param {Step} step @param {Event} event */
function wait(step, event) {
  step.become({ at: 'resting' });
  interrupted(step, event);
}

/** Asks what is stored. @param {Step} step */
function read(step) {
  ask(step, 'reading', { do: 'read' });
}

/** Goes on from what is stored now. @param {Step} step @param {Event} event */
function rebase(step, event) {
  step.become({ gone: false });
  step.take(event.stored);
  step.tellClashes();
  store(step, event);
}

/** Takes up changes that an earlier visit has left. @param {Step} step @param {Event} event */
function restore(step, { found }) {
  for (const [field, { value, base }] of found) {
    if (step.changes.has(field)) continue;
    step.changes.set(field, { value, base, tried: [], held: null });
    step.reconcile(field);
  }
}

/** Stores what another window has left. @param {Step} step @param {Event} event */
function goOn(step, event) {
  step.become({ at: 'resting' });
  restore(step, event);
  if (event.found.size === 0 || step.changes.size === 0) return;
  step.tell('taken', { forced: null, before: step.stored });
  step.tellClashes();
  store(step, event);
}

/** @param {Step} step @param {State['at']} at @param {Effect} effect asks somebody. The answer is an event of `at` */
function ask(step, at, effect) {
  step.become({ at });
  step.does(effect);
}
