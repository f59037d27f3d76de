// @ts-check
// The people who can sign in: administrators add them, change them, and make sign-in links for them.

import { ROLES, ROLE_CHOICES, textField } from './account.js';
import { call, service } from '../core/api.js';
import { actOn, button, choice, el, labelled, said, settled } from '../core/dom.js';
import { menu, tabs } from '../core/menu.js';
import { attempt, clearNotices, confirmed, tell } from '../core/notice.js';
import { time } from '../core/people.js';
import { isAdmin, isSignedIn, learnAgain, signInWays, user } from '../core/session.js';
import { makeLink, showLink } from './sign_in_link.js';
import { counted } from '../text/words.js';

/** @typedef {{ id: string, name: string | null, email: string | null, role: string | null, status: string,
 *   providerRole?: string, lastSignInAt: string | null, signInLink?: string }} Person */

/** The role of people to whom neither the directory nor a provider gives one. */
let defaultRole = '';

/** Returns the name of a role, and its source if it was not set in the directory. @param {Person} person */
function roleOf({ role, providerRole }) {
  if (role) return ROLES[role];
  return providerRole ? `${ROLES[providerRole]}, from the school account` : `${ROLES[defaultRole]} (default)`;
}

/** Shows a success notice, and removes earlier error notices. @param {string} words @param {object} [more] */
function done(words, more) {
  clearNotices('[data-tone=alarm]');
  tell(words, more);
}

/** Time without a keystroke after which a search begins. */
const PAUSE_MS = 300;

/** @param {import('../core/app.js').View} view */
export async function directory({ signal, way }) {
  document.title = 'People · Fieldbook';
  tabs(way, '', 'write');
  if (isSignedIn() && !isAdmin()) throw new Error('Only administrators see this.');
  ({ defaultRole } = await service());
  const rows = el('ul', { class: 'rows' });
  const end = el('div', { class: 'more', hidden: true });
  const count = el('p', { class: 'muted', role: 'status' });
  const search = el('input', {
    type: 'search',
    'aria-label': 'Search by name or e-mail',
    placeholder: 'Search by name or e-mail',
  });
  const erased = el('input', { type: 'checkbox', onchange: () => attempt(() => read(shown)) });
  const isShown = (/** @type {Person} */ { status }) => status !== 'erased' || erased.checked;
  /** The search whose results are shown, and the newest request. Responses to older requests are ignored. */
  let [shown, newest] = ['', {}];
  const read = async (/** @type {string} */ text, cursor = '') => {
    const asked = (newest = {});
    const query = new URLSearchParams({ ...(cursor && { cursor }), ...(text && { search: text }) });
    const { data } = await call('GET', `/api/people?${query}`, { signal });
    if (asked !== newest) return;
    shown = text;
    if (!cursor) rows.replaceChildren();
    rows.append(...data.items.filter(isShown).map((/** @type {Person} */ person) => row(person)));
    const { hasMore, nextCursor } = data.pagination;
    count.textContent = rows.children.length > 0 || hasMore ? '' : 'Nobody was found.';
    end.hidden = !hasMore;
    end.replaceChildren(button('Show more', () => attempt(() => read(text, nextCursor))));
  };
  const look = () => {
    const text = search.value.trim();
    // The service searches from two letters on.
    return text.length !== 1 && attempt(() => read(text));
  };
  search.addEventListener('input', settled(look, PAUSE_MS));
  const added = (/** @type {Person} */ person) => {
    rows.prepend(row(person));
    count.textContent = '';
    return showLink(person);
  };
  await read('');
  return el(
    'div',
    { class: 'list' },
    el(
      'div',
      { class: 'head' },
      el('h1', { tabindex: -1 }, 'People'),
      button('Add a person', () => add(added), { class: 'primary' }),
    ),
    search,
    el('label', { class: 'check' }, erased, ' Also show erased people'),
    count,
    rows,
    end,
  );
}

