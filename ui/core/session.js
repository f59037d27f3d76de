// @ts-check
// Who is signed in, according to the service. The browser keeps the cookie of the session, which no script
// can read. Events on the window: `signed-in`, `signed-out` (detail: the service's reason, if it refused a request),
// `another-person`, and `known` after each answer.

import { Failure, call, onRefused, sendFor } from './api.js';
import { shared } from './dom.js';

/** Path of the sign-in page. */
export const PATH = '/sign-in';

/**
 * @typedef {{ provider: string | null, password: boolean }} Ways
 * @typedef {{ id: string | null, name: string | null, email: string | null, role: string, signedInBy: string,
 *   may: { read: boolean, create: boolean, administer: boolean }, signIn: Ways }} Me
 */

/** @type {Me | null} */
let me = null;
/** How people can sign in. @type {Ways} */
let ways = { provider: null, password: false };
/** The last person whom this window knew. @type {string | null} */
let last = null;
let isKnown = false;
/** Why the service last refused to say who is signed in. @type {Failure | null} */
let refused = null;
/** Number of sign-ins and sign-outs in this window. Responses to requests from before the last one are ignored. */
let turns = 0;

/** Informs the other tabs of this browser, which share the session. */
const tabs = new BroadcastChannel('fieldbook.session');
tabs.addEventListener('message', () => learn());
onRefused(async (why) => {
  if (me) await learn(why);
  return me !== null;
});

/** Asks the service again what the user may do. */
export const learnAgain = () => learn();

/** Resolves once the service has said who is signed in, or could not be reached. */
export function known() {
  return isKnown && !refused ? Promise.resolve() : learn();
}

/** Returns why the service refused a request that needs a sign-in, if it did. */
export const refusal = () => refused;

/** Asks the service who is signed in. @type {(why?: string) => Promise<void>} `why` a request was refused */
const learn = shared(async (why) => {
  const turn = turns;
  try {
    const { data } = await call('GET', '/api/me', { background: true });
    if (turn === turns) become(data);
  } catch (error) {
    // Without a response, the state is assumed to be unchanged.
    if (turn !== turns || !(error instanceof Failure) || ![401, 403].includes(error.status)) return;
    ways = error.signIn ?? ways;
    become(null, why);
    refused = error;
  }
});

/** @param {Me | null} now @param {string} [why] */
function become(now, why) {
  const before = me;
  me = now;
  refused = null;
  // Tells other tabs, which may wait for a sign-in with the provider. Such a sign-in ends with a new page.
  if (now && !isKnown) tabs.postMessage('');
  isKnown = true;
  sendFor(now ? now.id : last);
  if (now) ways = now.signIn;
  const isAnother = now && last && last !== now.id;
  last = now?.id ?? last;
  if (isAnother) return void dispatchEvent(new Event('another-person'));
  if (now && !before) dispatchEvent(new Event('signed-in'));
  if (!now && before) dispatchEvent(new CustomEvent('signed-out', { detail: why }));
  dispatchEvent(new Event('known'));
}

/** Signs in. Throws a `Failure` if the service refuses that. @param {Record<string, string>} credentials */
export async function signIn(credentials) {
  const { data } = await call('POST', '/api/session', { body: credentials });
  turns += 1;
  tabs.postMessage('');
  become(data);
}

/** Changes the user's name, e-mail address or password. @param {Record<string, string | undefined>} change */
export async function changeSelf(change) {
  await call('PATCH', `/api/people/${user()}`, { body: change });
  await learn();
}

export async function signOut() {
  await call('DELETE', '/api/session');
  turns += 1;
  tabs.postMessage('');
  become(null);
}

export const isSignedIn = () => me !== null;

/** Returns true if there is a session, which the user can end. Without one, a proxy signs the user in. */
export const hasSession = () => ['provider', 'password', 'link'].includes(me?.signedInBy ?? '');

/** Returns true if the user has signed in with the provider, which has their password. */
export const isOfProvider = () => me?.signedInBy === 'provider';

/** @returns {Ways} */
export const signInWays = () => ways;

/** Returns the id of the user, if there is one. @returns {string | null} */
export const user = () => me?.id ?? null;

/** Returns the e-mail address of the user, with which they sign in. @returns {string | null} */
export const userEmail = () => me?.email ?? null;

/** Returns false if the user may not change anything. Without a sign-in, the service decides. */
export const mayWrite = () => me?.may.create ?? true;

/** Returns the role of the user. */
export const role = () => me?.role ?? null;

export const isAdmin = () => me?.may.administer ?? false;

/** Returns the user's name or e-mail address. @returns {string | null} */
export const userName = () => me?.name ?? me?.email ?? null;
