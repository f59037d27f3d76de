// @ts-check
// The start of the page: shows who is signed in, and the view that the fragment of the address names (`#/trash`).

import { Failure, forgetEarly, isGone, wasLeft, wordsOf } from './api.js';
import { button, el, whenPainted } from './dom.js';
import { icon } from './icons.js';
import { startPrinting } from './input.js';
import * as drafts from '../doc/drafts.js';
import { ask, clearNotices, partsOf, tell } from './notice.js';
import { startShortcuts } from './shortcuts.js';
import { awaited } from './standing.js';
import * as outbox from '../doc/outbox.js';
import * as pictureBytes from '../doc/picture_bytes.js';
import { PATH, hasSession, isAdmin, isOfProvider, isSignedIn, known, refusal, signOut, userName } from './session.js';
import { tabs } from './menu.js';
import { counted } from '../text/words.js';

/**
 * @typedef {{ signal: AbortSignal, query: URLSearchParams, way: HTMLElement }} View
 * For each view: the pattern of its address, and a function that loads its modules and returns the function that
 * creates it.
 * @type {[RegExp, () => Promise<(view: View, ...names: string[]) => Promise<HTMLElement>>][]}
 */
const VIEWS = [
  [/^\/?$/, async () => (await import('../list/list.js')).list],
  [/^\/trash$/, async () => (await import('../list/deletion.js')).trash],
  [/^\/account$/, async () => (await import('../people/account.js')).account],
  [/^\/people$/, async () => (await import('../people/directory.js')).directory],
  [/^\/i\/([^/]+)$/, async () => (await import('../form/editor.js')).editor],
  [/^\/i\/([^/]+)\/history$/, async () => (await import('../history/timeline.js')).timeline],
  [/^\/i\/([^/]+)\/links$/, async () => (await import('../links/links.js')).links],
  [/^\/i\/([^/]+)\/print\/(lesson|handout)$/, async () => (await import('../links/print.js')).printed],
  [/^\/i\/([^/]+)\/handout\/([^/]+)\/([^/]+)$/, async () => (await import('../links/print.js')).handout],
];

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const way = /** @type {HTMLElement} */ (document.getElementById('way'));
const out = /** @type {HTMLButtonElement} */ (document.getElementById('sign-out'));
const people = /** @type {HTMLAnchorElement} */ (document.getElementById('people'));
const whoami = /** @type {HTMLAnchorElement} */ (document.getElementById('who'));
let leave = new AbortController();
let first = true;

