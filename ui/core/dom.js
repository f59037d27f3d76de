// @ts-check
// Creates elements. Text that people wrote always becomes a text node, never markup.

/**
 * Returns an element with attributes, listeners (`onclick`) and children.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children
 * @returns {any}
 */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * Returns an SVG element.
 * @param {string} tag @param {Record<string, any>} [props] @param {...any} children
 */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);
}

/** @param {Element} element @param {Record<string, any>} props @param {any[]} children */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') /** @type {any} */ (element).value = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** @param {any[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children
    .flat(9)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Returns an element with user text. The text determines its direction, left to right or right to left.
 * @param {any} words @param {string} [tag] @param {Record<string, any>} [props]
 */
export function said(words, tag = 'span', props = {}) {
  return el(tag, { dir: 'auto', ...props }, String(words));
}

/** @param {any} label text or an icon @param {(event: Event) => any} onclick @param {Record<string, any>} [props] */
export function button(label, onclick, props = {}) {
  return el('button', { type: 'button', onclick, ...props }, label);
}

/**
 * Returns a button that acts on `name`. Screen readers read the label and then `name`.
 * @param {string} name @param {string} label @param {(event: Event) => any} onclick
 * @param {Record<string, any>} [props]
 */
export function actOn(name, label, onclick, props = {}) {
  return button(label, onclick, { 'aria-label': `${label.replace(' …', '')} ${name}`, ...props });
}

/**
 * Returns a control after its label.
 * @param {string} words @param {HTMLElement} control @param {Record<string, any>} [props] of the label
 */
export function labelled(words, control, props = {}) {
  control.id ||= id('control');
  return [el('label', { for: control.id, ...props }, words), control];
}

/** Returns a labelled control. @param {string} label @param {HTMLElement} control @param {HTMLElement} [fault] */
export function field(label, control, fault) {
  return el('div', {}, labelled(label, control), fault);
}

/** Messages for a control that has text but no valid value, by control type. @type {Record<string, string>} */
const UNFINISHED = {
  date: 'Complete the date, or clear it.',
  time: 'Complete the time, or clear it.',
  number: 'Enter a number, or clear this.',
};

/** Returns the message for a control whose text cannot be parsed as a value. @param {any} control */
export function unfinished({ type, validity }) {
  return validity.badInput ? (UNFINISHED[type] ?? 'Complete this, or clear it.') : '';
}

/**
 * Returns a labelled control with a validation message.
 * @param {string} label @param {any} control @param {() => string} [wrong] returns what is wrong with the value
 */
export function checked(label, control, wrong = () => '') {
  const fault = el('p', { id: id(), class: 'fault', role: 'alert', 'data-room': '' });
  const check = () => void (fault.textContent = unfinished(control) || wrong());
  control.setAttribute('aria-describedby', fault.id);
  // Browsers fire no event when the text is not a valid value, so this checks on blur.
  ['input', 'blur'].forEach((event) => control.addEventListener(event, check));
  return field(label, control, fault);
}

/**
 * Returns a select element with these values and their labels.
 * @param {any[][]} options @param {any} [chosen] @param {Record<string, any>} [props]
 */
export function choice(options, chosen, props = {}) {
  const all = options.map(([value, words]) => el('option', { value }, words));
  const select = el('select', { id: id(), ...props }, all);
  if (options.some(([value]) => value === chosen)) select.value = chosen;
  return select;
}

/** Returns text that only screen readers read. @param {string} text */
export function heard(text) {
  return el('span', { class: 'heard' }, text);
}

/** Returns the part of a control that takes the focus. @param {HTMLElement} control @returns {HTMLElement} */
export function focusable(control) {
  const inner = 'input, textarea, select, button';
  return control.matches(inner) ? control : (control.querySelector(inner) ?? control);
}

let counted = 0;
/** Returns a unique id, for labels to point to. @param {string} [prefix] */
export function id(prefix = 'e') {
  counted += 1;
  return `${prefix}-${counted}`;
}

/**
 * Debounces `act`: it runs when the returned function has not been called for `wait` milliseconds. `cancel` stops a
 * pending run.
 * @param {() => void} act @param {number} wait
 */
export function settled(act, wait) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const cancel = () => clearTimeout(timer);
  const soon = () => {
    cancel();
    timer = setTimeout(act, wait);
  };
  return Object.assign(soon, { cancel });
}

/**
 * Returns a function that runs `act`. Calls while it is running wait for the same result.
 * @template {any[]} A @template T @param {(...args: A) => Promise<T>} act @returns {(...args: A) => Promise<T>}
 */
export function shared(act) {
  /** @type {Promise<T> | null} */
  let running = null;
  return (...args) => (running ??= act(...args).finally(() => void (running = null)));
}

/** Calls `act` after the browser has painted, which it does not do in the background. @param {() => void} act */
export function whenPainted(act) {
  if (document.hidden) act();
  else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(act)));
}

/** @param {any} one @returns {one is HTMLTextAreaElement} whether users type text into it */
export const isText = (one) => one instanceof HTMLTextAreaElement || one instanceof HTMLInputElement;
