// @ts-check
// Says entries of lists in words.

import { isReference } from './picture_refs.js';
import { isBlank, isObject } from './values.js';

/** @param {any} value */
const wordOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** @param {import('./picture_refs.js').Reference} picture */
function ofPicture({ alt, caption }) {
  return `Picture: ${[alt, caption].filter((part) => !isBlank(part)).join(' · ') || 'without a description'}`;
}

/**
 * Returns an entry as people write it: “300 ml water · warm”, “Sow the seeds. (10 min)”, “germinate: begin to grow”.
 * @param {Record<string, any>} entry @returns {string | null} null if the entry has other parts
 */
export function spoken(entry) {
  if (isReference(entry)) return ofPicture(entry);
  const { name, quantity, unit, notes, text, minutes, term, definition, picture, ...rest } = entry;
  if (Object.keys(rest).length > 0 || [name, unit, notes, text, term, definition].some(isObject)) return null;
  if (picture !== undefined && !isReference(picture)) return null;
  const all = [
    [isBlank(quantity) ? '' : wordOf(quantity), unit, name].filter((part) => !isBlank(part)).join(' '),
    [text, !isBlank(minutes) && `(${wordOf(minutes)} min)`].filter((part) => part && !isBlank(part)).join(' '),
    [term, definition].filter((part) => !isBlank(part)).join(': '),
    notes,
    picture && ofPicture(picture),
  ];
  return all.filter((part) => !isBlank(part)).join(' · ');
}
