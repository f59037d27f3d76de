// @ts-check
// Sends requests to the service: to its public API, and for two files below `/ui/`.

import { asLesson, capitalised } from '../text/words.js';

/** The reason for users who are not signed in. The service's own reason is about tokens, which only programs use. */
const SIGNED_OUT = 'your session has ended; sign in again';

/** A request that failed: the service refused it, or no response came (status 0). */
export class Failure extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body.message ?? 'The service sent an answer that cannot be read');
    this.status = status;
    /** @type {string} */
    this.code = body.code ?? 'unknown';
    /** The reason, and what the user can do. @type {string | undefined} */
    this.reason = this.code === 'unauthenticated' ? SIGNED_OUT : body.error;
    /** @type {{path: string, message: string}[]} */
    this.errors = body.errors ?? [];
    /** The address at which the page must be opened, if it is not this one. @type {string | undefined} */
    this.instead = body.instead;
    /** The ways to sign in, if nobody is signed in. @type {import('./session.js').Ways | undefined} */
    this.signIn = body.signIn;
  }

  /** Returns the message, the reason and up to three errors as one text. */
  get words() {
    if (this.instead) return `This is not the address of this service. Open ${this.instead} instead.`;
    const all = [
      this.message,
      this.reason && capitalised(this.reason),
      ...this.errors.slice(0, 3).map((e) => `${e.path}: ${e.message}`),
    ];
    return all
      .filter(Boolean)
      .map((text) => asLesson(String(text)).replace(/[.:]?$/, '.'))
      .join(' ');
  }
}

/** @param {unknown} error @returns {string} */
export function wordsOf(error) {
  if (error instanceof Failure) return error.words;
  return error instanceof Error ? error.message : String(error);
}

/** Returns true if the investigation does not exist any more. @param {unknown} error */
export const isGone = (error) => error instanceof Failure && error.code === 'investigation_not_found';

/** Returns true if the service did not answer. @param {unknown} error */
export const isAway = (error) => error instanceof Failure && (error.status === 0 || error.status >= 502);

/**
 * Returns true if the service may have done what a failed request asked for: its answer was lost, or it does not know.
 * @param {unknown} error
 */
export const mayBeDone = (error) => error instanceof Failure && (error.status === 0 || error.status >= 500);

/** Returns true if the user lacks the permission (status 403). @param {unknown} error */
export const isForbidden = (error) => error instanceof Failure && error.status === 403;

/** Returns true if the request was aborted, because nobody waits for the response any more. @param {unknown} error */
export const wasLeft = (error) => error instanceof DOMException && error.name === 'AbortError';

/** Called after a request that needs a sign-in was refused. Returns whether somebody is signed in. */
let refused = (/** @type {string} */ _why) => Promise.resolve(false);
/** @param {typeof refused} act */
export function onRefused(act) {
  refused = act;
}

/** The person for whom this window sends requests, if it knows one. @type {string | null} */
let person = null;
/** @param {string | null} id */
export function sendFor(id) {
  person = id;
}
/** Paths that ask who is signed in, or change that. */
const OF_SESSION = ['/api/me', '/api/session'];

/**
 * Requests that `start.js` has sent before the modules were loaded, by path. Each is the answer to one call.
 * @type {Record<string, Promise<Response | undefined>>}
 */
let early = /** @type {any} */ (globalThis).early ?? {};
/** Forgets the answers that the first view did not need, because they grow old. */
export const forgetEarly = () => void (early = {});

/** True if the last request got no response. The next response fires the event `reached` on the window. */
let away = false;

/**
 * @typedef {{ body?: any, signal?: AbortSignal | undefined, revision?: number | null, keepalive?: boolean,
 *   background?: boolean, key?: string, isAgain?: boolean,
 *   onSent?: (share: number) => void, onHeaders?: (headers: Headers) => void }} Options
 * Sends a request. A background request is not caused by the user, and does not keep their session alive.
 * @param {string} method @param {string} path @param {Options} [options]
 * @returns {Promise<any>} the answer
 */
