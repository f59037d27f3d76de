// @ts-check
// The sign-in form: as a page, and as a dialog over an editor that must not lose its text.

import { modal } from './dialog.js';
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
      el('label', { for: name }, 'Your sign-in link or code'),
      field,
      el('button', { class: 'primary' }, 'Sign in'),
    ),
    el(
      'p',
      { class: 'muted' },
      'The person who runs Fieldbook at your school sends you the link. ' +
        'If Fieldbook runs on your own computer, it shows the link in its window when it starts, and ',
      el('code', {}, 'fieldbook token --link'),
      ' shows it again. Open the link, or paste it here. This browser keeps you signed in until you sign out.',
    ),
  ];
}

/**
 * Asks for a new token in a dialog over the editor. Signing in in another tab works, too.
 * @param {string} [why]
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
  addEventListener('signed-in', () => dialog.close(), { once: true });
  modal(dialog);
}
