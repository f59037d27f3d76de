// @ts-check
// Shows a picture, or why it cannot be shown. The control of a picture also shows the upload progress, and has boxes
// for the description and the caption.

import { naming } from './control.js';
import { button, el } from '../core/dom.js';
import { chosen, dropped, pasted } from '../core/input.js';
import { icon } from '../core/icons.js';
import { keyed } from '../core/keyed.js';
import { object } from './nested.js';
import { tell } from '../core/notice.js';
import { addressOf, named } from '../doc/pictures.js';
import { isBlank } from '../text/values.js';
import { Failure, call, investigation, wordsOf } from '../core/api.js';

/** @typedef {import('./control.js').Place} Place @typedef {import('../text/picture_refs.js').Reference} Reference */

/** The types that the service accepts. When phones see this list, they convert pictures of other types. */
const TYPES = 'image/png,image/jpeg,image/webp,image/gif';
const NUDGE = 'Not described yet: some pupils cannot see it.';

/**
 * Returns the ways to add pictures: files, and the camera of a phone.
 * @param {string} label @param {string} kind the class of the buttons @param {import('../core/input.js').Take} take
 * @param {boolean} [many]
 */
export function ways(label, kind, take, many = false) {
  const { input, open } = chosen({ accept: TYPES, multiple: many, tabindex: -1 }, take);
  return [
    button([icon('picture'), el('span', {}, label)], () => open(), { class: kind }),
    button([icon('camera'), 'Take a photo'], () => open(true), { class: `${kind} camera` }),
    input,
  ];
}

/**
 * Takes pictures that are dropped on an element or pasted into it.
 * @param {HTMLElement} element @param {import('../core/input.js').Take} take
 */
export function receives(element, take) {
  dropped(element, take);
  pasted(element, take);
}

/**
 * @param {any} schema @param {Reference | undefined} value @param {Place} place
 * @returns {import('./control.js').Made}
 */
export function picture(schema, value, place) {
  const box = el('div', {
    class: 'picture-box',
    role: 'group',
    ...naming(place),
    ontake: (/** @type {CustomEvent} */ { detail }) => take(detail),
  });
  let now = value;
  /** @param {Reference | undefined} made @param {string} [did] */
  const put = (made, did) => {
    now = made;
    fill();
    place.change(made, undefined, did);
    place.commit();
    box.querySelector('textarea, button')?.focus();
  };
  const take = (/** @type {File[]} */ [file, ...more]) => {
    if (file) put(place.pictures.add(file), now && 'Picture replaced');
    if (more.length > 0) tell('Only one picture fits here, so the first one was used.');
  };
  const remove = () => put(undefined, 'Picture removed');
  const change = (/** @type {Reference} */ made, /** @type {string | undefined} */ fault) =>
    place.change((now = made), fault);
  // A picture in a list has no button of its own, because the list has one for the whole row.
  const tools = () => !place.isRow && button([icon('close'), 'Remove the picture'], remove, { class: 'quiet' });
  /** Shows another description and caption of the same picture. @type {(value: Reference) => void} */
  let describe;
  const fill = () => {
    const shown = now && described(schema, now, place, change);
    if (shown) describe = shown.show;
    const parts = shown ? [shown.element, tools()] : ways('Add a picture', 'quiet', take);
    box.replaceChildren(...parts.filter((part) => part !== false));
  };
  fill();
  const show = (/** @type {Reference | undefined} */ next) => {
    const isSame = now && next && named(now).id === named(next).id;
    now = isSame ? { ...next, id: now?.id ?? next.id } : next;
    if (now && isSame) describe(now);
    else fill();
  };
  return { element: box, show };
}

/**
 * Returns a picture with its state, description and caption, and a function that shows another description and caption.
 * @param {any} schema @param {Reference} value @param {Place} place
 * @param {(value: Reference, fault?: string) => void} change
 */
function described(schema, value, place, change) {
  const { id, ...rest } = value;
  const image = frame(place.pictures.doc.id, value);
  const nudge = el('p', { class: 'nudge' }, icon('warning'), NUDGE);
  const note = (/** @type {any} */ alt) => {
    nudge.hidden = !isBlank(alt);
    image.querySelector('img')?.setAttribute('alt', alt ?? '');
  };
  const { id: _, ...properties } = schema.properties;
  const words = object({ ...schema, properties, required: ['alt'] }, rest, {
    root: place.root,
    get path() {
      return place.path;
    },
    name: place.name,
    isLine: true,
    pictures: place.pictures,
    commit: place.commit,
    change: (parts, fault) => {
      note(parts.alt);
      change({ id, ...parts }, fault);
    },
  });
  words.element.querySelector('[data-name=alt] .text')?.setAttribute('aria-required', 'true');
  note(value.alt);
  const show = (/** @type {Reference} */ { id: _, ...rest }) => {
    words.show(rest);
    note(rest.alt);
  };
  // The focused box must not move when the hint disappears, so elements that appear and disappear are below it.
  const texts = el('div', {}, words.element, state(id, place.pictures), nudge);
  return { element: el('div', { class: 'picture' }, image, texts), show };
}

/**
 * Returns an element that shows the upload progress of a picture, or why it was not sent.
 * @param {string} id @param {import('../doc/pictures.js').Pictures} pictures
 */
function state(id, pictures) {
  const bar = el('progress', { max: 1, 'aria-label': 'Sent' });
  const box = el('div', { class: 'sent', role: 'status', 'data-picture': id, onpicture: () => refresh() });
  const refresh = () => {
    const { share, words, isRefused } = pictures.stateOf(id);
    if (share !== undefined) bar.value = share;
    box.classList.toggle('alarm', isRefused);
    const parts = [words, share !== undefined && bar].filter(Boolean);
    keyed(box, parts, {
      key: (part) => part,
      make: (part) => (part === words ? el('p', { dir: 'auto' }, words) : part),
    });
  };
  refresh();
  return box;
}

/**
 * @param {string} docId @param {import('../text/picture_refs.js').Reference} reference
 * @returns {HTMLElement}
 */
export function frame(docId, { id, alt }) {
  const src = addressOf(docId, id);
  const box = el('span', { class: 'frame' });
  const show = () =>
    void box.replaceChildren(el('img', { src, alt, loading: 'lazy', decoding: 'async', onerror: () => why() }));
  const why = async () => {
    const missing = src?.startsWith('blob:') ? 'Your browser cannot show this.' : await reason(docId, id);
    box.replaceChildren(el('span', { class: 'gone' }, icon('picture'), missing ?? 'Picture removed'));
    if (missing) addEventListener('reached', show, { once: true });
  };
  if (src) show();
  else box.replaceChildren(el('span', { class: 'gone' }, icon('picture'), 'Picture removed'));
  return box;
}

/**
 * Returns why the service does not show a picture; null if it no longer has the picture.
 * @param {string} docId @param {string} id
 */
async function reason(docId, id) {
  try {
    await call('GET', investigation(docId, `/pictures/${id}`), { background: true });
    return 'Your browser cannot show this.';
  } catch (error) {
    return error instanceof Failure && [404, 410].includes(error.status) ? null : wordsOf(error);
  }
}
