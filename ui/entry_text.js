// @ts-check
// Converts lines, as people write them, to entries of lists, and entries to readable text.

import { isBlank, isObject } from './schema.js';

/** The beginning of a list entry: a bullet, a box or a number. */
export const BULLET = /^\s*(?:[-*•–◦▪☐□]|\(?\d{1,2}[.):]|step\s+\d{1,2}\s*[:.)-]?)\s+/i;

const LESSONS = '(?:(\\d)\\s*(?:x|×|lessons? of|periods? of)\\s*)?';
const SHORT_NUMBER = '(\\d{1,3}(?:[.,]\\d+)?)';
const BESIDE = '(?:\\s*(?:and\\s+)?(\\d{1,2})(?:\\s*(?:minutes?|mins?))?(?!\\w))?';
const HOURS = `${SHORT_NUMBER}\\s*(?:hours?|hrs?|h)(?![a-z])\\.?${BESIDE}`;
const MINUTES = `${SHORT_NUMBER}\\s*(?:(?:minutes?|mins?)(?![a-z])\\.?|['’′])`;
/** Matches “45 min”, “10'”, “1h 20”, “1.5 hours” and “2 x 45 minutes”. */
const TIME = `(?<![\\d.,])${LESSONS}(?:${HOURS}|${MINUTES})`;
/** Matches a time at the end of a step: in brackets, after a dash, after a sentence, or written as 10'. */
const STEP_TIME = new RegExp(
  `(?:\\s*[([]|\\s+[–—-](?=\\s)|\\s*[:;,](?=\\s)|(?<=[.!?])(?=\\s)|\\s+(?=\\d+['’′]))\\s*${TIME}\\s*[)\\]]?\\.?\\s*$`,
  'i',
);
/** Returns true if a step ends with its time. @param {string} text */
export const isTimed = (text) => STEP_TIME.test(text);
/** Matches a number without a unit, such as “45” and “2 x 45”. */
const BARE = new RegExp(`^${LESSONS}${SHORT_NUMBER}\\.?$`, 'i');

const ABOUT = '(?:(?:about|around|approx\\.?|ca\\.?|up to|~)\\s*)?';
const FRACTION = '(?:\\d+\\s+)?\\d+\\s*/\\s*\\d+';
const DECIMAL = '\\d+(?:[.,]\\d+)?';
const NUMBER = `${ABOUT}(?:${FRACTION}|${DECIMAL}(?:\\s*(?:-|–|to)\\s*${DECIMAL})?|[½¼¾⅓⅔])`;
const UNIT =
  '(?:ml|cl|dl|l|mg|g|kg|mm|cm|m|tsp|tbsp|cups?|drops?|sheets?|lit(?:re|er)s?|grams?|pinch(?:es)?|bags?|pack(?:et)?s?)';
/** Matches “300 ml of water”, “3 × spoon” and “1/2 l milk”. */
const AMOUNT = new RegExp(`^(${NUMBER})\\s*(?:([x×])\\s+|×\\s*)?(?:(${UNIT})\\b\\.?)?\\s+(?:of\\s+)?(.+)$`, 'i');
const TIMES = new RegExp(`^(${NUMBER})\\s*(?:×|x(?=\\s))\\s*(.+)$`, 'i');
/** Matches “Milk, 200 ml”. */
const TAIL = new RegExp(`^(.+?)(?:\\s*[,:–]\\s*|\\s+[-(]\\s*|\\s*\\()(${NUMBER})\\s*(${UNIT})\\b\\.?\\)?$`, 'i');
/** Matches “sugar cubes (6)” and “stirring rods x 3”. */
const AFTER = new RegExp(`^(.*[^\\d\\s])(?:\\s*\\((?:[x×]\\s*)?(${NUMBER})\\)|(?:\\s*×|\\s+x)\\s*(${NUMBER}))$`, 'i');
/** The parts of an entry that can stand in its main part, as in “250 g clay” and “Sow. (5 min)”. */
const WITHIN = { text: ['minutes'], name: ['quantity', 'unit'], term: ['definition'] };
/** If a list has only one line, and at least this many commas, the commas separate its entries. */
const MIN_COMMAS = 2;
const MAX_NAME = 40;

/**
 * Converts “20” or “1.5” to a number. Other words, such as “1/2” and “about 20”, stay words.
 * @param {string} words
 */
function quantityOf(words) {
  const plain = words.trim().replace(/\s*\/\s*/, '/');
  // “1,500” means 1.5 in some countries and 1500 in others.
  if (/^\d{1,3},\d{3}$/.test(plain)) return plain;
  return /^\d+([.,]\d+)?$/.test(plain) ? Number(plain.replace(',', '.')) : plain;
}

/**
 * Returns the material and the amount in a text.
 * @param {string} text @returns {{ name: string, quantity: number | string, unit?: string } | null}
 */
export function amountIn(text) {
  const [, times, counted] = TIMES.exec(text) ?? [];
  if (times && counted) return { name: counted, quantity: quantityOf(times) };
  const [, before, , unit, name] = AMOUNT.exec(text) ?? [];
  if (before && name) return { name, quantity: quantityOf(before), ...(unit ? { unit } : {}) };
  const [, first, after, last] = TAIL.exec(text) ?? [];
  if (first && after && last) return { name: first, quantity: quantityOf(after), unit: last };
  const [, thing, inBrackets, behind] = AFTER.exec(text) ?? [];
  return thing ? { name: thing, quantity: quantityOf(inBrackets ?? behind ?? '') } : null;
}