async function show() {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const [path = '', query = ''] = location.hash.replace(/^#/, '').split('?');
  way.replaceChildren();
  account();
  clearNotices('.notice:not([data-stays])');
  main.setAttribute('aria-busy', 'true');
  const [form, viewOf] = VIEWS.find(([form]) => form.test(path)) ?? [];
  const names = form?.exec(path) ?? [];
  const came = awaited(main);
  signal.addEventListener('abort', came);
  try {
    const [view] = await Promise.all([viewOf?.(), known()]);
    account();
    const asked = { signal, query: new URLSearchParams(query), way };
    const why = refusal();
    if (why && !isEntrance()) throw why;
    const page = isEntrance()
      ? await entrance()
      : ((await view?.(asked, ...names.slice(1).map(decodeURIComponent))) ??
        lost('Page', 'There is nothing at this address. It may have been typed or copied incompletely.'));
    if (signal.aborted) return;
    main.replaceChildren(page);
  } catch (error) {
    if (signal.aborted || wasLeft(error)) return;
    if (error instanceof Failure && (error.status === 401 || error.code === 'disabled')) await refused(error, signal);
    else if (error instanceof Failure && error.code === 'no_role') main.replaceChildren(barred());
    else if (isGone(error)) main.replaceChildren(lost('Lesson', 'This lesson does not exist or was deleted.'));
    else main.replaceChildren(await broken(error, way, path));
  } finally {
    came();
  }
  main.removeAttribute('aria-busy');
  if (!first)
    /** @type {HTMLElement} */ (main.querySelector('[data-first]') ?? main.querySelector('h1') ?? main).focus();
  first = false;
  forgetEarly();
  whenPainted(loadAll);
  scrollTo(0, Number(/** @type {HTMLElement | null} */ (main.firstElementChild)?.dataset.top ?? 0));
}

/** Time after which the modules of other views are loaded, so that this view is complete first. */
const REST_MS = 500;
/** Loads the modules that this view did not need, so that the next view opens even if the service is unavailable. */
const loadAll = () =>
  document
    .querySelectorAll('template')
    .forEach(({ content }) => setTimeout(() => document.head.append(content), REST_MS));

/** Says that the user has no permissions here. There is no button, because none would help. */
function barred() {
  document.title = 'Fieldbook';
  const whose = isOfProvider() ? 'Your school account' : 'Your account';
  const words = 'If you are a teacher, ask the person who runs Fieldbook at your school for a role.';
  return alone(icon('warning'), `${whose} does not have access to Fieldbook`, el('p', { role: 'alert' }, words));
}

/** Returns true on the sign-in page. */
const isEntrance = () => location.pathname === PATH;
/** The ways to sign in, which few visits need. */
const signIn = () => import('../people/sign_in.js');

async function entrance() {
  const { codeInAddress, goesOn, linkOpened, onward, signInForm, toProvider } = await signIn();
  const code = codeInAddress();
  if (code) return door(await linkOpened(code));
  if (isSignedIn()) onward();
  else if (goesOn()) location.replace(toProvider());
  return door(signInForm());
}

/**
 * Shows why the service refused a request, and the ways to sign in.
 * @param {Failure} error @param {AbortSignal} left
 */
async function refused(error, left) {
  const isNews = error.code !== 'unauthenticated';
  const { signInForm } = await signIn();
  if (left.aborted) return;
  main.replaceChildren(door(isNews && el('p', { class: 'alarm', role: 'alert' }, error.words), signInForm()));
}

/** Returns the sign-in page. @param {...any} ways */
function door(...ways) {
  document.title = 'Sign in · Fieldbook';
  way.replaceChildren();
  account();
  const kept = drafts.count();
  const words = kept > 0 && `The unsaved text of ${counted(kept, 'lesson')} is kept in this browser.`;
  return alone(null, 'Sign in', words && el('p', {}, words), ways);
}

/** Returns a page with one message. @param {any} sign @param {string} title @param {...any} parts */
function alone(sign, title, ...parts) {
  return el('section', { class: 'door' }, sign, el('h1', { tabindex: -1 }, title), parts);
}

/** @param {string} [kind] */
const toAll = (kind = '') => el('a', { class: `button ${kind}`, href: '#/' }, 'All lessons');

/** Shows who is signed in, once this is known, and the button that signs out. */
function account() {
  out.hidden = !hasSession();
  people.hidden = !isAdmin();
  whoami.hidden = !isSignedIn();
  whoami.textContent = isSignedIn() ? (userName() ?? 'Your account') : '';
  whoami.ariaLabel = userName() ? `Your account: ${userName()}` : null;
}

/** @param {string} what @param {string} why */
function lost(what, why) {
  document.title = `${what} not found · Fieldbook`;
  return alone(icon('lost'), `${what} not found`, el('p', {}, why), toAll('primary'));
}

/**
 * Says what went wrong, and where unsaved text is. The navigation to the other views of the lesson stays.
 * @param {unknown} error @param {HTMLElement} way @param {string} path
 */
async function broken(error, way, path) {
  document.title = 'Fieldbook';
  const [, docId, view = 'write'] = /^\/i\/([^/]+)(?:\/(history|links))?/.exec(path) ?? [];
  if (docId) tabs(way, decodeURIComponent(docId), /** @type {'write' | 'history' | 'links'} */ (view));
  const unsaved = await outbox.unsavedLinks();
  ['online', 'reached'].forEach((event) => addEventListener(event, show, { signal: leave.signal }));
  return alone(
    icon('warning'),
    'This could not be opened',
    el('p', { role: 'alert' }, wordsOf(error)),
    unsaved && el('p', {}, 'Your unsaved text of ', unsaved, ' is kept in this browser.'),
    el('div', { class: 'acts' }, button('Try again', show, { class: 'primary' }), toAll()),
  );
}

out.addEventListener('click', async () => {
  // Leaving the view saves unsaved text, which needs the session.
  leave.abort();
  await outbox.settled();
  const kept = drafts.countOwn();
  const keeps = kept === 0 || (await keepsText(kept));
  if (keeps === null) return show();
  // Discards the drafts before the sign-out, whose answer may be lost although the session has ended.
  if (!keeps) drafts.discardOwn();
  if (!keeps || kept === 0) await pictureBytes.discardOwn();
  try {
    await signOut();
  } catch (error) {
    await show();
    const words = [isSignedIn() && 'You are still signed in. ', partsOf(error)];
    tell(words, { tone: 'alarm', act: { label: 'Try again', run: () => out.click() } });
    return;
  }
  if (location.hash === '#/') show();
  else location.hash = '#/';
});
/**
 * Asks what to do with text that is not saved. Returns null if the user stays signed in.
 * @param {number} kept the number of lessons with such text @returns {Promise<boolean | null>}
 */
function keepsText(kept) {
  const words = `Your text in ${counted(kept, 'lesson')} is not saved. `;
  const later = 'If you keep it, it waits in this browser until you sign in again.';
  return ask('Sign out with unsaved text', el('p', {}, words, later), [
    { label: 'Cancel', answer: null },
    { label: 'Discard the text', answer: false, class: 'danger' },
    { label: 'Keep the text', answer: true, class: 'primary' },
  ]);
}
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
// If the session ends while an editor is open, the editor stays under a notice, so that no text is lost.
addEventListener('signed-out', (event) => {
  account();
  // After a sign-out in this window, the view is already closed, so there is nothing to do.
  if (leave.signal.aborted) return;
  const { detail: why } = /** @type {CustomEvent} */ (event);
  if (main.querySelector('[data-keeps]')) {
    clearNotices();
    const words = `You were signed out${why ? `: ${why}` : ''}. Your text is kept in this browser.`;
    const run = async () => (await signIn()).signInAgain();
    tell(words, { tone: 'alarm', act: { label: 'Sign in', run } });
  } else if (!why) show(); // Another tab signed out. A view whose request was refused shows the sign-in page itself.
});
addEventListener('signed-in', () => {
  account();
  clearNotices();
  if (isEntrance()) goOn();
  else if (!main.querySelector('[data-keeps]')) show();
});
// The content of this window belongs to another person.
addEventListener('another-person', () => {
  if (!isEntrance()) location.reload();
  else goOn();
  account();
});
/** Leaves the sign-in page, unless its address contains a code. */
async function goOn() {
  const { codeInAddress, onward } = await signIn();
  codeInAddress() || onward();
}
addEventListener('known', account);
// Safari shows a phone's keyboard on top of the page. Notices are placed above it.
visualViewport?.addEventListener('resize', () => {
  const { height, offsetTop, scale } = /** @type {VisualViewport} */ (visualViewport);
  // When the page is pinch-zoomed, the difference in height does not come from the keyboard.
  const hidden = scale === 1 ? Math.max(0, innerHeight - height - offsetTop) : 0;
  document.documentElement.style.setProperty('--hidden', `${hidden}px`);
});
addEventListener('hashchange', show);
show();
startShortcuts();
startPrinting();
outbox.start();
