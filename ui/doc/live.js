// @ts-check
// Listens to the events of the open investigation, and updates it after changes by other windows or the assistant.

import { call, investigation, read } from '../core/api.js';
import { content } from '../core/schema.js';
import { same } from '../text/values.js';
import { isSignedIn } from '../core/session.js';

/** Wait before an event stream that has ended is opened again. */
const AGAIN_MS = 5000;
/** Wait after the service refused an event stream, for example because all places are taken. */
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
  // Reads what was changed while the stream was closed. Without a stream, this is how changes by others are noticed.
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
      // During an update of the service, a copy of the version before may send the events of all investigations.
      if (event.investigationId !== doc.id) continue;
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
    // If somebody else changed the content meanwhile, the event stream or the next save notices.
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
