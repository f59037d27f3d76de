// @ts-check
// The user's own account: name, e-mail address and password.

import { Failure } from '../core/api.js';
import { el, id, labelled, said } from '../core/dom.js';
import { tabs } from '../core/menu.js';
import { partsOf, tell } from '../core/notice.js';
import {
  changeSelf,
  hasSession,
  isAdmin,
  isOfProvider,
  role,
  signInWays,
  userEmail,
  userName,
} from '../core/session.js';

/** The names of the roles on the page. @type {Record<string, string>} */
export const ROLES = {
  admin: 'Administrator',
  author: 'Author',
  reader: 'Reader',
  none: 'No access',
};

/** The roles to choose from, each with what it may do. */
export const ROLE_CHOICES = [
  ['admin', 'Administrator: does everything, also here'],
  ['author', 'Author: creates and changes lessons'],
  ['reader', 'Reader: reads everything, changes nothing'],
  ['none', 'No access: sees no lessons'],
];

const NEEDS_LINK = 'Ask an administrator for a new link to set a password.';
const NEEDS_OLD = `Give the current password, too. If you have none: ${NEEDS_LINK}`;

/** Length of a password, in characters. */
const [SHORTEST, LONGEST] = [10, 200];

/**
 * Returns a labelled text field.
 * @param {string} label @param {string} type @param {string} autocomplete @param {Record<string, any>} [more]
 */
export function textField(label, type, autocomplete, more = {}) {
  const input = el('input', { type, autocomplete, required: true, ...more });
  return { input, parts: labelled(label, input) };
}

/**
 * Returns the form in which the user chooses a password. An administrator without an e-mail address also enters one.
 * @param {{ done: () => any, asksOld: boolean }} options
 */
export function passwordForm({ done, asksOld }) {
  // Password managers keep the new password under this name.
  const known = { value: userEmail(), readonly: true, hidden: true, required: false };
  const email = textField('E-mail', 'email', 'username', userEmail() ? known : {});
  const old = textField('Current password', 'password', 'current-password', { required: false });
  const hint = el('p', { class: 'help', id: id('hint') }, `${SHORTEST} characters or more.`);
  const lengths = { minlength: SHORTEST, maxlength: LONGEST, 'aria-describedby': hint.id };
  const fresh = textField('New password', 'password', 'new-password', lengths);
  const save = async () => {
    if (!userEmail()) await changeSelf({ email: email.input.value.trim() });
    const current = old.input.value ? { currentPassword: old.input.value } : {};
    try {
      await changeSelf({ password: fresh.input.value, ...current });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const [fault] = error.errors;
      if (fault?.path === 'currentPassword') throw new Error(asksOld ? NEEDS_OLD : NEEDS_LINK);
      throw fault?.path === 'password' ? new Error(`The password ${fault.message}.`) : error;
    }
    done();
  };
  return form('Set the password', save, [
    userEmail() ? email.input : email.parts,
    asksOld && old.parts,
    fresh.parts,
    hint,
  ]);
}

/**
 * Returns a form that says what went wrong.
 * @param {string} label of its button @param {() => Promise<any>} save @param {any} parts
 */
export function form(label, save, parts) {
  const fault = el('p', { class: 'alarm', role: 'alert', hidden: true });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    fault.hidden = true;
    try {
      await save();
    } catch (error) {
      fault.replaceChildren(...[partsOf(error)].flat());
      fault.hidden = false;
    }
  };
  return el('form', { onsubmit: submit }, fault, parts, el('button', { class: 'primary' }, label));
}

function passwordSet() {
  tell('Your password is set. You are signed out everywhere else.', { stays: true });
  dispatchEvent(new Event('hashchange'));
}

/** @param {import('../core/app.js').View} view */
export async function account({ way }) {
  tabs(way, '', 'write');
  document.title = 'Your account · Fieldbook';
  const name = textField('Name', 'text', 'name', { value: userName(), maxlength: 100 });
  const rename = async () => {
    await changeSelf({ name: name.input.value.trim() });
    tell('Your name is changed.');
  };
  const email = userEmail();
  const mayChoose = signInWays().password && hasSession() && !isOfProvider() && (email || isAdmin());
  return el(
    'section',
    { class: 'door' },
    el('h1', { tabindex: -1 }, 'Your account'),
    form('Save the name', rename, name.parts),
    role() &&
      el(
        'p',
        {},
        `Role: ${ROLES[role() ?? '']}. `,
        isAdmin()
          ? ['Change it under ', el('a', { href: '#/people' }, 'People'), '.']
          : 'An administrator can change it.',
      ),
    el('p', {}, 'E-mail: ', email ? said(email) : 'none. An administrator can set it.'),
    mayChoose && [
      el('h2', {}, 'Password'),
      el(
        'p',
        { class: 'muted' },
        'For 15 minutes after signing in with a link, you do not need your current password.',
      ),
      passwordForm({ done: passwordSet, asksOld: true }),
    ],
  );
}
