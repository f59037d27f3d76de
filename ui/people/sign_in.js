// @ts-check
// The ways to sign in: as a page, and as a dialog over an editor that must not lose its text. Signing in with the
// provider leaves the page; afterwards the browser returns to the same view. A sign-in link opens the page with a code
// in the fragment, which browsers do not send. The code is used when somebody presses the button.

import { form, passwordForm, textField } from './account.js';
import { call } from '../core/api.js';
import { modal, tellFailure } from '../core/notice.js';
import { button, el, id, said } from '../core/dom.js';
import {
  PATH,
  hasSession,
  isAdmin,
  isSignedIn,
  signIn,
  signInWays,
  user,
  userEmail,
  userName,
} from '../core/session.js';

const WITHOUT_EMAIL = 'To sign in with a password next time, ask an administrator to give you an e-mail address here.';

/** Why a sign-in with the provider failed, by the name that the service puts into the address. */
const FAILURES = new Map([
  ['attempt', 'This sign-in took too long, or began in another browser. Start again.'],
  ['refused', 'The sign-in was cancelled or refused. Try again.'],
  ['unavailable', 'The sign-in service does not answer. Try again later.'],
  ['untrusted', 'The sign-in did not work. Tell the person who runs Fieldbook: its log says why.'],
  ['disabled', 'Your account is disabled here. An administrator can enable it.'],
  ['address', 'This service does not know its own address. The person who runs Fieldbook must set it, as public-url.'],
  ['store', 'The sign-in failed here. Try again.'],
  ['busy', 'Too many people are signing in right now. Try again.'],
]);

/** Returns why a sign-in with the provider failed, if the service opened this page for that reason. */
function failure() {
  const query = new URLSearchParams(location.pathname === PATH ? location.search : '');
  const words = FAILURES.get(query.get('failed') ?? '');
  const [person] = /^[0-9a-f]{24}$/.exec(query.get('person') ?? '') ?? [];
  return words && person ? `${words} It has the id ${person}.` : words;
}

/** Returns the ways to sign in that the service offers. */
export function signInForm() {
  const { provider, password } = signInWays();
  const why = failure();
  return [
    why && el('p', { class: 'alarm', role: 'alert' }, why),
    provider && el('a', { class: 'button primary', href: toProvider(), 'data-first': '' }, `Sign in with ${provider}`),
    password && withPassword(),
    password && el('p', { class: 'muted' }, 'Forgotten your password? Ask an administrator for a new link.'),
    !provider && aboutLinks(),
  ];
}

function aboutLinks() {
  return el(
    'p',
    { class: 'muted' },
    'Open the sign-in link that the person who runs Fieldbook at your school has sent you. If Fieldbook runs on ' +
      'your own computer, it shows a link when it starts, until somebody has signed in. Each link works once.',
  );
}

/** Returns true on the sign-in page if the provider is the only way to sign in, and nothing has gone wrong. */
export function goesOn() {
  const { provider, password } = signInWays();
  return location.pathname === PATH && provider !== null && !password && !failure();
}

/** Returns the address that leads to the provider, and back to this place. */
export function toProvider() {
  const here = location.pathname === PATH ? destination() : location.pathname + location.search + location.hash;
  return `${PATH}/provider?to=${encodeURIComponent(here)}`;
}

function withPassword() {
  const email = textField('E-mail', 'email', 'username');
  const password = textField('Password', 'password', 'current-password');
  const enter = () => signIn({ email: email.input.value.trim(), password: password.input.value });
  return form('Sign in', enter, [email.parts, password.parts]);
}

/** Returns the code in the address, if a sign-in link was opened. */
export function codeInAddress() {
  return location.pathname === PATH ? (/^#code=([^&]+)/.exec(location.hash)?.[1] ?? null) : null;
}

/**
 * Returns the view of a sign-in link: the name of the person, and a button. After the sign-in, the page offers to
 * choose a new password. For a few minutes, this does not require the old password.
 * @param {string} code
 */
export async function linkOpened(code) {
  const { data } = await call('POST', '/api/session?dryRun=true', { body: { code } });
  const place = el('div', { class: 'door' });
  const enter = async () => {
    try {
      await signIn({ code });
    } catch (error) {
      return tellFailure(error);
    }
    if (!signInWays().password) return onward();
    entitle('You are signed in');
    if (!userEmail() && !isAdmin()) {
      place.replaceChildren(
        el('p', {}, 'This link does not work again. ', WITHOUT_EMAIL),
        button('Go on', onward, { class: 'primary' }),
      );
      return;
    }
    place.replaceChildren(
      el('p', {}, 'This link does not work again: choose a password to sign in with next time.'),
      passwordForm({ done: chosen, asksOld: false }),
      button('Not now', onward),
    );
  };
  const entitle = (/** @type {string} */ words) => {
    document.title = `${words} · Fieldbook`;
    const heading = place.parentElement?.querySelector('h1');
    heading?.replaceChildren(words);
    heading?.focus();
  };
  // Shows this in the page and not as a notice, which would disappear when the page changes.
  const chosen = () => {
    entitle('Your password is set');
    const next = button('All lessons', onward, { class: 'primary' });
    place.replaceChildren(el('p', { role: 'status' }, 'Sign in with it next time.'), next);
    next.focus();
  };
  const other = hasSession() && user() !== data.id ? (userName() ?? 'somebody else') : null;
  place.append(
    el('p', {}, 'This link signs in ', data.name ? said(data.name, 'strong') : 'you', ', once.'),
    ...(other
      ? [el('p', {}, 'You are signed in as ', said(other), '. The button signs ', said(other), ' out in this browser.')]
      : []),
    button('Sign in', enter, { class: 'primary', 'data-first': '' }),
  );
  return place;
}

/** Leaves the sign-in page, if it is open. */
export function onward() {
  if (location.pathname === PATH) location.replace(destination());
}

/** Returns where to go after the sign-in: the path in the query, if it is one of this page. */
function destination() {
  const to = new URLSearchParams(location.search).get('to') ?? '/';
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to)) return '/';
  const { origin, pathname } = new URL(to, location.origin);
  const first = pathname.split('/')[1] ?? '';
  return origin === location.origin && !['api', 'sign-in', 'l'].includes(first) ? to : '/';
}

/** Asks for a new sign-in in a dialog over the editor. Signing in in another tab works, too. */
export function signInAgain() {
  if (document.querySelector('dialog.sign-in')) return;
  const title = id('title');
  const dialog = el(
    'dialog',
    { class: 'sign-in', 'aria-labelledby': title },
    el('h2', { id: title }, 'Sign in to save'),
    el(
      'div',
      { class: 'body door' },
      el('p', {}, 'Your text is kept in this browser.'),
      signInForm(),
      el(
        'div',
        { class: 'acts' },
        button('Close', () => dialog.close()),
      ),
    ),
  );
  addEventListener('signed-in', () => dialog.close(), { once: true });
  if (!isSignedIn()) modal(dialog);
}
