// @ts-check
// Takes back a change of rows, such as a removed step: with a notice, and with Control + Z until something is written.

import { stepOf } from '../core/keys.js';
import { merge } from '../text/merge.js';
import { tell } from '../core/notice.js';
import { named } from '../doc/pictures.js';

/**
 * @param {HTMLElement} element the field @param {() => any} now returns its value
 * @param {(value: any) => void} put gives it another value
 * @returns {(did: string, before: any, after: any) => void} called after a change, with what was done
 */
export function takingBack(element, now, put) {
  /** @type {(() => void) | null} */
  let last = null;
  element.addEventListener('input', () => void (last = null));
  element.addEventListener('keydown', (event) => {
    if (!last || stepOf(event) !== 'undo') return;
    event.preventDefault();
    last();
  });
  return (did, before, after) => {
    const back = () => {
      close();
      last = null;
      // Later changes of other rows stay.
      put(merge(named(after), named(before), now()).value);
    };
    const close = tell(`${did}.`, { act: { label: 'Undo', run: back } });
    last = back;
  };
}
