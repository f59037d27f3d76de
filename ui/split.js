// @ts-check
// Has the assistant split the text of a lesson. The service takes only what stands in the text, and returns the rest.

import { call } from './api.js';
import { plain } from './changes.js';

/** @param {string} text @param {AbortSignal} signal @returns {Promise<import('./lesson_text.js').Part[]>} */
export async function partsByModel(text, signal) {
  const { data } = await call('POST', '/api/investigation/split', { body: { text }, signal });
  const part = { heading: '', isInline: false };
  return [
    ...Object.entries(data.content).map(([field, value]) => ({
      ...part,
      field,
      lines: plain(value).split('\n'),
      value,
    })),
    ...data.unplaced.map((/** @type {string} */ rest) => ({ ...part, field: '', lines: rest.split('\n') })),
  ];
}
