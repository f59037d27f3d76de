// @ts-check
// Listens to the service's events, and updates the open investigation after changes by other windows or the
// assistant.

import { call, investigation, read } from './api.js';
import { content, same } from './schema.js';
import { rebase } from './sending.js';
import { token } from './session.js';

/** Wait before the event stream is opened again. */
const AGAIN_MS = 5000;
/** Time between two checks whether the language model has read the document. */
const CHECK_MS = 2500;

/** @param {import('./doc.js').Doc} doc @param {AbortSignal} signal */
export async function follow(doc, signal) {
  while (!signal.aborted) {
    await listen(doc, signal).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Reads the event stream until it ends. @param {import('./doc.js').Doc} doc @param {AbortSignal} signal */
async function listen(doc, signal) {
  const bearer = token();
  if (!bearer) return;
  const response = await fetch('/api/events', {
    headers: { authorization: `Bearer ${bearer}` },
    signal,
    cache: 'no-store',
  });
  if (!response.ok || !response.body) return;
  // Reads what was changed while the stream was closed.
  doc.again();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (text + value).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const event = read(line.slice(6));
      if (event.investigationId !== doc.id) continue;
      // Changes by this page cause events, too. The queue handles the response with the new revision first.
      doc.enqueue(async () => void (event.revision > doc.revision && (await rebase(doc))));
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
    const { data } = await call('GET', investigation(doc.id), { signal });
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
