// @ts-check
// Converts pasted lines, or the cells of a spreadsheet, to rows of a list.

import { listEntries } from './entry_text.js';
import { kind, label, number, own, resolved } from './schema.js';

/**
 * @param {string} text @param {any} schema of an entry @param {any} root
 * @returns {any[]} empty if one line without tabs was pasted
 */
export function pastedRows(text, schema, root) {
  const lines = text
    .replaceAll('\r', '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const cells = lines.map((line) => line.split('\t'));
  const isTable = kind(schema, undefined) === 'object' && cells.some((row) => row.length > 1);
  if (isTable) return tableRows(cells, schema, root);
  return lines.length > 1
    ? listEntries(
        lines.map((line) => line.replaceAll('\t', ' ')),
        schema,
      )
    : [];
}

/**
 * Converts cells to list entries. The columns have the order of the schema. A first row of labels is left out.
 * @param {string[][]} cells @param {any} schema @param {any} root
 */
function tableRows(cells, schema, root) {
  const columns = Object.keys(schema.properties ?? {});
  const part = (/** @type {string} */ name) => resolved(own(schema.properties, name), root);
  const isHead = (/** @type {string[]} */ row) =>
    row.every((cell, at) => {
      const name = columns[at] ?? '';
      return [name, label(name, part(name))].some((words) => words.toLowerCase() === cell.trim().toLowerCase());
    });
  const rows = cells[0] && isHead(cells[0]) ? cells.slice(1) : cells;
  return rows.map((row) =>
    Object.fromEntries(
      columns
        .map((name, at) => [name, cellValue((row[at] ?? '').trim(), part(name))])
        .filter(([, value]) => value !== undefined),
    ),
  );
}

/** @param {string} cell @param {any} schema */
function cellValue(cell, schema) {
  if (cell === '') return undefined;
  const types = [schema.type].flat();
  const isNumeric = types.includes('number') || types.includes('integer');
  return (isNumeric ? number(cell.replace(',', '.')) : undefined) ?? cell;
}
