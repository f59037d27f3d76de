// @ts-check
// Splits the plain text of a lesson into parts by its headings, and puts the parts into fields. Nothing is added.
// Text that fits no field is returned separately.

import { BULLET, amountIn, continues, isTimed } from './entry_text.js';
import { numberIn, valueOf } from './lesson_values.js';
import { kind, own, types } from './schema.js';

/** Headings that people use, by field. The labels of the form are headings as well. @type {Record<string, string>} */
const HEADINGS = {
  materials:
    'materials|material|materials needed|supplies|equipment|what you need|what we need|you need|we need|' +
    'you will need|resources|shopping list',
  steps:
    'steps|procedure|instructions|method|directions|what to do|what we do|what you do|how to do it|how it works|' +
    'activity|activities|lesson plan|course of the lesson|sequence',
  variables: 'variables|fair test|keep it fair',
  safety:
    'safety|safety rules|safety notes|caution|warning|warnings|watch out|be careful|take care|attention|' +
    'keep safe|stay safe|staying safe',
  objectives:
    'objectives|learning objectives|goals|learning goals|aims|learning outcomes|what pupils learn|pupils will learn|' +
    'what they learn|pupils can',
  drivingQuestion:
    'driving question|guiding question|essential question|focus question|key question|our question|main question|' +
    'big question|question|research question',
  hypothesis: 'hypothesis|prediction|our prediction|my prediction|what we expect|our guess',
  phenomenon: 'phenomenon|hook|starter|introduction',
  assessment:
    'assessment|evaluation|check for understanding|how i grade it|how i grade|grading|how i mark it|marking|' +
    'how i check it|exit ticket|how will i know|how will i know they got it|how will we know',
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
/** Matches “Duration 80 min” and “Groups of 3”. */
const COUNTED = /^(\D+?)\s+(\d.*)$/;
/** Matches what a heading may add without saying more than the field does. */
const PER_GROUP = /\s+\(?(?:per|for (?:each|a)) group\)?$/;
/** Matches “2. Stir.” */
const NUMBERED = /^\s*\(?(?:step\s+)?(\d{1,2})\s*[.):]\s/i;
/** A line that divides a text. People can write it, and “Split here” does. */
export const DIVIDER = '---';
const DIVIDES = /^\s*-{3,}\s*$/;
/** Maximum length of a heading. */
const MAX_HEADING = 60;
/** Minimum length of a line that may continue in the next line. */
const MIN_WRAPPED = 55;

/**
 * A part of a text: its heading as it was written, and the lines below it. `isInline` is true if the first line was
 * next to the heading. `value` is set if the assistant returned a value instead of lines to read.
 * @typedef {{ field: string, heading: string, lines: string[], isInline: boolean, value?: any }} Part
 * `values` has the value of each part, or undefined if the part is not placed.
 * @typedef {{ content: Record<string, any>, rest: string[], values: any[] }} Placed
 */

/** @param {string} text @param {import('./schema.js').Field[]} fields @returns {Part[]} */
export function partsOf(text, fields) {
  const names = headingNames(fields);
  const lines = text.replaceAll('\r', '').split('\n');
  const isSingle = (/** @type {string} */ name) => fields.some((field) => field.name === name && holdsOneLine(field));
  /** @type {Part[]} */
  const all = [];
  let isList = false;
  /** The field and the number of the last numbered line in a field. */
  let numbered = { field: '', number: 0 };
  lines.forEach((line, at) => {
    const last = all.at(-1);
    const number = Number(NUMBERED.exec(line)?.[1] ?? 0);
    const before = lines[at - 1] ?? '';
    const found = headingOf(line, names, fields) ?? (last ? unknownHeading(lines, at, last) : null);
    const isFull = last?.lines.some((line) => line.trim() !== '') && isSingle(last.field);
    const ends = isFull || (isList && !BULLET.test(line) && !continues(line, before));
    if (found) all.push(...partsFrom(line, found));
    else if (DIVIDES.test(line)) {
      if (last) all.push({ ...UNKNOWN, lines: [] });
      numbered.number = 0;
    } else if (!last && line.trim() !== '') {
      // The first line is the title if no heading comes before it.
      all.push({ ...UNKNOWN, field: 'title', lines: [line.replace(/^#+\s*/, '').trim()] });
    } else if (last?.field === '' && number > 1 && number === numbered.number + 1) {
      // A list goes on after a line that does not belong to it.
      all.push({ ...UNKNOWN, field: numbered.field, lines: [line] });
    } else if (ends && line.trim() !== '') all.push({ ...UNKNOWN, lines: [line] });
    else last?.lines.push(line);
    if (number > 0 && all.at(-1)?.field) numbered = { field: all.at(-1)?.field ?? '', number };
    isList = BULLET.test(line) || (isList && all.at(-1) === last);
  });
  return all.flatMap((part) => partsBelow(part, fields));
}

/** @type {Part} */
const UNKNOWN = { field: '', heading: '', lines: [], isInline: false };

/** Returns true for a title, a grade and a number. @param {import('./schema.js').Field} field */
const holdsOneLine = ({ name, schema }) =>
  name === 'title' || types(schema).some((type) => type === 'integer' || type === 'number');

/** Returns the number of a field in a text. @param {string} name @param {string} text
 * @param {import('./schema.js').Field[]} fields */
function numberBy(name, text, fields) {
  const schema = fields.find((field) => field.name === name)?.schema ?? {};
  return kind(schema, undefined) === 'number' ? numberIn(name, text, schema) : null;
}

/** @typedef {{ field: string, rest: string, more?: boolean }} Heading `more` if it says more than its field does */

/**
 * Returns the part that a heading begins, after the heading if it says more.
 * @param {string} line @param {Heading} heading @returns {Part[]}
 */
function partsFrom(line, { field, rest, more }) {
  const part = { field, heading: line.trim(), lines: rest ? [rest] : [], isInline: rest !== '' };
  return more
    ? [
        { ...UNKNOWN, lines: [line] },
        { ...part, heading: '' },
      ]
    : [part];
}

/**
 * Returns a part, or its heading and the lines below it as two parts, so that no word is lost if the lines are placed
 * by a guess or are missing.
 * @param {Part} part @param {import('./schema.js').Field[]} fields @returns {Part[]}
 */
function partsBelow(part, fields) {
  const { heading, lines } = part;
  const isBlank = lines.every((line) => line.trim() === '');
  if (isBlank) return heading ? [{ ...part, field: '' }] : [];
  const field = part.field || guessed(lines, fields);
  const leaves = !part.field || numberBy(field, lines.join('\n'), fields)?.rest;
  return field && leaves && heading
    ? [
        { ...UNKNOWN, lines: [heading] },
        { ...part, field, heading: '' },
      ]
    : [{ ...part, field }];
}

/** Returns the lines of a part as they were written. @param {Part} part */
export function source({ heading, lines, isInline }) {
  const all = heading ? [heading, ...lines.slice(isInline ? 1 : 0)] : lines;
  return all.filter((line) => line.trim() !== '');
}

/** @param {Part[]} parts @param {import('./schema.js').Field[]} fields @param {any} root @returns {Placed} */
export function placed(parts, fields, root) {
  /** @type {Placed} */
  const found = { content: {}, rest: [], values: [] };
  for (const part of parts) {
    const value = valueIn(part, fields, root);
    const all = joined(own(found.content, part.field), value, part.field);
    if (all === undefined) found.rest.push(...source(part));
    else found.content[part.field] = all;
    found.values.push(all === undefined ? undefined : value);
  }
  return found;
}

/** @param {Part} part @param {import('./schema.js').Field[]} fields @param {any} root */
function valueIn({ field, lines, value }, fields, root) {
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

/**
 * @param {string} line @param {Map<string, string>} names @param {import('./schema.js').Field[]} fields
 * @returns {Heading | null}
 */
function headingOf(line, names, fields) {
  const plain = line.replace(/^[\s#*_]+|[\s*_]+$/g, '');
  const [, year] = CLASS.exec(plain) ?? [];
  if (year && names.get('grade') === 'grade') return { field: 'grade', rest: year };
  const [, what = '', count = ''] = COUNTED.exec(plain) ?? [];
  const counted = names.get(what.toLowerCase()) ?? '';
  if (numberBy(counted, count, fields)?.rest === '') return { field: counted, rest: count };
  const [, words = '', colon = '', rest = ''] = /^([^:]{1,60}?)(\s*:\s*|$)(.*)$/.exec(plain) ?? [];
  if (words.length > MAX_HEADING) return null;
  const heading = words
    .replace(/[*_!?]+$/, '')
    .trim()
    .toLowerCase()
    .replace(PER_GROUP, '');
  const known = names.get(heading);
  const field = known ?? longer(heading, names, colon !== '');
  return field ? { field, rest: rest.replace(/^[*_\s]+/, ''), more: !known } : null;
}

/**
 * Returns the field of a known heading with a few more words, such as “What you need from home”.
 * @param {string} heading @param {Map<string, string>} names @param {boolean} isMarked whether a colon follows
 */
function longer(heading, names, isMarked) {
  const words = heading.split(/\s+/);
  if (words.length > 6 || /[.,;]$/.test(heading)) return undefined;
  for (let count = words.length - 1; count > 0; count -= 1) {
    const field = names.get(words.slice(0, count).join(' '));
    if (field && (isMarked || words[count]?.startsWith('(') || (count > 1 && field !== 'groupSize'))) return field;
  }
  return undefined;
}

/**
 * Returns a part without a field if a line begins a new part, although its words are not a known heading.
 * @param {string[]} lines @param {number} at @param {Part} last the part of the lines before
 */
function unknownHeading(lines, at, last) {
  const [before = '', line = ''] = [lines[at - 1], lines[at]];
  const none = { field: '', rest: '' };
  if (MARKED.test(line)) return none;
  if (/^\s/.test(line) || BULLET.test(line) || line.trim() === '') return null;
  const follows = before.trim() === '' && (!last.heading || last.lines.some((line) => line.trim() !== ''));
  if (NAMED.test(line) && follows) return { field: '', rest: line.replace(/^[^:]*:\s*/, '') };
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
  if (has('steps') && most((line) => /^\s*\(?\d/.test(line) && BULLET.test(line) && isTimed(line))) return 'steps';
  return has('materials') && most((line) => amountIn(line.replace(BULLET, '').trim())?.unit) ? 'materials' : '';
}
