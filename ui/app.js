// @ts-check
// The start: who is signed in, and which view the fragment of the address names.

import { Failure, wasLeft, wordsOf } from './api.js';
import { button, el, id } from './dom.js';
import { editor } from './editor.js';
import { handout } from './handout.js';
import { timeline } from './timeline.js';
import { links } from './links.js';
import { list } from './list.js';
import { tell } from './notice.js';
import { signIn, signOut, takeFromAddress, token } from './session.js';

/**
 * @typedef {{ signal: AbortSignal, query: URLSearchParams, way: HTMLElement }} View
 * @type {[RegExp, (view: View, ...names: string[]) => Promise<HTMLElement>][]}
 */
const VIEWS = [
  [/^\/?$/, list],
  [/^\/i\/([^/]+)$/, editor],
  [/^\/i\/([^/]+)\/history$/, timeline],
  [/^\/i\/([^/]+)\/links$/, links],
  [/^\/i\/([^/]+)\/handout\/([^/]+)\/([^/]+)$/, handout],
];

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const way = /** @type {HTMLElement} */ (document.getElementById('way'));
const out = /** @type {HTMLButtonElement} */ (document.getElementById('sign-out'));
let leave = new AbortController();
let first = true;

async function show() {
  takeFromAddress();
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const [path = '', query = ''] = location.hash.replace(/^#/, '').split('?');
  way.replaceChildren();
  out.hidden = !token();
  main.setAttribute('aria-busy', 'true');
  const [, view, names] =
    VIEWS.map(([form, view]) => /** @type {const} */ ([form, view, form.exec(path)])).find(([, , names]) => names) ??
    [];
  try {
    const page = !view
      ? lost()
      : await view(
          { signal, query: new URLSearchParams(query), way },
          ...(names ?? []).slice(1).map(decodeURIComponent),
        );
    if (signal.aborted) return;
    main.replaceChildren(page);
  } catch (error) {
    if (signal.aborted || wasLeft(error)) return;
    if (error instanceof Failure && error.status === 401) main.replaceChildren(door(error));
    else main.replaceChildren(broken(error));
  }
  main.removeAttribute('aria-busy');
  if (!first) (main.querySelector('h1') ?? main).focus();
  first = false;
  scrollTo(0, 0);
}

/** The way in. @param {Failure} [refused] */
function door(refused) {
  document.title = 'Sign in · Fieldbook';
  way.replaceChildren();
  out.hidden = true;
  const name = id('token');
  const field = el('input', {
    id: name,
    class: 'token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
  });
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!field.value.trim()) return field.focus();
    signIn(field.value);
    show();
  };
  return el(
    'section',
    { class: 'door' },
    el('h1', { tabindex: -1 }, 'Sign in'),
    refused && refused.code !== 'unauthenticated' && el('p', { class: 'alarm', role: 'alert' }, refused.words),
    el(
      'form',
      { onsubmit: enter },
      el('label', { for: name }, 'Your token'),
      field,
      el('button', { class: 'primary' }, 'Sign in'),
    ),
    el(
      'p',
      { class: 'muted' },
      'A token comes from whoever runs this service. On your own machine, open the address that ',
      el('code', {}, 'fieldbook serve'),
      ' prints when it starts, or make a token with ',
      el('code', {}, 'fieldbook token --user ID'),
      '. It is kept in this tab until you close it.',
    ),
  );
}

function lost() {
  return el(
    'section',
    { class: 'door' },
    el('h1', { tabindex: -1 }, 'Page not found'),
    el('p', {}, el('a', { href: '#/' }, 'To all investigations')),
  );
}

/** @param {unknown} error */
function broken(error) {
  document.title = 'Fieldbook';
  return el(
    'section',
    { class: 'door' },
    el('h1', { tabindex: -1 }, 'This could not be opened'),
    el('p', { role: 'alert' }, wordsOf(error)),
    button('Try again', show, { class: 'primary' }),
    el('p', {}, el('a', { href: '#/' }, 'To all investigations')),
  );
}

out.addEventListener('click', () => {
  signOut();
  location.hash = '#/';
  show();
});
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
// A session that ends while something is written must not take it away: say so, and sign in when it suits.
addEventListener('signed-out', () => {
  if (main.querySelector('[data-keeps]'))
    tell('Your token is no longer valid. What you wrote stays here: sign in again in another tab, or copy it.', {
      tone: 'alarm',
      act: { label: 'Sign in', run: show },
    });
});
addEventListener('hashchange', show);
show();