/** @param {Person} person */
function row(person) {
  const line = el('li', { 'data-id': person.id });
  const show = (/** @type {Person} */ now) => {
    const isErased = now.status === 'erased';
    const name = now.name ?? (isErased ? `Erased person ${now.id}` : 'No name');
    const signedIn = now.lastSignInAt ? ['signed in ', time(now.lastSignInAt)] : ['has never signed in'];
    const setTo = (/** @type {string} */ status, /** @type {string} */ words) => async () => {
      show((await call('PATCH', `/api/people/${now.id}`, { body: { status } })).data);
      done(`${name} ${words}`);
    };
    const disable = setTo('disabled', 'is disabled and signed out.');
    const disableSelf = async () => {
      const words = 'You are signed out at once. Another administrator can enable you.';
      if (await confirmed('Disable yourself?', words, 'Disable', { act: disable })) await learnAgain();
    };
    const [mayEnter, isOut] = [
      ['invited', 'active'],
      ['disabled', 'erased'],
    ].map((all) => all.includes(now.status));
    // An erased person has no e-mail address and no password. So they can sign in again only with the provider.
    const mayReturn = !isErased || signInWays().provider;
    const acts = [
      !isErased && actOn(name, 'Change …', () => change(now, show)),
      mayEnter &&
        actOn(name, 'New sign-in link', () => makeLink(now), { 'aria-label': `New sign-in link for ${name}` }),
      button('Give lessons to …', () => give(now, name), { 'aria-label': `Give the lessons of ${name} to somebody` }),
      isOut
        ? mayReturn && actOn(name, 'Enable', () => attempt(setTo('active', 'may use Fieldbook again.')))
        : actOn(name, 'Disable', () => (now.id === user() ? disableSelf() : attempt(disable)), { class: 'grave' }),
      !isErased && actOn(name, 'Remove …', () => attempt(() => erase(now, show)), { class: 'grave' }),
    ];
    const what = el(
      'div',
      { class: 'what' },
      el('span', { class: 'title', dir: 'auto' }, name),
      el(
        'p',
        { class: 'facts' },
        now.email && said(now.email),
        !isErased && el('span', {}, roleOf(now)),
        now.status !== 'active' && el('strong', {}, now.status),
        !isErased && el('span', { class: 'muted' }, signedIn),
      ),
    );
    line.replaceChildren(what, menu(`Actions for ${name}`, acts));
  };
  show(person);
  return line;
}

/** Returns the fields of a person. @param {Partial<Person>} person */
function fields(person) {
  const name = textField('Name', 'text', 'off', { value: person.name ?? '', maxlength: 100 });
  const email = textField('E-mail', 'email', 'off', { value: person.email ?? '', required: false });
  const usual = person.providerRole ? 'The role of the school account' : `The usual role here: ${ROLES[defaultRole]}`;
  const role = choice([['', usual], ...ROLE_CHOICES], person.role ?? '');
  /** @returns {Record<string, string | null>} */
  const written = () => ({
    name: name.input.value.trim(),
    email: email.input.value.trim() || null,
    role: role.value || null,
  });
  const need = signInWays().password && 'Without one, this person can sign in only with links.';
  return {
    parts: [name.parts, email.parts, need && el('p', { class: 'help' }, need), labelled('Role', role)],
    written,
  };
}

/**
 * Asks for the fields of a person. Enter does what the button does.
 * @param {string} title @param {any} parts @param {string} label @param {() => Promise<any>} save
 */
function asked(title, parts, label, save) {
  const press = (/** @type {Event} */ event) => {
    event.preventDefault();
    box.closest('dialog')?.querySelector('.answers .primary')?.click();
  };
  const box = el('form', { onsubmit: press }, parts, el('button', { hidden: true }));
  const act = () => {
    if (!box.reportValidity()) throw new Error('Fill in what is marked.');
    return save();
  };
  return confirmed(title, box, label, { class: 'primary', act });
}

/** @param {(person: Person) => void} added */
async function add(added) {
  const { parts, written } = fields({});
  /** @type {Person | null} */
  let person = null;
  const save = async () => (person = (await call('POST', '/api/people', { body: written() })).data);
  await asked('Add a person', parts, 'Add', save);
  if (person) added(person);
}

