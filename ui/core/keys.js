// @ts-check
// Which keys mean undo, redo and print, and which Enter ends a line.

/**
 * Returns the letter of a key on any keyboard: what is printed on it, or for keys without Latin letters, such as those
 * of a Greek keyboard, what is printed at this place of an English one.
 * @param {KeyboardEvent} event
 */
function letterOf({ key, code }) {
  return (/\p{Script=Latin}/u.test(key) ? key : code.replace(/^Key/, '')).toLowerCase();
}

/**
 * Returns what keys mean: Control + Z is undo, Control + Y and Control + Shift + Z are redo, and so with Alt.
 * @param {KeyboardEvent} event @returns {'undo' | 'redo' | null}
 */
export function stepOf(event) {
  // The right Alt key, which keyboards report as Control + Alt, writes letters such as “ż”.
  if (!(event.ctrlKey || event.metaKey) || event.getModifierState('AltGraph')) return null;
  const letter = letterOf(event);
  if (letter === 'z') return event.shiftKey ? 'redo' : 'undo';
  return letter === 'y' && !event.shiftKey ? 'redo' : null;
}

/** Returns true if keys mean to print: Control + P. @param {KeyboardEvent} event */
export function isPrint(event) {
  const isPlain = !event.shiftKey && !event.altKey;
  return (event.ctrlKey || event.metaKey) && isPlain && letterOf(event) === 'p';
}

/**
 * Returns true if Enter ends a line. While Japanese or Chinese is written, it confirms a word, which Safari reports by
 * the code 229 alone.
 * @param {KeyboardEvent} event
 */
export function endsLine({ key, shiftKey, isComposing, keyCode }) {
  return key === 'Enter' && !shiftKey && !isComposing && keyCode !== 229;
}
