// @ts-check
// Sends the changes of an investigation as one merge patch, and handles the response: continues from the stored state
// after status 412, and tries again after another failure. `Doc` calls these functions one at a time.

import { Failure, call, investigation, isAway, isForbidden, isGone } from '../core/api.js';
import { merge } from '../text/merge.js';
import { withoutDrafts } from '../text/picture_refs.js';
import { content } from '../core/schema.js';
import { isBlank, mergePatch, own, same } from '../text/values.js';
import { isSignedIn } from '../core/session.js';

/** Waits before a failed save is tried again; the last one repeats. */
const RETRY_MS = [1000, 2000, 4000, 8000, 15000];

/**
 * @typedef {import('./doc.js').Doc} Doc
 * @typedef {{ sent: [string, any][], patch: Record<string, any> }} Sent
 */

/**
 * Stores the changes that can be stored.
 * @param {Doc} doc @returns {Promise<boolean>} whether everything is stored
 */
export async function store(doc) {
  const { sent, patch } = pending(doc);
  if (doc.isOfAnother) return false;
  doc.pictures.send();
  if (sent.length === 0 || doc.gone) {
    doc.announce();
    return doc.gone ? doc.isClean : more(doc);
  }
  doc.sending = true;
  sent.forEach(([field, value]) => doc.tried.set(field, value));
  doc.announce();
  try {
    const creates = !doc.isStored;
    if (creates) doc.first = { sent, patch };
    const answer = creates
      ? await call('POST', '/api/investigation', { body: { ...content(doc.stored), ...patch }, key: doc.id })
      : await call('PATCH', investigation(doc.id), { body: patch, revision: doc.revision });
    doc.sending = false;
    doc.first = null;
    settleSent(doc, sent, answer.updatedInvestigation ?? answer.data);
    // What was written since the first attempt follows.
    return creates ? store(doc) : more(doc);
  } catch (error) {
    doc.sending = false;
    if (!isAway(error)) doc.first = null;
    const fields = sent.map(([field]) => field);
    return failed(doc, error, fields);
  }
}

/**
 * Returns the changes that can be sent, and the patch for them. Pictures that the service has not got yet are left out.
 * @param {Doc} doc @returns {Sent}
 */
export function pending(doc) {
  if (doc.first) return doc.first;
  const sent = [...doc.mine].flatMap(([field, value]) => {
    if (doc.held.has(field) || doc.isNothing) return [];
    const [whole, stored] = [withoutDrafts(value), own(doc.stored, field)];
    const isOnlyPictures = whole !== value && (same(whole, stored) || (stored === undefined && isBlank(whole)));
    // A picture is sent to a lesson that is stored.
    return isOnlyPictures && doc.isStored ? [] : [/** @type {[string, any]} */ ([field, whole])];
  });
  const patch = Object.fromEntries(sent.map(([field, value]) => [field, mergePatch(own(doc.stored, field), value)]));
  return { sent, patch };
}

/**
 * Handles the response to a patch. If the user has changed a field again meanwhile, the change is now based on the
 * new state.
 * @param {Doc} doc @param {[string, any][]} sent @param {any} updated
 */
function settleSent(doc, sent, updated) {
  doc.failure = null;
  doc.failures = 0;
  for (const [field, value] of sent) {
    if (same(doc.mine.get(field), value)) doc.settle(field);
    else doc.bases.set(field, own(updated, field));
    doc.tried.delete(field);
  }
  doc.take(updated);
}

/**
 * If everything is stored, takes over drafts that another window has left meanwhile.
 * @param {Doc} doc @returns {Promise<boolean>} whether everything is stored
 */
async function more(doc) {
  if (!doc.isClean) return false;
  await doc.recover();
  if (doc.isClean) return true;
  doc.dispatchEvent(new CustomEvent('taken', { detail: { forced: null, before: doc.stored } }));
  tellClashes(doc);
  return pending(doc).sent.length > 0 ? store(doc) : false;
}

/** @param {Doc} doc @param {unknown} error @param {string[]} sent @returns {Promise<boolean>} */
async function failed(doc, error, sent) {
  if (error instanceof Failure && error.status === 412) return rebase(doc);
  const broken = error instanceof Failure && error.code === 'validation_failed' ? error.errors : [];
  const concerns = (/** @type {string} */ field) =>
    broken.some(({ path }) => path === field || path.startsWith(`${field}.`));
  const fields = sent.filter(concerns);
  if (fields.length > 0) {
    try {
      if (await doc.pictures.sendAgain(fields)) return await store(doc);
    } catch (problem) {
      return wait(doc, problem);
    }
    fields.forEach((field) => doc.held.set(field, 'invalid'));
    doc.dispatchEvent(new CustomEvent('violations', { detail: broken }));
    return store(doc);
  }
  return wait(doc, error);
}

/** Records a failed request, and tries again later if that may help. @param {Doc} doc @param {unknown} error */
export function wait(doc, error) {
  doc.gone = isGone(error);
  doc.failure = error;
  doc.announce();
  if (doc.gone || isForbidden(error) || !isSignedIn() || doc.left.signal.aborted) return false;
  doc.flushIn(RETRY_MS[Math.min(doc.failures, RETRY_MS.length - 1)] ?? 0);
  doc.failures += 1;
  return false;
}

/**
 * Continues from the stored state after somebody else changed it.
 * @param {Doc} doc @returns {Promise<boolean>} whether everything is stored
 */
export async function rebase(doc) {
  try {
    const { data } = await call('GET', investigation(doc.id), { background: true });
    doc.gone = false;
    [...doc.mine.keys()].forEach((field) => reconcile(doc, field, data));
    doc.take(data);
    tellClashes(doc);
    return await store(doc);
  } catch (error) {
    return wait(doc, error);
  }
}

/**
 * Merges an unsaved change with the stored value, without the choices of the user that are missing.
 * @param {Doc} doc @param {string} field @param {any} [stored]
 */
export function conflicts(doc, field, stored = doc.stored) {
  return merge(doc.bases.get(field), doc.mine.get(field), own(stored, field), doc.choices);
}

/**
 * Bases an unsaved change on the stored value, which may have changed elsewhere. Where both changed the same place, the
 * user must choose.
 * @param {Doc} doc @param {string} field @param {any} [stored]
 */
export function reconcile(doc, field, stored = doc.stored) {
  const theirs = own(stored, field);
  // What was sent is stored, although no response came.
  if (doc.tried.has(field) && same(theirs, doc.tried.get(field))) doc.bases.set(field, theirs);
  if (same(theirs, doc.mine.get(field))) return doc.settle(field);
  const { value, open } = conflicts(doc, field, stored);
  if (open.length > 0) return void doc.held.set(field, 'clash');
  if (doc.held.get(field) === 'clash') doc.held.delete(field);
  if (same(theirs, doc.bases.get(field))) return;
  if (!same(value, doc.mine.get(field))) doc.merged.add(field);
  doc.mine.set(field, value);
  doc.bases.set(field, theirs);
  doc.keep(field);
  if (same(theirs, value)) doc.settle(field);
}

/** @param {Doc} doc */
function tellClashes(doc) {
  if (doc.clashes.length > 0) doc.dispatchEvent(new CustomEvent('clash', { detail: doc.clashes }));
}