/** @param {Person} person @param {(now: Person) => void} show */
async function change(person, show) {
  const { parts, written } = fields(person);
  const shown = written();
  const hasLink = person.status === 'invited';
  const ends = 'Another e-mail or role ends the sign-in link that was sent.';
  const save = async () => {
    // Only the fields that the administrator changed are sent, because the others may have changed in the meantime.
    const changed = Object.entries(written()).filter(([name, value]) => value !== shown[name]);
    if (changed.length === 0) return;
    const { data } = await call('PATCH', `/api/people/${person.id}`, { body: Object.fromEntries(changed) });
    show(data);
    const isOver = hasLink && changed.some(([name]) => name !== 'name');
    const act = { label: 'New link', run: () => makeLink(data) };
    const words = `${data.name ?? 'The person'} is changed.${isOver ? ' The link that was sent has ended.' : ''}`;
    done(words, isOver ? { act, stays: true } : {});
    if (person.id === user()) await learnAgain();
  };
  const all = [parts, hasLink && el('p', { class: 'help' }, ends)];
  await asked(`Change ${person.name ?? 'a person'}`, all, 'Save', save);
}

/** The value of the menu entry by which nobody gets the lessons of a person. */
const NOBODY = 'nobody';

/**
 * Returns the menu in which an administrator chooses who gets the lessons of a person, and a function that returns the
 * choice. Readers are not offered, because they could not change the lessons.
 * @param {Person} person @param {any[][]} more other answers
 */
async function heirs(person, more = []) {
  /** @type {Person[]} */
  const all = [];
  for (let query = '', hasMore = true; hasMore;) {
    const { items, pagination } = (await call('GET', `/api/people${query}`)).data;
    all.push(...items);
    hasMore = pagination.hasMore;
    query = `?cursor=${pagination.nextCursor}`;
  }
  const mayWrite = all.filter(
    ({ id, status, role, providerRole }) =>
      id !== person.id && status === 'active' && ['admin', 'author'].includes(role ?? providerRole ?? defaultRole),
  );
  // Shows more than the name, because two people may have one name.
  const about = (/** @type {Person} */ one) => [one.email, roleOf(one)].filter(Boolean).join(', ');
  const named = mayWrite.map((one) => [one.id, `${one.name ?? one.id} (${about(one)})`]);
  const menu = choice([['', 'Choose …'], ...more, ...named], '');
  const chosen = () => {
    if (menu.value === '') throw new Error('Choose who gets the lessons.');
    return { id: menu.value, name: mayWrite.find(({ id }) => id === menu.value)?.name ?? menu.value };
  };
  return { menu, chosen };
}

/** Explanation of what reassigning lessons does. */
const HANDED_OVER =
  'The person you choose becomes the author of these lessons, including deleted ones, and can edit whatever this ' +
  'person could edit. No text changes, but the list shows these lessons as changed now.';

/** Gives the lessons of a person to another person. @param {Person} person @param {string} name */
function give(person, name) {
  return attempt(async () => {
    const lessons = call('GET', `/api/investigation?author=${person.id}&limit=1&fields=title`);
    const [{ menu, chosen }, { data }] = await Promise.all([heirs(person), lessons]);
    const { total } = data.pagination;
    let words = '';
    const send = async () => {
      const { id, name } = chosen();
      const { data } = await call('POST', `/api/people/${person.id}/reassign`, { body: { to: id } });
      words = `${name} now has ${counted(data.reassigned, 'more lesson')}.`;
    };
    const body = [
      el('p', {}, said(name), ` is the author of ${total === 0 ? 'no lessons' : counted(total, 'lesson')}.`),
      el('p', {}, HANDED_OVER),
      labelled('Who gets the lessons', menu),
    ];
    const act = { class: 'primary', act: send };
    if (await confirmed(`Give the lessons of ${name} to somebody`, body, 'Give', act)) done(words);
  });
}

/**
 * Asks who gets the lessons of a person, and then erases the person.
 * @param {Person} person @param {(now: Person) => void} show
 */
async function erase(person, show) {
  const { menu, chosen } = await heirs(person, [[NOBODY, 'Nobody: the lessons stay, with no author named']]);
  const name = person.name ?? 'this person';
  const send = async () => {
    const { id } = chosen();
    await call('DELETE', `/api/people/${person.id}${id === NOBODY ? '' : `?reassign=${id}`}`);
  };
  const body = [
    el(
      'p',
      {},
      'Name, e-mail, password, API keys and sign-ins of ',
      said(name),
      ' will be deleted permanently. What they wrote stays.',
    ),
    labelled('Who gets their lessons', menu),
  ];
  if (!(await confirmed(`Remove ${name}?`, body, 'Remove', { act: send }))) return;
  const { providerRole: _, ...rest } = person;
  show({ ...rest, name: null, email: null, role: null, status: 'erased', lastSignInAt: null });
  done(`${name} is removed.`);
}
