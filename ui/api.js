// @ts-check
// Speaks to the service, over its public interface alone.

import { expire, token } from './session.js';

/** What the service refused, in its own words. */
export class Failure extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body.message ?? 'The service sent an answer that cannot be read');
    this.status = status;
    /** @type {string} */
    this.code = body.code ?? 'unknown';
    /** Why, and what can be done. @type {string | undefined} */
    this.reason = body.error;
    /** @type {{path: string, message: string}[]} */
    this.errors = body.errors ?? [];
  }

  /** All of it as a sentence or two. */
  get words() {
    const all = [this.message, this.reason, ...this.errors.slice(0, 3).map((e) => `${e.path}: ${e.message}`)];
    return all
      .filter(Boolean)
      .map((text) => String(text).replace(/[.:]?$/, '.'))
      .join(' ');
  }
}

/** @param {unknown} error @returns {string} */
export function wordsOf(error) {
  if (error instanceof Failure) return error.words;
  return error instanceof Error ? error.message : String(error);
}

/** Whether an investigation does not exist any more. @param {unknown} error */
export function isGone(error) {
  return error instanceof Failure && error.code === 'investigation_not_found';
}

/** Whether the user may not do this. @param {unknown} error */
export function isForbidden(error) {
  return error instanceof Failure && error.status === 403;
}

/** Whether somebody stopped waiting, which is no failure. @param {unknown} error */
export function wasLeft(error) {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Whether the last request got no answer. Event on the window: `reached`, when one gets an answer again. */
let away = false;

/**
 * @typedef {{ body?: any, signal?: AbortSignal, revision?: number | null, keepalive?: boolean,
 *   onHeaders?: (headers: Headers) => void }} Options
 * @param {string} method @param {string} path @param {Options} [options]
 * @returns {Promise<any>} the answer
 */
export async function call(method, path, { body, signal, revision, keepalive, onHeaders } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  const bearer = token();
  if (bearer) headers['authorization'] = `Bearer ${bearer}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  // Nobody waits for a language model while writing.
  if (method !== 'GET') headers['prefer'] = 'respond-async';
  if (revision) headers['if-match'] = `"${revision}"`;
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      keepalive: keepalive ?? false,
      cache: 'no-store',
    });
  } catch (error) {
    if (wasLeft(error)) throw error;
    away = true;
    throw new Failure(0, {
      code: 'unreachable',
      message: 'The service cannot be reached',
      error: 'Check that you are online',
    });
  }
  const answer = read(await response.text());
  if (away) dispatchEvent(new Event('reached'));
  away = false;
  if (response.ok) {
    onHeaders?.(response.headers);
    return answer;
  }
  if (response.status === 401 && bearer) expire(bearer, answer.error);
  throw new Failure(response.status, answer);
}

/**
 * Reads JSON and keeps numbers to the letter: what a number of this language would change (6.0, or twenty digits) is
 * kept as written.
 * @param {string} text
 */
export function read(text) {
  const raw = /** @type {any} */ (JSON).rawJSON;
  const keep = /** @type {any} */ (
    (/** @type {string} */ _key, /** @type {any} */ value, /** @type {{source?: string}} */ context) =>
      raw && typeof value === 'number' && context?.source && String(value) !== context.source
        ? raw(context.source)
        : value
  );
  try {
    return JSON.parse(text, keep);
  } catch {
    return {};
  }
}

/** The address of an investigation, or of something of it. @param {string} id @param {string} [rest] */
export function investigation(id, rest = '') {
  return `/api/investigation/${encodeURIComponent(id)}${rest}`;
}

/** What stays the same while the page is open is asked once. @param {string} path @returns {() => Promise<any>} */
function once(path) {
  /** @type {Promise<any> | null} */
  let answer = null;
  return () =>
    (answer ??= call('GET', path).catch((error) => {
      answer = null;
      throw error;
    }));
}

/**
 * What the service says of itself: `publicUrl` where it has one, whether it `converses`, whether `editors` count, and
 * for how many `trashDays` a deletion can be taken back.
 */
export const service = once('/ui/service.json');
/** Content of the example investigations. */
export const examples = once('/ui/examples.json');
const format = once('/api/investigation/format');
/** The schema of investigations. */
export const schema = () => format().then((answer) => answer.format);
