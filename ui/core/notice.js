// @ts-check
// Messages to the user: dialogs, short notices, questions, and progress of long operations. Also restores the focus
// after dialogs and notices.

import { button, el, id, isText } from './dom.js';
import { caret } from './focus.js';
import { icon } from './icons.js';
import { place } from './notice_place.js';
import { Failure, mayBeDone, wasLeft, wordsOf } from './api.js';
import { stepOf } from './input.js';

/** Time after which a notice closes by itself. The notice of a failure stays until the user closes it. */
const SHOWN_MS = 8000;
/** Interval between two checks whether a notice is still in use. */
const USED_MS = 2000;
const isUsed = () => {
  // On a phone, the element that was tapped last counts as hovered, so hovering means nothing there.
  const used = matchMedia('(hover: hover)').matches ? ':is(:hover, :focus-within)' : ':focus-within';
  return document.querySelector(`#notices > ${used}`) !== null;
};

/**
 * Runs `act` after a time, but not while somebody points at a notice or has the focus in one. Returns a function that
 * cancels this.
 * @param {() => any} act @param {number} ms
 */
export function whenUnused(act, ms) {
  const look = () => void (isUsed() ? (timer = setTimeout(look, USED_MS)) : act());
  let timer = setTimeout(look, ms);
  return () => clearTimeout(timer);
}

/**
 * Shows a notice, and removes earlier plain notices that need not stay. With `isAway`, removes only earlier notices
 * with `isAway`.
 * @typedef {{ label: string, run: () => any }} Act
 * @param {any} words
 * @param {{ tone?: 'plain' | 'alarm', act?: Act, shownMs?: number, stays?: boolean, isAway?: boolean }} [more]
 * `stays` if the notice still applies after another notice, and in another view; `isAway` if the notice closes once
 * the service can be reached
 * @returns {() => void} closes the notice
 */
export function tell(words, { tone = 'plain', act, shownMs = SHOWN_MS, stays = false, isAway = false } = {}) {
  const notices = document.getElementById('notices');
  if (!notices) return () => undefined;
  clearNotices(isAway ? '[data-away]' : '[data-tone=plain]:not([data-stays])');
  const close = () => drop(notice);
  const about = { 'aria-describedby': id('notice') };
  const notice = el(
    'div',
    { class: 'notice', 'data-tone': tone, 'data-stays': stays, 'data-away': isAway },
    el('p', { id: about['aria-describedby'], dir: 'auto' }, words),
    act && button(act.label, () => [close(), act.run()], about),
    button(icon('close'), close, { class: 'icon', 'aria-label': 'Close this notice', ...about }),
  );
  notices.append(notice);
  while (notices.children.length > 3) drop(notices.firstElementChild);
  place(notices);
  if (tone === 'plain') whenUnused(close, shownMs);
  return close;
}

/** Removes notices that no longer apply. @param {string} [which] a selector */
export function clearNotices(which = '.notice') {
  document.querySelectorAll(`#notices > ${which}`).forEach(drop);
}
addEventListener('reached', () => clearNotices('[data-away]'));

/** Returns the notice, or the message that asks for an answer, that contains something. @param {any} at */
const noticeOf = (at) => (at instanceof Element ? at.closest('.notice, [data-asks]') : null);
/** Moves the focus back to the element that had it before a notice got it. */
let leaveNotices = () => {};
addEventListener('focusin', ({ target, relatedTarget }) => {
  // When the window regains focus, `relatedTarget` is null, and the focus is where it was before.
  if (noticeOf(target) && relatedTarget && !noticeOf(relatedTarget))
    leaveNotices = caret(/** @type {HTMLElement} */ (relatedTarget));
});

/** Removes a notice, and puts the focus back if the notice had it. @param {Element | null} notice */
function drop(notice) {
  const hasFocus = notice?.contains(document.activeElement);
  notice?.remove();
  if (hasFocus) leaveNotices();
}

/** Handles the keys for notices, regardless of the focus. @param {KeyboardEvent} event */
function pressed(event) {
  const own = noticeOf(event.target);
  const all = [...document.querySelectorAll('#notices button')].filter((one) => one instanceof HTMLElement);
  if (event.key === 'F8' && own) leaveNotices();
  else if (event.key === 'F8')
    (noticeOf(all.at(-1)) ?? document.querySelector('[data-asks]'))?.querySelector('button')?.focus();
  else if (event.key === 'Escape' && own?.matches('.notice')) drop(own);
  // Outside of an editor, the keys for undo press the newest Undo button. In an editor, they undo changes of the text.
  else if (stepOf(event) === 'undo' && !isText(event.target) && !document.querySelector('[data-keeps], dialog[open]'))
    all.findLast((one) => one.textContent === 'Undo')?.click();
  else return;
  event.preventDefault();
}
addEventListener('keydown', pressed);

/** Returns what went wrong, with a link if another address helps. @param {unknown} error */
export function partsOf(error) {
  const instead = error instanceof Failure ? error.instead : undefined;
  if (!instead) return wordsOf(error);
  const [before, after] = wordsOf(error).split(instead);
  return [before, el('a', { href: instead }, instead), after];
}

/**
 * Shows what went wrong, and offers to try again if that may help.
 * @param {unknown} error @param {(() => any)} [again]
 */
