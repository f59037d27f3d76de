// @ts-check
// Splits the plain text of a lesson into parts by its headings, and puts the parts into fields. Nothing is added.
// Text that fits no field is returned separately.

import { BULLET, MINUTES, amountIn, listEntries, minutesIn } from './entry_text.js';
import { kind, number, own, resolved, types } from './schema.js';

/** Headings that people use, by field. The labels of the form are headings as well. @type {Record<string, string>} */
const HEADINGS = {
  materials:
    'materials|material|materials needed|supplies|equipment|what you need|what we need|you need|we need|' +
    'you will need|resources|shopping list',
  steps:
    'steps|procedure|instructions|method|directions|what to do|what we do|what you do|how to do it|how it works|' +
    'activity|activities|lesson plan|course of the lesson|sequence',
  safety: 'safety|safety rules|safety notes|caution|warning|warnings|watch out|be careful|take care|attention',
  objectives:
    'objectives|learning objectives|goals|learning goals|aims|learning outcomes|what pupils learn|pupils will learn|' +
    'what they learn|pupils can',
  drivingQuestion:
    'driving question|guiding question|essential question|focus question|key question|our question|main question|' +
    'big question|question|research question',
  hypothesis: 'hypothesis|prediction|what we expect|our guess',
  phenomenon: 'phenomenon|hook|starter|introduction',
  assessment:
    'assessment|evaluation|check for understanding|how i grade it|how i grade|grading|how i mark it|marking|' +
    'how i check it|exit ticket',
  vocabulary: 'vocabulary|key words|keywords|key terms|new words|words|words to learn|glossary',
  durationMinutes: 'duration|time|lesson length|length|time needed|how long',
  grade: 'grade|grade level|grades|year|year group|class|form',
  groupSize: 'group size|groups|groups of',
  curriculum: 'curriculum|standard|standards',
  title: 'title|lesson title|topic',
};
/** Matches a line that is marked as a heading, whatever its words are. */
const MARKED = /^\s*(#+\s|\*\*[^*]+\*\*:?\s*$|[\p{L} ]{1,40}:\s*$)/u;
/** Matches “For next time: bring a jar.” */
const NAMED = /^\p{Lu}[^:.!?]{1,40}:\s+\S/u;
/** Matches “Class 6c”. */
const CLASS = /^(?:class|grade|year)\s+(\w{1,3}|\d{1,2}\s?[-–]\s?\d{1,2})$/i;
/** Maximum length of a heading. */
const MAX_HEADING = 60;
/** Minimum length of a line that may continue in the next line. */
const MIN_WRAPPED = 55;

/**
 * A part of a text: its heading as it was written, and the lines below it. `isInline` is true if the first line was
 * next to the heading. `value` is set if the assistant returned a value instead of lines to read.
 * @typedef {{ field: string, heading: string, lines: string[], isInline: boolean, value?: any }} Part
 * @typedef {{ content: Record<string, any>, rest: string[] }} Placed
 */

/** @param {string} text @param {import('./schema.js').Field[]} fields @returns {Part[]} */
export function partsOf(text, fields) {
  const names = headingNames(fields);
  const lines = text.replaceAll('\r', '').split('\n');
  /** @type {Part[]} */
  const all = [];
  lines.forEach((line, at) => {
    const found = headingOf(line, names) ?? (all.length > 0 ? unknownHeading(lines, at, all.at(-1)?.field) : null);
    if (found) {
      const { field, rest } = found;
      all.push({ field, heading: line.trim(), lines: rest ? [rest] : [], isInline: rest !== '' });
    } else if (all.length > 0) all.at(-1)?.lines.push(line);
    else if (line.trim() !== '') {
      // The first line is the title if no heading comes before it.
      const title = line.replace(/^#+\s*/, '').trim();
      all.push({ field: 'title', heading: '', lines: [title], isInline: false });
      all.push({ field: '', heading: '', lines: [], isInline: false });
    }
  });
  return all
    .map((part) => (part.field ? part : { ...part, field: guessed(part.lines, fields) }))
    .filter((part) => (part.heading && !part.field) || part.lines.some((line) => line.trim() !== ''));
}

/** Returns the lines of a part as they were written. @param {Part} part */
export function source({ heading, lines, isInline }) {
  const all = heading ? [heading, ...lines.slice(isInline ? 1 : 0)] : lines;
  return all.filter((line) => line.trim() !== '');
}

/** @param {Part[]} parts @param {import('./schema.js').Field[]} fields @param {any} root @returns {Placed} */
export function placed(parts, fields, root) {
  /** @type {Placed} */
  const found = { content: {}, rest: [] };
  for (const part of parts) {
    const value = joined(own(found.content, part.field), valueIn(part, fields, root), part.field);
    if (value === undefined) found.rest.push(...source(part));
    else found.content[part.field] = value;
  }
  return found;
}

/**
 * Returns the value of a part for its field, or undefined if the field cannot hold it.
 * @param {Part} part @param {import('./schema.js').Field[]} fields @param {any} root
 */
export function valueIn({ field, lines, value }, fields, root) {
  if (value !== undefined) return value;
  const schema = fields.find(({ name }) => name === field)?.schema;
  return schema ? valueOf(field, lines, schema, root) : undefined;
}

/**
 * Joins the values of two parts of one field. Returns undefined if this is not possible.
 * @param {any} before @param {any} value @param {string} field
 */
function joined(before, value, field) {
  if (before === undefined || value === undefined) return value;
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  const areTexts = typeof before === 'string' && typeof value === 'string';
  return areTexts && !['title', 'grade'].includes(field) ? `${before}\n\n${value}` : undefined;
}

/** Returns the field by heading. @param {import('./schema.js').Field[]} fields @returns {Map<string, string>} */
function headingNames(fields) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const { name, label } of fields.filter((field) => field.known)) {
    const words = own(HEADINGS, name)?.split('|') ?? [];
    [...words, label.toLowerCase()].forEach((heading) => names.set(heading, name));
  }
  return names;
}

