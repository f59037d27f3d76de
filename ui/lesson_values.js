// @ts-check
// The values that fields can hold, from the lines of a pasted text.

import { BULLET, listEntries, timeIn } from './entry_text.js';
import { kind, label, number, own, resolved, types } from './schema.js';

/** What people call the parts of the variables. @type {Record<string, string>} */
const PARTS = {
  independent: 'change|we change|what we change|independent',
  dependent: 'measure|we measure|what we measure|dependent',
  controlled: 'keep the same|we keep the same|what we keep the same|controlled',
};
const IN_MINUTES = /minutes$/i;

/** @param {string} field @param {string[]} lines @param {any} schema @param {any} root */
export function valueOf(field, lines, schema, root) {
  const text = lines.join('\n').trim();
  if (text === '') return undefined;
  switch (kind(schema, undefined)) {
    case 'list':
      return listEntries(lines, resolved(schema.items, root));
    case 'number':
      return numberIn(field, text, schema)?.value;
    case 'object':
      return objectOf(lines, schema, root);
    case 'text':
      return textOf(field, text, schema);
    default:
      return undefined;
  }
}

/**
 * Removes the word from a grade such as “Grade 5”. Returns a number if the schema allows integers.
 * @param {string} field @param {string} text @param {any} schema
 */
function textOf(field, text, schema) {
  const plain = field === 'grade' ? text.replace(/^(?:grades?|class|year)\s+/i, '') : text;
  return (types(schema).includes('integer') ? number(plain) : undefined) ?? plain;
}

/**
 * Returns the only number of a text that a field can hold, and the other words.
 * @param {string} field @param {string} text @param {any} schema @returns {{ value: number, rest: string } | null}
 */
export function numberIn(field, text, schema) {
  const [only = '', ...others] = text.match(/\d+(?:[.,]\d+)*/g) ?? [];
  const found = IN_MINUTES.test(field)
    ? timeIn(text)
    : others.length === 0 && { number: number(only.replace(',', '.')), rest: text.replace(only, ' ') };
  if (!found || typeof found.number !== 'number' || found.number < (schema.minimum ?? -Infinity)) return null;
  if (!types(schema).includes('number') && !Number.isInteger(found.number)) return null;
  return { value: found.number, rest: /\p{L}/u.test(found.rest) ? found.rest : '' };
}

/**
 * Returns an object from lines such as “Change: the light”; undefined if a line is different.
 * @param {string[]} lines @param {any} schema @param {any} root
 */
function objectOf(lines, schema, root) {
  /** @type {Record<string, any>} */
  const found = {};
  const parts = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const part = resolved(inner, root);
    return { name, part, words: [label(name, part).toLowerCase(), ...(own(PARTS, name)?.split('|') ?? [])] };
  });
  for (const line of lines.filter((line) => line.trim() !== '')) {
    const [, name = '', text = ''] = /^([^:]+?)\s*:\s*(\S.*)$/.exec(line.replace(BULLET, '').trim()) ?? [];
    const place = parts.find(({ words }) => words.includes(name.toLowerCase()));
    if (!place || own(found, place.name) !== undefined) return undefined;
    const isList = kind(place.part, undefined) === 'list';
    found[place.name] = isList ? text.split(/\s*[,;]\s+/) : text;
  }
  return found;
}

/**
 * Returns what a field needs, in words, to say why it does not hold a part.
 * @param {import('./schema.js').Field} field @param {any} root
 */
export function needs({ name, schema }, root) {
  switch (kind(schema, undefined)) {
    case 'number':
      if (IN_MINUTES.test(name)) return 'needs a whole number of minutes';
      return types(schema).includes('number') ? 'needs one number' : 'needs one whole number';
    case 'object': {
      const words = Object.entries(schema.properties ?? {}).map(([part, inner]) => label(part, resolved(inner, root)));
      return `needs lines such as “${words[0] ?? 'Name'}: …”`;
    }
    case 'text':
    case 'list':
      return 'has a value already';
    default:
      return 'is filled in the form';
  }
}
