// @ts-check
// Tells the service that the lesson is open here while the editor is visible, and shows who else has it open.

import { call, investigation } from '../core/api.js';
import { presenceSeconds } from '../core/constants.js';
import { el, heard } from '../core/dom.js';
import { keyed } from '../core/keyed.js';
import { person } from '../core/people.js';

/** Time between two such messages. Two may be lost before the service forgets the user. */
const BEAT_MS = (presenceSeconds * 1000) / 3;

/** @param {import('./doc.js').Doc} doc @param {AbortSignal} signal */
export function others(doc, signal) {
  const label = 'Others who have this lesson open';
  const element = el('ul', { class: 'others grow', 'aria-label': label, 'aria-live': 'polite' });
  const path = () => investigation(doc.id, '/presence');
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {any[]} people */
  function show(people) {
    const ids = people.map(({ id }) => id);
    keyed(element, people, {
      // A person without a name is told from others by a number.
      key: ({ id, name }) => `${id} ${name} ${ids.length > 1}`,
      make: (one) => el('li', { 'data-user': one.id }, person(one, ids), heard(' has this lesson open')),
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
  doc.whenStored(beat);
  return element;
}