/**
 * Splits what was written into the main part of an entry, as pasted lines are split.
 * @param {any} entry @param {any} schema of an entry
 * @returns {Record<string, any> | null} null if nothing is to be split, or if the other parts are written already
 */
export function separated(entry, schema) {
  const [main, others] = Object.entries(WITHIN).find(([name]) => Object.hasOwn(schema.properties ?? {}, name)) ?? [];
  if (!main || !others || typeof entry?.[main] !== 'string' || !others.every((name) => isBlank(entry[name])))
    return null;
  const made = element(entry[main].trim(), schema);
  return others.some((name) => !isBlank(made[name])) ? { ...entry, ...made } : null;
}

/** @param {(string | undefined)[]} groups of `TIME` */
function minutesOf([times = '1', hours, beside = '0', minutes = '']) {
  const number = (/** @type {string} */ text) => Number(text.replace(',', '.'));
  return Number(times) * (hours ? Math.round(number(hours) * 60) + Number(beside) : number(minutes));
}

/**
 * Returns the only time in a text in minutes, such as “2 x 45 minutes” or “a double lesson (80 min)”, and the text
 * without it. A text that is just a number is a time, too.
 * @param {string} text @returns {{ number: number, rest: string } | null}
 */
export function timeIn(text) {
  const [, times, bare] = BARE.exec(text.trim()) ?? [];
  if (bare) return { number: minutesOf([times, undefined, undefined, bare]), rest: '' };
  const [all, ...groups] = new RegExp(TIME, 'i').exec(text) ?? [];
  const rest = all === undefined ? text : text.replace(all, ' ');
  return all === undefined || /\d/.test(rest) ? null : { number: minutesOf(groups), rest };
}

/** @param {string[]} lines @param {any} schema of an entry */
export function listEntries(lines, schema) {
  return apart(entries(lines), schema)
    .map((entry) => entry.replace(/[\s,;]+$/, ''))
    .filter(Boolean)
    .map((entry) => element(entry, schema));
}

/**
 * Returns true if a line without a bullet belongs to the list entry in the line before.
 * @param {string} line @param {string} before
 */
export function continues(line, before) {
  return before.trim() !== '' && (/^\s/.test(line) || !/^[\p{Lu}\p{Lo}]/u.test(line));
}

/**
 * Returns the entries of a list: one for each bullet, or for each line if there are no bullets.
 * @param {string[]} lines
 */
function entries(lines) {
  const bulleted = lines.some((line) => BULLET.test(line));
  /** @type {string[]} */
  const all = [];
  lines.forEach((line, at) => {
    const text = line.replace(BULLET, '').trim();
    const belongs = bulleted && all.length > 0 && !BULLET.test(line) && continues(line, lines[at - 1] ?? '');
    if (belongs) all[all.length - 1] += ` ${text}`;
    else if (text !== '') all.push(text);
  });
  return all;
}

/** Splits a single line of short names at its commas. @param {string[]} all @param {any} schema */
function apart(all, schema) {
  const [line = ''] = all;
  const names = line.split(/\s*,\s+/);
  const isNames = ['name', 'term'].some((part) => Object.hasOwn(schema.properties ?? {}, part));
  const isShort = names.every((name) => name.length <= MAX_NAME && !/[.:!?]/.test(name));
  return isNames && all.length === 1 && names.length > MIN_COMMAS && isShort ? names : all;
}

/** @param {string} entry @param {any} schema */
function element(entry, schema) {
  const has = (/** @type {string} */ name) => Object.hasOwn(schema.properties ?? {}, name);
  if (!isObject(schema.properties)) return entry;
  if (has('text') && has('minutes')) {
    const found = STEP_TIME.exec(entry);
    return found ? { text: entry.slice(0, found.index).trim(), minutes: minutesOf(found.slice(1)) } : { text: entry };
  }
  if (has('name') && has('quantity')) {
    const found = amountIn(entry);
    return !found || (found.unit && !has('unit')) ? { name: entry } : found;
  }
  if (has('term') && has('definition')) {
    const [term = '', ...definition] = entry.split(/\s*[:–—]\s*|\s-\s/);
    return { term, definition: definition.join(' – ') };
  }
  const [first = 'text'] = schema.required ?? Object.keys(schema.properties);
  return { [first]: entry };
}

/** Returns an amount such as “300 ml” or “2 ×”. @param {any} quantity @param {any} unit */
export function amount(quantity, unit) {
  if (isBlank(quantity)) return isBlank(unit) ? '' : String(unit);
  return isBlank(unit) ? `${wordOf(quantity)} ×` : `${wordOf(quantity)} ${unit}`;
}

/** @param {any} value */
const wordOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Returns an entry as people write it: “300 ml water · warm”, “Sow the seeds. (10 min)”, “germinate: begin to grow”.
 * @param {Record<string, any>} entry @returns {string | null} null if the entry has other parts
 */
export function spoken({ name, quantity, unit, notes, text, minutes, term, definition, ...rest }) {
  if (Object.keys(rest).length > 0 || [name, unit, notes, text, term, definition].some(isObject)) return null;
  const all = [
    [amount(quantity, unit), name].filter((part) => !isBlank(part)).join(' '),
    [text, !isBlank(minutes) && `(${wordOf(minutes)} min)`].filter((part) => part && !isBlank(part)).join(' '),
    [term, definition].filter((part) => !isBlank(part)).join(': '),
    notes,
  ];
  return all.filter((part) => !isBlank(part)).join(' · ');
}
