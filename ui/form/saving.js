// @ts-check
// The only place that shows whether everything is saved, and what the user can do if it is not. Also the dialog that
// asks which text to keep if a text or a row of a list was changed here and elsewhere. Closing it changes nothing.

import { call, investigation, wordsOf } from '../core/api.js';
import { button, el, isText } from '../core/dom.js';
import { fieldLabel } from '../core/schema.js';
import { icon } from '../core/icons.js';
import { isControl } from '../core/input.js';
import { keyed } from '../core/keyed.js';
import { ask, attempt, tell } from '../core/notice.js';
import { announcer, lingering, speak } from '../core/speech.js';
import { saveAsNew } from '../doc/outbox.js';
import { isSignedIn, mayWrite, user } from '../core/session.js';
import { READS_ONLY, counted } from '../text/words.js';
import { marked, placeName, plain } from '../history/changes.js';
import { dotted, escaped, same } from '../text/values.js';
import { frame } from './picture.js';
import { idsIn } from '../text/picture_refs.js';
import { learnNames, time, who } from '../core/people.js';

/** The icons of the states without a problem. @type {Record<string, import('../core/icons.js').Icon>} */
const SIGNS = { saved: 'done', saving: 'open', unsaved: 'open' };

/**
 * Returns whether everything is saved, in a few words, and then the rest of the sentence.
 * @param {import('../doc/doc.js').Doc} doc @returns {[string, string?]}
 */
function words(doc) {
  const invalid = doc.held.size;
  const kept = doc.isKept
    ? 'Your text is kept in this browser'
    : 'This browser cannot keep your text: do not close this window';
  switch (doc.state) {
    case 'gone':
      return ['This lesson was deleted elsewhere', `. ${kept}.`];
    case 'forbidden':
      return ['Not saved', `${mayWrite() ? ': you may no longer change this lesson.' : `. ${READS_ONLY}`} ${kept}.`];
    case 'clash':
      return ['Changed elsewhere'];
    case 'saving':
      return ['Saving …'];
    case 'waiting':
      return isSignedIn()
        ? ['Not saved', `: ${wordsOf(doc.failure)} ${kept}. The page tries again by itself.`]
        : ['Not saved', `: you are signed out. ${kept}.`];
    case 'refused':
      return [invalid === 1 ? 'One field is not saved' : `${counted(invalid, 'field')} are not saved`];
    case 'unsaved':
      return ['Not saved yet'];
    default:
      return ['All saved'];
  }
}

/** @param {import('./desk.js').Desk} desk */
export function savingBar(desk) {
  const { doc, root } = desk;
  const status = el('span', { class: 'saving' });
  const way = el('span', { class: 'ways' });

  const asNew = () =>
    attempt(async () => {
      const id = await saveAsNew(doc.id, doc.written);
      doc.giveUp();
      tell('Your text was saved as a new lesson.', { stays: true });
      location.hash = `#/i/${id}`;
    });

  const signInAgain = async () => (await import('../people/sign_in.js')).signInAgain();

  /**
   * Returns the buttons for the current state of saving.
   * @returns {[string, () => any, string][]} for each: its label, what a click does, and its style
   */
  function ways() {
    switch (doc.state) {
      case 'gone':
      case 'forbidden':
        return mayWrite() ? [['Save as new', asNew, 'primary']] : [];
      case 'clash':
        return [['Compare …', () => settleClashes(desk), 'primary']];
      case 'waiting':
        return [isSignedIn() ? ['Try again', () => doc.flush(), 'quiet'] : ['Sign in', signInAgain, 'primary']];
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
    const [lead, rest] = words(doc);
    const all = `${lead}${rest ?? ''}`;
    keyed(status, [sign, all], {
      key: (one) => one,
      make: (one) => (one === sign ? icon(sign) : el('span', {}, lead, rest && el('span', { class: 'rest' }, rest))),
    });
    /** @type {ReturnType<typeof ways>} */
    const why = rest ? [['Why?', () => tell(all, { tone: 'alarm', isAway: true }), 'quiet why']] : [];
    keyed(way, [...ways(), ...why], {
      key: ([label]) => `${label}${label === 'Why?' && all}`,
      make: ([label, act, kind]) => button(label, act, { class: kind }),
    });
  }

  // Announces only problems and their end. Errors of a field are announced at the field.
  const announce = announcer(
    () => (['saving', 'unsaved'].includes(doc.state) ? undefined : doc.state),
    (before = 'saved', now) => (now === before || ['clash', 'refused'].includes(now) ? '' : words(doc).join('')),
  );
  const say = () => speak(words(doc).join(''));
  const linger = lingering(() => doc.state === 'saving', say);
  doc.addEventListener('saving', () => [refresh(), announce(), linger()]);
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (!isControl(event, 's')) return;
    event.preventDefault();
    if (!event.repeat) doc.flush().then(say);
  };
  addEventListener('keydown', keys, { signal: desk.left });
  refresh();
  return [status, way];
}

/** @typedef {import('./desk.js').Desk} Desk */

/** @param {string} title @param {any} value @param {string} docId */
function side(title, value, docId) {
  return el(
    'div',
    { class: 'side' },
    el('h3', {}, title),
    el('pre', { dir: 'auto' }, value === undefined ? '(removed)' : plain(value) || '(empty)'),
    idsIn(value).map((id) => frame(docId, { id, alt: '' })),
  );
}

