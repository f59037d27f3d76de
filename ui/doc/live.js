// @ts-check
// Listens to the events of the open investigation, updates it after changes by other windows or the assistant, and
// shows who else has it open.

import { call, investigation, read } from '../core/api.js';
import { content } from '../core/schema.js';
import { same } from '../text/values.js';
import { isSignedIn } from '../core/session.js';
import { presenceSeconds } from '../core/constants.js';
import { button, el, whenPainted } from '../core/dom.js';
import { keyed } from '../core/keyed.js';
import { tell } from '../core/notice.js';
import { person } from '../core/people.js';

/** Wait before an event stream that has ended is opened again. */
const AGAIN_MS = 5000;
/** Wait after the service refused an event stream, for example because too many streams are open. */
const REFUSED_MS = 15000;
/** Time between two checks whether the language model has read the document. */
const CHECK_MS = 2500;

/** @param {import('./doc.js').Doc} doc @param {AbortSignal} signal */
export async function follow(doc, signal) {
  while (!signal.aborted) {
    const wait = await listen(doc, signal).catch(() => AGAIN_MS);
    // The wait is random, so that not all pages come back at the same moment after a restart of the service.
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
  }
}

/**
 * Reads the event stream until it ends. Returns the wait before the next attempt.
 * @param {import('./doc.js').Doc} doc @param {AbortSignal} signal
 */
async function listen(doc, signal) {
  if (!isSignedIn()) return AGAIN_MS;
  const response = await fetch(`/api/events?investigation=${encodeURIComponent(doc.id)}`, {
    signal,
    cache: 'no-store',
  });
  // Catches up on changes made while the stream was closed. If the stream is refused, this is the only way to notice
  // changes by others.
  doc.again();
  if (!response.ok || !response.body) return REFUSED_MS;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return AGAIN_MS;
    const lines = (text + value).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const event = read(line.slice(6));
      // Changes by this page cause events, too. The queue handles the response with the new revision first.
      const isNews = () => event.revision > doc.stored.revision || event.type === 'investigation.deleted';
      doc.again(isNews);
    }
  }
}

/**
 * Polls the investigation until the language model has checked it. Unsaved changes stay as they are.
 * @param {import('./doc.js').Doc} doc @param {AbortSignal} signal
 */
export function awaitModel(doc, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const ask = async () => {
    const { data } = await call('GET', investigation(doc.id), { signal, background: true });
    // If somebody else has changed the content in the meantime, the event stream or the next save notices.
    if (same(content(data), content(doc.stored))) doc.take(data);
    else check();
  };
  const check = () => {
    clearTimeout(timer);
    if (!doc.stored.contradictionsPending || signal.aborted) return;
    timer = setTimeout(() => doc.enqueue(ask).catch(() => undefined), CHECK_MS);
  };
  doc.addEventListener('taken', check);
  check();
}

/** Time between two reports that the user has the lesson open. Two may be lost before the service forgets the user. */
const BEAT_MS = (presenceSeconds * 1000) / 3;

const OPEN = ' has this lesson open';

/** @param {import('./doc.js').Doc} doc @param {AbortSignal} signal */
export function others(doc, signal) {
  const label = 'Others who have this lesson open';
  const element = el('ul', { class: 'others', 'aria-label': label, 'aria-live': 'polite' });
  const path = () => investigation(doc.id, '/presence');
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {any[]} people */
  function show(people) {
    const ids = people.map(({ id }) => id);
    keyed(element, people, {
      // People without a name are numbered, to tell them apart.
      key: ({ id, name }) => `${id} ${name} ${ids.length > 1}`,
      make: (one) => {
        const shown = person(one, ids);
        const words = `${shown.lastElementChild?.textContent}${OPEN}.`;
        // A narrow bar cuts off the name, and a phone shows only the avatar, so a click shows the whole sentence.
        const say = button([shown, el('span', {}, OPEN)], () => tell(words), { class: 'quiet', title: words });
        return el('li', { 'data-user': one.id }, say);
      },
    });
  }

  async function beat() {
    clearTimeout(timer);
    if (signal.aborted || document.hidden || !doc.isStored) return;
    const answer = await call('POST', path(), { body: { open: true }, signal, background: true }).catch(() => null);
    show(answer?.data.others ?? []);
    clearTimeout(timer);
    timer = setTimeout(beat, BEAT_MS);
  }

  function leave() {
    clearTimeout(timer);
    if (!doc.isStored) return;
    call('POST', path(), { body: { open: false }, keepalive: true, background: true }).catch(() => undefined);
  }

  document.addEventListener('visibilitychange', beat, { signal });
  ['focus', 'pageshow', 'signed-in'].forEach((event) => addEventListener(event, beat, { signal }));
  addEventListener('pagehide', leave, { signal });
  signal.addEventListener('abort', leave);
  whenPainted(() => doc.whenStored(beat));
  return element;
}
