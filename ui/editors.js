// @ts-check
// The dialog in which an author chooses who else may change the investigation.

import { button, el, id } from './dom.js';
import { ask, tell, tellFailure } from './notice.js';
import { profileOf } from './people.js';
import { person } from './words.js';

/** @param {import('./doc.js').Doc} doc */
export async function chooseEditors(doc) {
  const [box, about] = [id('editor'), id('about')];
  const chosen = new Set(doc.stored.editors ?? []);
  const rows = el('ul', { class: 'todo' });
  const field = el('input', { id: box, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': about });
  const take = () => {
    const user = field.value.trim().toLowerCase();
    if (user && !chosen.has(user)) rows.append(row(user));
    chosen.add(user);
    field.value = '';
  };
  /** @param {string} user */
  function row(user) {
    const who = el('span', {}, person({ id: user }));
    profileOf(user).then((author) => author?.name && who.replaceChildren(person(author)));
    const line = el('li', { 'data-user': user }, who, ' ', el('code', {}, user), ' ');
    const remove = () => {
      chosen.delete(user);
      line.remove();
    };
    line.append(button('Remove', remove, { class: 'quiet', 'aria-label': `Remove ${user}` }));
    return line;
  }

  rows.append(...[...chosen].map(row));
  const body = [
    el('p', {}, 'You and administrators can always change this lesson. These people can, too:'),
    rows,
    el('label', { for: box }, 'Add a person'),
    field,
    button('Add', take),
    el('p', { class: 'help', id: about }, 'Their user id: 24 digits and letters from a to f.'),
  ];
  const saves = await ask('Who can edit this', body, [
    { label: 'Cancel', answer: false },
    { label: 'Save', answer: true, class: 'primary' },
  ]);
  if (!saves) return;
  take();
  chosen.delete('');
  try {
    await doc.act('PATCH', '', { editors: [...chosen] });
    tell(chosen.size === 0 ? 'Only you can edit this now.' : 'Saved who can edit this.');
  } catch (error) {
    tellFailure(error);
  }
}
