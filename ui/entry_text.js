// @ts-check
// Converts lines, as people write them, to entries of lists, and entries to readable text.

import { isBlank, isObject } from './schema.js';

/** The beginning of a list entry: a bullet, a box or a number. */
export const BULLET = /^\s*(?:[-*•–◦▪☐□]|\(?\d{1,2}[.):]|step\s+\d{1,2}\s*[:.)-]?)\s+/i;
export const MINUTES = /\s*[([–-]?\s*\b(\d{1,3})\s*(?:min|mins|minutes?)\b\.?\s*[)\]]?\s*$/i;

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
/** Matches “2 x 45 minutes”. */
const LESSONS = /^(\d)\s*(?:x|×|lessons? of|periods? of)\s*(\d{1,3})\s*(?:minutes?|mins?)?\.?$/i;
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
 * @param {string} text @returns {{ name: string, quantity: number | string, unit?: string, isSure: boolean } | null}
 * `isSure` is true if a unit or a sign shows that the number is an amount
 */
export function amountIn(text) {
  const times = TIMES.exec(text);
  if (times?.[2]) return { name: times[2], quantity: quantityOf(times[1] ?? ''), isSure: true };
  const [, before, , unit, name] = AMOUNT.exec(text) ?? [];
  if (before && name) return { name, quantity: quantityOf(before), ...(unit ? { unit } : {}), isSure: Boolean(unit) };
  const [, first, after, last] = TAIL.exec(text) ?? [];
  return first && after && last ? { name: first, quantity: quantityOf(after), unit: last, isSure: true } : null;
}

/**
 * Splits a name such as “250 g clay” into its parts. Returns null if the name has no clear amount, or if the entry
 * already has a quantity or a unit.
 * @param {any} entry @param {any} schema of an entry @returns {Record<string, any> | null}
 */
export function withAmount(entry, schema) {
  const has = (/** @type {string} */ part) => Object.hasOwn(schema.properties ?? {}, part);
  if (!['name', 'quantity', 'unit'].every(has) || typeof entry?.name !== 'string') return null;
  const found = isBlank(entry.quantity) && isBlank(entry.unit) ? amountIn(entry.name.trim()) : null;
  if (!found?.isSure) return null;
  const { isSure, ...parts } = found;
  return { ...entry, ...parts };
}

/** @param {string} text @returns {number | undefined} “45 min”, “2 x 45 minutes” or “1.5 h” in minutes */
export function minutesIn(text) {
  const [, times, each] = LESSONS.exec(text.trim()) ?? [];
  if (times) return Number(times) * Number(each);
  const [, number, unit = ''] = /^(\d{1,3}(?:[.,]\d+)?)\s*(minutes?|mins?|hours?|h|)\.?$/i.exec(text.trim()) ?? [];
  return number ? Number(number.replace(',', '.')) * (/^h/i.test(unit) ? 60 : 1) : undefined;
}

/** @param {string[]} lines @param {any} schema of an entry */
export function listEntries(lines, schema) {
  return apart(entries(lines), schema)
    .map((entry) => entry.replace(/[\s,;]+$/, ''))
    .filter(Boolean)
    .map((entry) => element(entry, schema));
}

/**
 * Returns the entries of a list: one for each bullet, or for each line if there are no bullets.
 * @param {string[]} lines
 */
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
    const minutes = MINUTES.exec(entry);
    return minutes ? { text: entry.slice(0, minutes.index).trim(), minutes: Number(minutes[1]) } : { text: entry };
  }
  if (has('name') && has('quantity')) {
    const found = amountIn(entry);
    if (!found) return { name: entry };
    const { name, quantity, unit } = found;
    return { name, quantity, ...(unit && has('unit') ? { unit } : {}) };
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