export function tellFailure(error, again) {
  if (wasLeft(error)) return;
  const mayPass = !(error instanceof Failure) || mayBeDone(error);
  const isAway = error instanceof Failure && error.status === 0;
  tell(partsOf(error), {
    tone: 'alarm',
    isAway,
    ...(again && mayPass ? { act: { label: 'Try again', run: again } } : {}),
  });
}

/**
 * Runs `act`. If it fails, shows what went wrong, and offers to run it again.
 * @template T @param {() => Promise<T>} act @returns {Promise<T | undefined>}
 */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    tellFailure(error, () => attempt(act));
    return undefined;
  }
}

/**
 * Asks a question in a dialog, which keeps the keyboard focus inside. Resolves to the chosen answer, or to null if
 * the user closed the dialog. If the `act` of an answer fails, the dialog says why, and stays.
 * @typedef {{ label: string, answer: any, class?: string, act?: () => Promise<any> }} Answer
 * @param {string} title @param {any} body @param {Answer[]} answers
 * @param {{ wide?: boolean }} [more]
 * @returns {Promise<any>}
 */
export function ask(title, body, answers, { wide = false } = {}) {
  const name = id('title');
  return new Promise((resolve) => {
    /** @type {any} */
    let chosen = null;
    const fault = el('p', { class: 'fault', role: 'alert' });
    const end = async (/** @type {Answer} */ { answer, act }) => {
      try {
        fault.textContent = '';
        await act?.();
        chosen = answer;
        dialog.close();
      } catch (error) {
        fault.textContent = wordsOf(error);
      }
    };
    const content = el('div', { class: 'body' }, body);
    const dialog = el(
      'dialog',
      { 'aria-labelledby': name, class: wide ? 'wide' : '' },
      el('h2', { id: name, tabindex: -1 }, title),
      content,
      el(
        'div',
        { class: 'answers' },
        fault,
        answers.map((answer) => button(answer.label, () => end(answer), { class: answer.class ?? '' })),
      ),
    );
    modal(dialog, () => resolve(chosen));
    // Makes content that scrolls focusable, because keys scroll only focusable elements. The height of a sheet is known
    // only after it has loaded.
    const sized = new ResizeObserver(() => {
      if (content.scrollHeight > content.clientHeight) content.tabIndex = 0;
    });
    [content, ...content.children].forEach((one) => sized.observe(one));
    // The first field gets the focus, so that the user can type at once. A wide dialog gets no focus in a field,
    // because it is read first.
    const first = !wide && content.querySelector('input, textarea, select');
    if (!dialog.querySelector('[autofocus]')) (first || dialog.querySelector('h2')).focus();
  });
}

/**
 * Asks whether to do something.
 * @param {string} title @param {any} body @param {string} label @param {Partial<Answer>} [more] about the button
 * @param {{ wide?: boolean }} [shape]
 */
export function confirmed(title, body, label, more = {}, shape = {}) {
  const answers = [
    { label: 'Cancel', answer: false },
    { label, answer: true, class: 'danger', ...more },
  ];
  return ask(title, body, answers, shape);
}

/**
 * Runs work that may take long: shows what is being done and for how long, and lets the user stop waiting.
 * @template T @param {string} words @param {(signal: AbortSignal) => Promise<T>} act @param {AbortSignal} [left]
 * @param {HTMLElement} [place] the element in which the progress is shown
 * @returns {Promise<T | undefined>} undefined if the user stopped waiting
 */
export async function work(words, act, left, place = document.body) {
  const stop = new AbortController();
  left?.addEventListener('abort', () => stop.abort());
  const seconds = el('span', { class: 'seconds', 'aria-hidden': 'true' });
  const bar = el(
    'div',
    { class: 'work', role: 'status' },
    el('span', { class: 'dots', 'aria-hidden': 'true' }),
    el('span', {}, words),
    seconds,
    button('Stop waiting', () => stop.abort(), { class: 'quiet' }),
  );
  const started = performance.now();
  const tick = () => {
    seconds.textContent = `${Math.round((performance.now() - started) / 1000)} s`;
  };
  // Quick work shows no bar, which would only flicker.
  const shown = setTimeout(() => place.append(bar), 250);
  const ticking = setInterval(tick, 1000);
  try {
    return await act(stop.signal);
  } catch (error) {
    if (wasLeft(error)) return undefined;
    throw error;
  } finally {
    clearTimeout(shown);
    clearInterval(ticking);
    bar.remove();
  }
}

/** @param {HTMLDialogElement} dialog @param {() => void} [closed] called once the dialog is closed */
export function modal(dialog, closed) {
  const restore = caret();
  const leave = () => dialog.close();
  // Moves the notices into the dialog. Otherwise the dialog would cover them, and their buttons could not be clicked.
  const notices = document.getElementById('notices');
  const outside = notices?.parentElement;
  dialog.addEventListener('close', () => {
    removeEventListener('hashchange', leave);
    if (notices && dialog.contains(notices)) (outside?.isConnected ? outside : document.body).append(notices);
    dialog.remove();
    restore();
    closed?.();
  });
  addEventListener('hashchange', leave);
  if (notices) dialog.append(notices);
  document.body.append(dialog);
  dialog.showModal();
  // The observer also calls this when the dialog opens and closes.
  new ResizeObserver(() => notices && place(notices)).observe(dialog);
}