export async function call(method, path, options = {}) {
  const { body, signal, revision, keepalive, background, key, isAgain, onSent, onHeaders } = options;
  /** @type {Record<string, string>} */
  const headers = {};
  const isFile = body instanceof Blob;
  if (body !== undefined) headers['content-type'] = isFile ? body.type : 'application/json';
  // Asks the service not to wait for its language model, because the author goes on writing.
  if (method !== 'GET') headers['prefer'] = 'respond-async';
  if (background) headers['fieldbook-background'] = '?1';
  // The service refuses the request if another person has signed in since then, in another window.
  const sender = person;
  if (sender && !OF_SESSION.includes(path)) headers['fieldbook-person'] = sender;
  if (key) headers['idempotency-key'] = key;
  if (revision) headers['if-match'] = `"${revision}"`;
  /** @type {Response} */
  let response;
  /** @type {any} */
  let answer;
  try {
    const request = { method, headers, body: body === undefined ? null : isFile ? body : JSON.stringify(body) };
    const more = { signal: signal ?? null, keepalive: keepalive ?? false, cache: /** @type {const} */ ('no-store') };
    const known = method === 'GET' ? early[path] : undefined;
    delete early[path];
    response = (await known) ?? (await (onSent ? upload(path, request, onSent) : fetch(path, { ...request, ...more })));
    answer = read(await response.text());
  } catch (error) {
    if (wasLeft(error)) throw error;
    away = true;
    throw new Failure(0, {
      code: 'unreachable',
      message: 'The service cannot be reached',
      error: 'Check that you are online',
    });
  }
  if (away) dispatchEvent(new Event('reached'));
  away = false;
  if (response.ok) {
    onHeaders?.(response.headers);
    return answer;
  }
  const failure = new Failure(response.status, answer);
  if (failure.code === 'cross_site') failure.instead = await otherAddress();
  const isNews = response.status === 401 || failure.code === 'read_only';
  if (isNews && !OF_SESSION.includes(path)) {
    const isSignedIn = await refused(failure.reason ?? '');
    // The same person has signed in since the request was sent.
    const isSame = isSignedIn && (sender === null || sender === person);
    if (response.status === 401 && isSame && !isAgain) return call(method, path, { ...options, isAgain: true });
  }
  throw failure;
}

/**
 * Creations that are being sent, or failed and may be done, by path and body.
 * @type {Map<string, { key: string, answer?: any }>}
 */
const creations = new Map();

/**
 * Creates something once. While a creation is being sent, an equal call gets the same answer. If a failed creation may
 * be done, the next equal call sends the same key, by which the service recognizes the repetition.
 * @param {string} path @param {any} [body] @param {AbortSignal} [signal] @returns {Promise<any>}
 */
export function create(path, body, signal) {
  const name = JSON.stringify([path, body]);
  const creation = creations.get(name) ?? { key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
  creations.set(name, creation);
  creation.answer ??= call('POST', path, { body, key: creation.key, signal }).then(
    (answer) => {
      creations.delete(name);
      return answer;
    },
    (error) => {
      delete creation.answer;
      if (!mayBeDone(error)) creations.delete(name);
      throw error;
    },
  );
  return creation.answer;
}

/**
 * Parses JSON. In browsers with `JSON.rawJSON`, a number that JavaScript would change (6.0, or twenty digits) keeps
 * its text.
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

/** Returns the API path of an investigation, or of a part of it. @param {string} id @param {string} [rest] */
export const investigation = (id, rest = '') => `/api/investigation/${encodeURIComponent(id)}${rest}`;

/**
 * Returns a function that fetches a path once and keeps the response. After a failure, the next call fetches again.
 * @param {string} path @returns {() => Promise<any>}
 */
export function once(path) {
  /** @type {Promise<any> | null} */
  let answer = null;
  return () =>
    (answer ??= call('GET', path).catch((error) => {
      answer = null;
      throw error;
    }));
}

/**
 * Settings of the service: `publicUrl` if one is set, `converses` if a language model is set up, `editors` if only the
 * author and chosen editors may change an investigation, `trashDays`, the number of days within which a deleted
 * investigation can be restored, and `defaultRole`, the role of people to whom neither the directory nor a provider
 * gives one.
 */
export const service = once('/ui/service.json');
/** Returns the public address of the service, if this page was opened at another one. */
async function otherAddress() {
  const { publicUrl } = await service().catch(() => ({ publicUrl: null }));
  return publicUrl && publicUrl !== location.origin ? publicUrl : undefined;
}

/**
 * Reads an investigation, and whether the user may change it.
 * @param {string} id @param {Options} [options] @returns {Promise<{ data: any, mayChange: boolean }>}
 */
export async function readLesson(id, options) {
  let mayChange = true;
  const onHeaders = (/** @type {Headers} */ headers) => void (mayChange = !headers.has('allow'));
  const { data } = await call('GET', investigation(id), { ...options, onHeaders });
  return { data, mayChange };
}

/** Content of the example investigations. */
export const examples = once('/ui/examples.json');
const format = once('/api/investigation/format');
/** The schema of investigations. */
export const schema = () => format().then((answer) => answer.format);

/**
 * @param {string} path @param {{ method: string, headers: Record<string, string>, body: any }} request
 * @param {(share: number) => void} onSent called with the share that was sent, from 0 to 1
 * @returns {Promise<Response>} rejects if no response came
 */
export function upload(path, { method, headers, body }, onSent) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    Object.entries(headers).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
    request.onerror = () => reject(new TypeError('No response'));
    request.send(body);
  });
}
