// @ts-check
// Groups the versions of a history into sessions: what one person changed without a long break.

/** Maximum break between two changes of one session. */
const BREAK_MS = 30 * 60_000;

/**
 * Groups neighboring changes by one person without a long break. A named version is a group of its own.
 * @param {any[]} records newest first @returns {any[][]}
 */
export function sessions(records) {
  const all = /** @type {any[][]} */ ([]);
  for (const record of records) {
    const newer = all.at(-1)?.at(-1);
    const joins =
      newer &&
      [record, newer].every(({ kind, withAI, undone, name }) => kind === 'update' && !withAI && !undone && !name) &&
      record.by === newer.by &&
      Date.parse(newer.at) - Date.parse(record.at) < BREAK_MS;
    if (joins) all.at(-1)?.push(record);
    else all.push([record]);
  }
  return all;
}
