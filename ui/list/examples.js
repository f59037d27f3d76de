// @ts-check
// Adds the example investigations to an empty list.

import { create, examples } from '../core/api.js';
import { button } from '../core/dom.js';
import { attempt, tell, work } from '../core/notice.js';
import { counted } from '../text/words.js';

/** @param {AbortSignal} left @param {() => void} added */
export function examplesButton(left, added) {
  const add = async () => {
    const all = await attempt(() => work('Adding examples …', createAll, left));
    if (all) tell(`${counted(all.length, 'example')} added.`);
    added();
  };
  return button('Add examples', add);
}

/** @param {AbortSignal} signal */
async function createAll(signal) {
  const all = await examples();
  for (const body of all) await create('/api/investigation', body, signal);
  return all;
}
