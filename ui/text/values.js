// @ts-check
// JSON values: members, dotted paths, equality, and patches from one value to another.

/**
 * Returns a member of an object or a list. Inherited names such as `toString` and `__proto__` count as missing.
 * @param {any} of @param {string | number} name @returns {any}
 */
export function own(of, name) {
  return of !== undefined && of !== null && Object.hasOwn(of, name) ? of[name] : undefined;
}

/** @param {any} value */
export function isNumber(value) {
  return typeof value === 'number' || Boolean(/** @type {any} */ (JSON).isRawJSON?.(value));
}

/** @param {any} value */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value);
}

/** Parses a number. Large integers keep their digits. @param {string} text @returns {any} undefined for other text */
export function number(text) {
  const trimmed = text.trim();
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed)) return undefined;
  const raw = /** @type {any} */ (JSON).rawJSON;
  return raw && /^-?\d+$/.test(trimmed) && !Number.isSafeInteger(Number(trimmed)) ? raw(trimmed) : Number(trimmed);
}

/** @param {any} one @param {any} other */
export function same(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Returns true for a missing value, white space, and a list or object without any other value. @param {any} value */
export function isBlank(value) {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.every(isBlank);
  return isObject(value) && Object.values(value).every(isBlank);
}

/**
 * Returns the merge patch (RFC 7396) that converts `before` to `after`.
 * @param {any} before @param {any} after @returns {any}
 */
export function mergePatch(before, after) {
  if (!isObject(after)) return after === undefined ? null : after;
  const known = isObject(before) ? before : {};
  const gone = Object.keys(known)
    .filter((name) => own(after, name) === undefined)
    .map((name) => [name, null]);
  const changed = Object.entries(after).filter(
    ([name, value]) => value !== undefined && !same(own(known, name), value),
  );
  // The object is created from entries, because an assignment to `__proto__` would not create a member.
  return Object.fromEntries([...gone, ...changed.map(([name, value]) => [name, mergePatch(own(known, name), value)])]);
}

/** Splits a dotted path: `steps.2.text` becomes `['steps', '2', 'text']`. @param {string} path @returns {string[]} */
export function steps(path) {
  return (path.match(/(?:\\.|[^.\\])+/g) ?? []).map((step) => step.replaceAll(/\\(.)/g, '$1'));
}

/** Returns true for the path of a field, or of a value inside of it. @param {string} path @param {string} field */
export function isIn(path, field) {
  return steps(path)[0] === field;
}

/**
 * Adds a step to a dotted path. Dots in the step are escaped, as in the paths of findings and histories.
 * @param {string} path @param {string | number} step
 */
export function below(path, step) {
  return `${path}.${escaped(step)}`;
}

/** Returns the dotted path of steps. @param {(string | number)[]} all */
export const dotted = (all) => all.map(escaped).join('.');

/** Returns a step, escaped for a path. @param {string | number} step */
export function escaped(step) {
  return String(step).replace(/[\\.]/g, '\\$&');
}
