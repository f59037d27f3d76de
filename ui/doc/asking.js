// @ts-check
// Runs the effects that ask the service or this browser. Each returns the next event for the machine. Also contains the
// message for an operation that was not started, because unsaved text could not be stored first.

import {
  Failure,
  call,
  investigation,
  isAway,
  isForbidden,
  isGone,
  mayBeDone,
  readLesson,
  wordsOf,
} from '../core/api.js';
import { content } from '../core/schema.js';
import * as drafts from './drafts.js';
import { named } from './pictures.js';

/** @typedef {import('./doc.js').Doc} Doc @typedef {import('./state.js').Event} Event */

/** The asynchronous effects, by name. @type {Record<string, (doc: Doc, effect: any) => Promise<Event>>} */
const ASKS = { send, read, look, resend };

/** Runs an asynchronous effect. @param {Doc} doc @param {import('./state.js').Effect} effect */
export function ask(doc, effect) {
  return ASKS[effect.do]?.(doc, effect).catch(failed);
}

/** Returns the investigation in an answer. @param {any} answer */
export const storedIn = (answer) => answer.updatedInvestigation ?? answer.data?.investigation ?? answer.data;

/** @param {unknown} error @returns {Event} */
export function failed(error) {
  const isStale = error instanceof Failure && error.status === 412;
  const why = isGone(error) ? 'gone' : isForbidden(error) ? 'forbidden' : isAway(error) ? 'away' : 'other';
  const isInvalid = error instanceof Failure && error.code === 'validation_failed';
  const violations = isInvalid ? error.errors : [];
  return { type: 'failed', error, why: isStale ? 'stale' : why, violations, mayBeDone: mayBeDone(error) };
}

/** Stores a patch, or creates the investigation with it. @param {Doc} doc @param {{ patch: any }} effect */
async function send(doc, { patch }) {
  const answer = doc.isStored
    ? await call('PATCH', investigation(doc.id), { body: patch, revision: doc.stored.revision })
    : await call('POST', '/api/investigation', { body: { ...content(doc.stored), ...patch }, key: doc.id });
  return { type: 'answered', stored: storedIn(answer) };
}

/** @param {Doc} doc */
async function read(doc) {
  const { data, mayChange } = await readLesson(doc.id, { background: true });
  if (mayChange !== doc.mayChange) doc.tell('rights');
  return { type: 'read', stored: data };
}

/** Looks for drafts that belong to no other open window. @param {Doc} doc */
async function look(doc) {
  const found = await drafts.take(doc.id);
  if (found.size > 0) await doc.pictures.load();
  for (const draft of found.values()) draft.value = named(draft.value);
  return { type: 'found', found };
}

/** Sends pictures again that the service does not have any more. @param {Doc} doc @param {any} effect */
async function resend(doc, { fields, violations }) {
  return { type: 'resent', isSent: await doc.pictures.sendAgain(fields), fields, violations };
}

export class NotSaved extends Error {
  /** @param {import('./doc.js').Doc} doc */
  constructor(doc) {
    super(obstacle(doc));
  }
}

/** @param {import('./doc.js').Doc} doc */
function obstacle(doc) {
  if (doc.isNothing) return 'Nothing was done, because nothing is written yet.';
  switch (doc.state) {
    case 'gone':
      return 'Nothing was done: this lesson was deleted.';
    case 'forbidden':
      return 'Nothing was done: you may no longer change this lesson.';
    case 'clash':
      return 'Nothing was done. First choose between the two texts of the field that was changed elsewhere, too.';
    case 'refused':
      return 'Nothing was done. First correct the field that is not saved.';
    default:
      return `Nothing was done, because your last changes are not saved yet. ${wordsOf(doc.failure)}`;
  }
}