/**
 * Says which fields were merged with changes made elsewhere.
 * @param {Desk} desk
 */
export function tellMerged({ doc, root }) {
  const names = doc
    .takeMerged()
    .map((field) => placeName([field], root))
    .join(', ');
  if (names) tell(`${names}: changed elsewhere, too. Both changes are kept.`);
}

/**
 * Says that a field in which the user writes was changed elsewhere, and by whom.
 * @param {string} field @param {Desk} desk
 */
export async function tellElsewhere(field, { doc, root, left }) {
  const by = (await newestOf(doc, field))?.by;
  const whose = by && by !== user() ? `by ${who(by, doc.stored.author)}` : 'elsewhere';
  if (!left.aborted) tell(`${fieldLabel(field, root)}: changed ${whose} just now.`);
}

/** Announcements of the user's choice. */
const KEPT = { mine: 'Yours is kept.', theirs: 'The other text is kept.', both: 'Both are kept.' };

/** @typedef {import('../doc/state.js').Clash} Clash */

/** Returns the clash of the same place as another, as it is now. @param {Clash} clash @param {Desk} desk */
const renewed = ({ field, conflict }, { doc }) =>
  doc.clashes.find((one) => one.field === field && same(one.conflict.path, conflict.path));

/**
 * Asks the user about each clash, one after the other, and then leads to the place of the last one. If the other text
 * has changed again before the answer was stored, asks again.
 * @param {Desk} desk @param {string} [first] the field that is asked about first
 */
export async function settleClashes(desk, first) {
  const { doc } = desk;
  const next = () => doc.clashes.find(({ field }) => field === first) ?? doc.clashes[0];
  for (let clash = next(); clash; clash = next()) {
    const chosen = await choose(clash, desk);
    const now = renewed(clash, desk);
    if (chosen === null || !now) return;
    const stored = doc.decide(now, chosen);
    // The button that had the focus may be gone, so that another control of the field has it.
    const focused = document.activeElement;
    await stored;
    if (!renewed(now, desk)) tell(KEPT[chosen]);
    // Moves the focus to the place of the question, unless the user has begun to write elsewhere.
    if (document.activeElement === focused || !isText(document.activeElement))
      desk.go(dotted([clash.field, ...clash.conflict.path]));
  }
}

/**
 * Asks about a clash, and shows it as it is, until it is over.
 * @param {Clash} clash @param {Desk} desk @returns {Promise<import('../text/merge.js').Choice | null>}
 */
async function choose(clash, desk) {
  const { doc, root } = desk;
  const { field, conflict } = clash;
  const body = el('div', { class: 'clash' });
  let shown = '';
  const show = () => {
    const now = renewed(clash, desk);
    if (!now || !now.conflict.both !== !conflict.both) {
      tell('This was changed again elsewhere.');
      return body.closest('dialog')?.close();
    }
    // Most changes elsewhere do not concern this text.
    if (shown === JSON.stringify(now.conflict)) return;
    shown = JSON.stringify(now.conflict);
    const { mine, theirs, both } = now.conflict;
    const author = el('p', { class: 'muted' });
    said(doc, field).then((words) => author.append(...words));
    body.replaceChildren(
      el(
        'p',
        {},
        'Which text do you want to keep? The other one is saved and stays in the history either way. ' +
          'Yours is saved only if you keep it.',
      ),
      author,
      el('div', { class: 'sides' }, side('Yours', mine, doc.id), side('The other', theirs, doc.id)),
      el('h3', {}, 'Differences between the other and yours'),
      marked(plain(theirs), plain(mine)),
      ...(both ? [side('Both together', both, doc.id)] : []),
    );
  };
  const answers = [
    { label: 'Decide later', answer: null },
    { label: 'Take the other', answer: 'theirs' },
    { label: 'Keep mine', answer: 'mine', class: conflict.both ? '' : 'primary' },
    ...(conflict.both ? [{ label: 'Keep both', answer: 'both', class: 'primary' }] : []),
  ];
  show();
  doc.addEventListener('taken', show);
  const title = `${placeName([field, ...conflict.path], root)} was changed elsewhere, too`;
  return ask(title, body, answers, { wide: true }).finally(() => doc.removeEventListener('taken', show));
}

/**
 * Returns the newest change of a field, or nothing if it is not known. `who` knows its author then.
 * @param {import('../doc/doc.js').Doc} doc @param {string} field
 */
async function newestOf(doc, field) {
  const path = investigation(doc.id, `/history/${encodeURIComponent(escaped(field))}?limit=1`);
  const found = await call('GET', path, { background: true }).catch(() => null);
  const newest = found?.data[0];
  await learnNames([newest?.by], { background: true });
  return newest;
}

/**
 * Returns a sentence about who wrote the stored text, or nothing if this is not known.
 * @param {import('../doc/doc.js').Doc} doc @param {string} field
 */
async function said(doc, field) {
  const newest = await newestOf(doc, field);
  return newest ? ['The other one was written by ', who(newest.by, doc.stored.author), ', ', time(newest.at), '.'] : [];
}
