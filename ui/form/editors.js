// @ts-check
// The dialog in which an author chooses who else may change the investigation.

import { button, el, id, labelled, settled } from '../core/dom.js';
import { confirmed, tell } from '../core/notice.js';
import { learnNames, peopleNamed, person } from '../core/people.js';

/** Time without a keystroke after which a search begins. */
const PAUSE_MS = 300;

/** @param {import('../doc/doc.js').Doc} doc */
export async function chooseEditors(doc) {
  const about = id('about');
  /** @type {Set<string>} */
  const chosen = new Set(doc.stored.editors ?? []);
  // The author may change the investigation anyway, so the author is not listed as an editor.
  chosen.delete(doc.stored.author?.id);
  const rows = el('ul', { class: 'todo' });
  const field = el('input', { autocomplete: 'off', spellcheck: 'false', 'aria-describedby': about });
  const found = el('ul', { class: 'todo', 'aria-live': 'polite' });
  const take = (/** @type {string} */ user, /** @type {string} */ role = '') => {
    if (!chosen.has(user)) rows.append(row(user, role));
    chosen.add(user);
    field.value = '';
    found.replaceChildren();
    field.focus();
  };
  const look = async () => {
    const text = field.value.trim();
    if (/^[0-9a-f]{24}$/i.test(text)) return take(text.toLowerCase());
    const people = text.length < 2 ? [] : await peopleNamed(text).catch(() => []);
    if (field.value.trim() !== text) return;
    const add = (/** @type {any} */ one) =>
      el(
        'li',
        {},
        person(one),
        ' ',
        readsOnly(one.role),
        button('Add', () => take(one.id, one.role), { 'aria-label': `Add ${one.name}` }),
      );
    const nobody = text.length >= 2 && el('li', { class: 'muted' }, 'Nobody with this name was found.');
    found.replaceChildren(...(people.length > 0 ? people.map(add) : [nobody || '']));
  };
  field.addEventListener('input', settled(look, PAUSE_MS));
  /** @param {string} user @param {string} [role] */
  function row(user, role) {
    const who = el('span', {}, person({ id: user }));
    learnNames([user]).then(() => who.replaceChildren(person({ id: user })));
    const line = el('li', { 'data-user': user }, who, ' ', el('code', {}, user), ' ', readsOnly(role));
    const remove = () => {
      chosen.delete(user);
      line.remove();
    };
    line.append(button('Remove', remove, { class: 'link', 'aria-label': `Remove ${user}` }));
    return line;
  }

  rows.append(...[...chosen].map((user) => row(user)));
  const body = [
    el('p', {}, 'You and administrators can always change this lesson. These people can, too:'),
    rows,
    labelled('Add a person', field),
    el('p', { class: 'help', id: about }, 'The beginning of their name, or their id.'),
    found,
  ];
  const save = () => {
    const text = field.value.trim();
    if (text) throw new Error(`“${text}” is not added yet. Press Add beside the name, or empty the field.`);
    return doc.act('PATCH', '', { editors: [...chosen] });
  };
  const saved = await confirmed('Who can edit this', body, 'Save', { class: 'primary', act: save });
  if (saved) tell(chosen.size === 0 ? 'Only you can edit this now.' : 'Saved who can edit this.');
}

/** Returns a sentence that somebody cannot change lessons. @param {string} [role] */
function readsOnly(role) {
  const words = 'is a reader, and can edit only once an administrator makes them an author';
  return ['reader', 'none'].includes(role ?? '') && el('span', { class: 'muted' }, words, ' ');
}
