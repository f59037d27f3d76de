// @ts-check
// The sign-in form: as a page, and as a dialog over an editor that must not lose its text.

import { el, id } from './dom.js';
import { signIn } from './session.js';

/** @param {(token: string) => void} enter */
export function signInForm(enter) {
  const name = id('token');
  const field = el('input', {
    id: name,
    class: 'token',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
  });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!field.value.trim()) return field.focus();
    enter(field.value);
  };
  return [
    el(
      'form',
      { onsubmit: submit },
      el('label', { for: name }, 'Your token'),
      field,
      el('button', { class: 'primary' }, 'Sign in'),
    ),
    el(
      'p',
      { class: 'muted' },
      'A token comes from whoever runs this service. On your own machine, open the address that ',
      el('code', {}, 'fieldbook serve'),
      ' prints when it starts, or that ',
      el('code', {}, 'fieldbook token --link'),
      ' prints. This browser keeps it until you sign out.',
    ),
  ];
}

/**
 * Asks for a new token in a dialog over the editor. Signing in in another tab works, too.
 * @param {string | undefined} why
 */
export function signInAgain(why) {
  if (document.querySelector('dialog.sign-in')) return;
  const title = id('title');
  const dialog = el(
    'dialog',
    { class: 'sign-in', 'aria-labelledby': title },
    el('h2', { id: title }, 'Sign in to save'),
    el(
      'div',
      { class: 'body door' },
      el(
        'p',
        { role: 'alert' },
        why ? `You were signed out: ${why}. ` : 'You were signed out. ',
        'Your text is kept in this browser.',
      ),
      signInForm(signIn),
    ),
  );
  const close = () => dialog.remove();
  dialog.addEventListener('close', close);
  addEventListener('signed-in', close, { once: true });
  addEventListener('hashchange', close, { once: true });
  document.body.append(dialog);
  dialog.showModal();
}
