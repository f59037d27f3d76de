// @ts-check
// Dotted paths, as in findings and histories: `steps.2.text`. A dot in a step is escaped.

/** Splits a dotted path: `steps.2.text` becomes `['steps', '2', 'text']`. @param {string} path @returns {string[]} */
export function steps(path) {
  return (path.match(/(?:\\.|[^.\\])+/g) ?? []).map((step) => step.replaceAll(/\\(.)/g, '$1'));
}

/**
 * Adds a step to a dotted path. Dots in the step are escaped, as in the paths of findings and histories.
 * @param {string} path @param {string | number} step
 */
export function below(path, step) {
  return `${path}.${escaped(step)}`;
}

/** Returns a step as it stands in a path. @param {string | number} step */
export function escaped(step) {
  return String(step).replace(/[\\.]/g, '\\$&');
}
