// @ts-check
// The only place that shows whether everything is saved, and what the user can do if it is not.

import { wordsOf } from '../core/api.js';
import { settleClashes } from './conflict.js';
import { button, el } from '../core/dom.js';
import { fieldLabel } from '../core/schema.js';
import { icon } from '../core/icons.js';
import { keyed } from '../core/keyed.js';
import { attempt, tell } from '../core/notice.js';
import { saveAsNew } from '../doc/save_as_new.js';
import { isSignedIn } from '../core/session.js';
import { signInAgain } from '../people/sign_in.js';
import { counted } from '../text/words.js';

/** The icons of the states without a problem. @type {Record<string, import('../core/icons.js').Icon>} */
const SIGNS = { saved: 'done', saving: 'open', unsaved: 'open' };

/** @param {import('../doc/doc.js').Doc} doc */
function words(doc) {
  const invalid = doc.held.size;
  const kept = doc.isKept
    ? 'Your text is kept in this browser'
    : 'This browser keeps no text: do not close this window';
  switch (doc.state) {
    case 'gone':
      return `This lesson was deleted elsewhere. ${kept}.`;
    case 'forbidden':
      return `Not saved: you may no longer change this lesson. ${kept}.`;
    case 'clash':
      return 'This was changed elsewhere, too.';
    case 'saving':
      return 'Saving …';
    case 'waiting':
      return isSignedIn()
        ? `Not saved: ${wordsOf(doc.failure)} ${kept}. The page tries again by itself.`
        : `Not saved: you are signed out. ${kept}.`;
    case 'refused':
      return invalid === 1 ? 'One field is not saved' : `${counted(invalid, 'field')} are not saved`;
    case 'unsaved':
      return 'Not saved yet';
    default:
      return 'All saved';
  }
}

/** @param {import('./desk.js').Desk} desk */
export function savingBar(desk) {
  const { doc, root } = desk;
  const status = el('span', { class: 'saving', role: 'status' });
  const way = el('span', { class: 'ways' });

  const asNew = () =>
    attempt(async () => {
      const id = await saveAsNew(doc.id, doc.written);
      doc.giveUp();
      tell('Your text was saved as a new lesson.', { stays: true });
      location.hash = `#/i/${id}`;
    });

  /** @returns {[string, () => any, string][]} the labels, acts and kinds of buttons */
  function ways() {
    switch (doc.state) {
      case 'gone':
      case 'forbidden':
        return [['Save as new', asNew, 'primary']];
      case 'clash':
        return [['Compare and choose', () => settleClashes(desk), 'primary']];
      case 'waiting':
        return [isSignedIn() ? ['Try again', () => doc.flush(), 'quiet'] : ['Sign in', () => signInAgain(), 'primary']];
      case 'refused': {
        return [...doc.held].slice(0, 3).map((field) => [fieldLabel(field, root), () => desk.go(field), 'link']);
      }
      default:
        return [];
    }
  }

  function refresh() {
    status.dataset.word = doc.state;
    const sign = SIGNS[doc.state] ?? 'warning';
    // Screen readers say what is new here.
    keyed(status, [sign, words(doc)], {
      key: (one) => one,
      make: (one) => (one === sign ? icon(sign) : el('span', {}, one)),
    });
    keyed(way, ways(), { key: ([label]) => label, make: ([label, act, kind]) => button(label, act, { class: kind }) });
  }

  doc.addEventListener('saving', refresh);
  refresh();
  return [status, way];
}