/** @param {string} line @param {Map<string, string>} names @returns {{ field: string, rest: string } | null} */
function headingOf(line, names) {
  const plain = line.replace(/^[\s#*_]+|[\s*_]+$/g, '');
  const [, year] = CLASS.exec(plain) ?? [];
  if (year && names.get('grade') === 'grade') return { field: 'grade', rest: year };
  const [, words = '', colon = '', rest = ''] = /^([^:]{1,60}?)(\s*:\s*|$)(.*)$/.exec(plain) ?? [];
  if (words.length > MAX_HEADING) return null;
  const heading = words
    .replace(/[*_!?]+$/, '')
    .trim()
    .toLowerCase();
  const field = names.get(heading) ?? longer(heading, names, colon !== '');
  return field ? { field, rest: rest.replace(/^[*_\s]+/, '') } : null;
}

/**
 * Returns the field of a known heading with a few more words, such as “What you need per group”.
 * @param {string} heading @param {Map<string, string>} names @param {boolean} isMarked whether a colon follows
 */
function longer(heading, names, isMarked) {
  const words = heading.split(/\s+/);
  if (words.length > 6 || /[.,;]$/.test(heading)) return undefined;
  for (let count = words.length - 1; count > 0; count -= 1) {
    const field = names.get(words.slice(0, count).join(' '));
    if (field && (count > 1 || isMarked || words[count]?.startsWith('('))) return field;
  }
  return undefined;
}

/**
 * Returns a part without a field if a line begins a new part, although its words are not a known heading.
 * @param {string[]} lines @param {number} at @param {string | undefined} field the field of the lines before
 */
function unknownHeading(lines, at, field) {
  const [before = '', line = ''] = [lines[at - 1], lines[at]];
  const none = { field: '', rest: '' };
  if (MARKED.test(line)) return none;
  if (/^\s/.test(line) || BULLET.test(line) || line.trim() === '') return null;
  const follows = before.trim() === '';
  if (NAMED.test(line) && (follows || (BULLET.test(before) && field !== 'vocabulary')))
    return { field: '', rest: line.replace(/^[^:]*:\s*/, '') };
  const isShort = line.length <= MAX_HEADING && line.trim().split(/\s+/).length <= 8;
  if (!isShort || !/^\p{Lu}/u.test(line) || /[.,;]\s*$/.test(line)) return null;
  let below = at + 1;
  while (lines[below]?.trim() === '') below += 1;
  const next = lines[below] ?? '';
  const mayBegin = follows || before.length < MIN_WRAPPED;
  if (mayBegin && BULLET.test(next)) return none;
  // A few words above a sentence are a heading.
  return follows && below === at + 1 && line.split(/\s+/).length <= 5 && /\S\s+\S+\s+\S+.*[.!?]\s*$/.test(next)
    ? none
    : null;
}

/**
 * Guesses from the form of lines whether they are `steps` or `materials`. Otherwise returns ''.
 * @param {string[]} lines @param {import('./schema.js').Field[]} fields
 */
function guessed(lines, fields) {
  const full = lines.filter((line) => line.trim() !== '');
  const has = (/** @type {string} */ name) => fields.some((field) => field.known && field.name === name);
  const most = (/** @type {(line: string) => any} */ test) =>
    full.length > 1 && full.filter(test).length * 2 > full.length;
  if (has('steps') && most((line) => /^\s*\(?\d/.test(line) && BULLET.test(line) && MINUTES.test(line))) return 'steps';
  return has('materials') && most((line) => amountIn(line.replace(BULLET, '').trim())?.isSure) ? 'materials' : '';
}

/** @param {string} field @param {string[]} lines @param {any} schema @param {any} root */
function valueOf(field, lines, schema, root) {
  const text = lines.join('\n').trim();
  if (text === '') return undefined;
  switch (kind(schema, undefined)) {
    case 'list':
      return listEntries(lines, resolved(schema.items, root));
    case 'number':
      return numberOf(field, text);
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

/** @param {string} field @param {string} text */
function numberOf(field, text) {
  if (field === 'durationMinutes') return minutesIn(text);
  return /^\d{1,3}\.?$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
