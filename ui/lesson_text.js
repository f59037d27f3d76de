// @ts-check
// Splits the plain text of a lesson into fields by its headings. Nothing is added: text that has no place is returned.

import { isObject, kind, number, own, resolved, types } from './schema.js';

/** Headings that people write, by field. The labels of the form count as well. @type {Record<string, string>} */
const HEADINGS = {
  materials: 'materials|materials needed|supplies|equipment|what you need|you will need|resources',
  steps: 'steps|procedure|instructions|method|directions|what to do|activity|activities',
  safety: 'safety|safety rules|safety notes|caution|warnings',
  objectives: 'objectives|learning objectives|goals|learning goals|aims|learning outcomes',
  drivingQuestion: 'driving question|guiding question|essential question|focus question|question',
  hypothesis: 'hypothesis|prediction',
  phenomenon: 'phenomenon',
  assessment: 'assessment|evaluation|check for understanding',
  vocabulary: 'vocabulary|key words|keywords|key terms',
  durationMinutes: 'duration|time|lesson length|time needed',
  grade: 'grade|grade level|grades|year|year group',
  groupSize: 'group size',
  curriculum: 'curriculum|standard|standards',
  title: 'title|lesson title',
};
const BULLET = /^\s*(?:[-*•–◦▪☐]|\(?\d{1,2}[.):]|step\s+\d{1,2}\s*[:.)-]?)\s+/i;
const MINUTES = /\s*[([–-]?\s*\b(\d{1,3})\s*(?:min|mins|minutes?)\b\.?\s*[)\]]?\s*$/i;
const AMOUNT = /^(\d+(?:\.\d+)?)\s*(ml|l|g|kg|mm|cm|m|tsp|tbsp|cups?|drops?|sheets?)?\b\s+(?:of\s+)?(.+)$/i;
/** A line that is marked as a heading, whatever its words. */
const UNKNOWN_HEADING = /^\s*(#+\s|\*\*[^*]+\*\*:?\s*$|[\p{L} ]{1,40}:\s*$)/u;
/** A longer line is no heading. */
const MAX_HEADING = 60;

/** @typedef {{ content: Record<string, any>, rest: string[] }} Placed */

/** @param {string} text @param {import('./schema.js').Field[]} fields @param {any} root @returns {Placed} */
export function placed(text, fields, root) {
  const names = headingNames(fields);
  /** @type {Placed} */
  const found = { content: {}, rest: [] };
  for (const { field, lines } of sections(text, names)) {
    const schema = fields.find(({ name }) => name === field)?.schema;
    const value = schema ? valueOf(field, lines, schema, root) : undefined;
    if (value === undefined || own(found.content, field) !== undefined) found.rest.push(...lines);
    else found.content[field] = value;
  }
  found.rest = found.rest.filter((line) => line.trim() !== '');
  return found;
}

/** The field of each heading. @param {import('./schema.js').Field[]} fields @returns {Map<string, string>} */
function headingNames(fields) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const { name, label } of fields.filter((field) => field.known)) {
    const words = own(HEADINGS, name)?.split('|') ?? [];
    [...words, label.toLowerCase()].forEach((heading) => names.set(heading, name));
  }
  return names;
}

/** The lines below each heading. The first line is the title where no heading comes before it.
 * @param {string} text @param {Map<string, string>} names */
function sections(text, names) {
  /** @type {{ field: string, lines: string[] }[]} */
  const all = [];
  for (const line of text.replaceAll('\r', '').split('\n')) {
    const heading = headingOf(line, names);
    if (heading) all.push({ field: heading.field, lines: heading.rest ? [heading.rest] : [] });
    else if (all.length > 0 && UNKNOWN_HEADING.test(line)) all.push({ field: '', lines: [line] });
    else if (all.length > 0) all.at(-1)?.lines.push(line);
    else if (line.trim() !== '')
      all.push({ field: 'title', lines: [line.replace(/^#+\s*/, '').trim()] }, { field: '', lines: [] });
  }
  return all;
}

/** @param {string} line @param {Map<string, string>} names @returns {{ field: string, rest: string } | null} */
function headingOf(line, names) {
  const plain = line.replace(/^[\s#*_]+|[\s*_]+$/g, '');
  const [, words = '', , rest = ''] = /^([^:]{1,60}?)(\s*:\s*|$)(.*)$/.exec(plain) ?? [];
  if (words.length > MAX_HEADING) return null;
  const field = names.get(
    words
      .replace(/[*_]+$/, '')
      .trim()
      .toLowerCase(),
  );
  return field ? { field, rest: rest.replace(/^[*_\s]+/, '') } : null;
}

/** @param {string} field @param {string[]} lines @param {any} schema @param {any} root */
function valueOf(field, lines, schema, root) {
  const text = lines.join('\n').trim();
  if (text === '') return undefined;
  switch (kind(schema, undefined)) {
    case 'list':
      return listEntries(lines, resolved(schema.items, root));
    case 'number':
      return minutesOf(field, text);
    case 'text':
      return textOf(field, text, schema);
    default:
      return undefined;
  }
}

/** A grade loses its word, and becomes a number where the schema has numbers. @param {string} field @param {string} text @param {any} schema */
function textOf(field, text, schema) {
  const plain = field === 'grade' ? text.replace(/^grades?\s+/i, '') : text;
  return (types(schema).includes('integer') ? number(plain) : undefined) ?? plain;
}

/** @param {string} field @param {string} text */
function minutesOf(field, text) {
  const [, number, unit] = /^(\d{1,3})\s*(minutes?|mins?|hours?|h|)\.?$/i.exec(text) ?? [];
  if (!number) return undefined;
  const hours = /^h/i.test(unit ?? '');
  if (hours && field !== 'durationMinutes') return undefined;
  return Number(number) * (hours ? 60 : 1);
}

/** @param {string[]} lines @param {any} schema of an entry */
export function listEntries(lines, schema) {
  return entries(lines).map((entry) => element(entry, schema));
}

/** Entries of a list: a line each, or, where there are bullets, a bullet each. @param {string[]} lines */
function entries(lines) {
  const bulleted = lines.some((line) => BULLET.test(line));
  /** @type {string[]} */
  const all = [];
  for (const line of lines) {
    const text = line.replace(BULLET, '').trim();
    if (text === '') continue;
    if (bulleted && !BULLET.test(line) && all.length > 0) all[all.length - 1] += ` ${text}`;
    else all.push(text);
  }
  return all;
}

/** @param {string} entry @param {any} schema */
function element(entry, schema) {
  const has = (/** @type {string} */ name) => Object.hasOwn(schema.properties ?? {}, name);
  if (!isObject(schema.properties)) return entry;
  if (has('text') && has('minutes')) {
    const minutes = MINUTES.exec(entry);
    return minutes ? { text: entry.slice(0, minutes.index).trim(), minutes: Number(minutes[1]) } : { text: entry };
  }
  if (has('name') && has('quantity')) {
    const [, quantity, unit, name] = AMOUNT.exec(entry) ?? [];
    return name ? { name, quantity: Number(quantity), ...(unit && has('unit') ? { unit } : {}) } : { name: entry };
  }
  if (has('term') && has('definition')) {
    const [term = '', ...definition] = entry.split(/\s*[:–—]\s*|\s-\s/);
    return { term, definition: definition.join(' – ') };
  }
  const [first = 'text'] = schema.required ?? Object.keys(schema.properties);
  return { [first]: entry };
}
