// @ts-check
// Sign-in links of people, which administrators make and send.

import { ROLES } from './account.js';
import { call, service } from '../core/api.js';
import { copy } from '../core/clipboard.js';
import { button, el, labelled, said } from '../core/dom.js';
import { ask, attempt } from '../core/notice.js';
import { isLocal } from '../links/link_address.js';

/** @typedef {import('./directory.js').Person} Person */

const UNREACHABLE =
  'The link leads to this computer, which others cannot reach. ' +
  'Ask whoever runs Fieldbook to set the address for others (public-url), and make a new link then.';

/** Makes a new sign-in link for a person, and shows it. @param {Person} person */
export function makeLink(person) {
  return attempt(async () => showLink((await call('POST', `/api/people/${person.id}/link`)).data));
}

/** Shows a sign-in link, which cannot be shown again later. @param {Person} person */
export async function showLink({ name, role, providerRole, signInLink }) {
  const { defaultRole } = await service();
  const link = el('input', { readonly: true, value: signInLink, onfocus: () => link.select() });
  const failed = 'Copying did not work. The link is selected: copy it with the keyboard.';
  const copied = () => copy(signInLink ?? '', 'The link was copied.', failed).then(() => link.select());
  const body = [
    el(
      'p',
      {},
      'Send this link to ',
      said(name ?? 'the person'),
      '. It signs them in once, within seven days, and is shown only now.',
    ),
    providerRole &&
      !role &&
      el('p', {}, `The role of the school account does not count then: by the link, it is ${ROLES[defaultRole]}.`),
    isLocal(signInLink ?? '') && el('p', { class: 'alarm', role: 'alert' }, UNREACHABLE),
    labelled('Sign-in link', link),
    button('Copy', copied),
  ];
  await ask('Sign-in link', body, [{ label: 'Done', answer: null, class: 'primary' }]);
}
