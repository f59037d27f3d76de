// @ts-check
// Reads the fields of a content schema, which can be any JSON Schema.

import { asLesson } from '../text/words.js';
import { isNumber, isObject, own, same } from '../text/values.js';
import { systemFields } from './constants.js';

/** The field for pasted text that fits no other field, so that the text stays visible. */
export const UNPLACED = 'unplacedText';
const UNPLACED_HELP = 'Move it to where it belongs, or remove it in the menu.';

/** @typedef {{ name: string, schema: any, label: string, help: string, complete: boolean, isForPupils: boolean,
 *   known: boolean }} Field */

/**
 * Returns the content of an investigation, without the fields of the service.
 * @param {any} investigation @returns {Record<string, any>}
 */
export function content(investigation) {
  return Object.fromEntries(Object.entries(investigation).filter(([name]) => !systemFields.includes(name)));
}

/**
 * Returns a schema with its references resolved.
 * @param {any} schema @param {any} root @param {number} [depth] @returns {any}
 */
export function resolved(schema, root, depth = 0) {
  if (!schema || typeof schema !== 'object' || depth > 16) return {};
  let found = schema;
  if (typeof schema.$ref === 'string') {
    const { $ref, ...beside } = schema;
    const steps = $ref.replace(/^#\/?/, '').split('/').filter(Boolean);
    const target = steps.reduce(
      (/** @type {any} */ at, /** @type {string} */ step) => own(at, step.replaceAll('~1', '/').replaceAll('~0', '~')),
      root,
    );
    found = { ...resolved(target, root, depth + 1), ...beside };
  }
  for (const part of Array.isArray(found.allOf) ? found.allOf : []) {
    const more = resolved(part, root, depth + 1);
    found = {
      ...more,
      ...found,
      properties: found.properties || more.properties ? { ...more.properties, ...found.properties } : undefined,
    };
  }
  return found;
}

/**
 * Returns the fields of a schema and of a content, in order.
 * @param {any} root @param {Record<string, any>} content @returns {Field[]}
 */
export function fields(root, content) {
  const top = resolved(root, root);
  const known = Object.entries(top.properties ?? {}).map(([name, part], place) => {
    const schema = resolved(part, root);
    return {
      name,
      schema,
      label: label(name, schema),
      help: asLesson(schema.description ?? ''),
      complete: schema['x-complete'] === true,
      isForPupils: part['x-audience'] === 'pupil',
      known: true,
      order: schema['x-order'] ?? 1000 + place,
    };
  });
  known.sort((a, b) => a.order - b.order);
  const rest = Object.keys(content).filter((name) => !Object.hasOwn(top.properties ?? {}, name));
  return [
    ...known,
    ...rest.map((name) => {
      const isText = typeof content[name] === 'string';
      return {
        name,
        // A text gets a text control, although the schema does not name its field.
        schema: isText ? { type: 'string' } : {},
        label: /^[a-z]/i.test(name) ? label(name, {}) : name,
        help: isText ? (name === UNPLACED ? UNPLACED_HELP : '') : 'A field that the schema does not name, as JSON.',
        complete: false,
        isForPupils: false,
        known: false,
      };
    }),
  ];
}

/** @param {string} name @param {any} schema @returns {string} */
export function label(name, schema) {
  if (typeof schema?.title === 'string' && schema.title) return schema.title;
  if (name === UNPLACED) return 'Text not placed yet';
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the label of a field. @param {string} name @param {any} root */
export function fieldLabel(name, root) {
  return label(name, resolved(own(resolved(root, root).properties, name), root));
}

/** @param {any} schema @returns {string[]} */
export function types(schema) {
  return Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : [];
}

/** Returns the kind of control that fits a value and its schema. @param {any} schema @param {any} value */
export function kind(schema, value) {
  const shown = expected(schema);
  if (value === undefined) return shown;
  const fits = {
    choice: () => (schema.enum ?? [schema.const]).some((/** @type {any} */ one) => same(one, value)),
    text: () =>
      typeof value === 'string' || (isNumber(value) && types(schema).some((t) => t === 'number' || t === 'integer')),
    // A text in a number control is what the user typed, and is not valid yet.
    number: () => isNumber(value) || typeof value === 'string',
    truth: () => typeof value === 'boolean',
    list: () => Array.isArray(value),
    object: () => isObject(value),
    picture: () => isObject(value),
    json: () => true,
  };
  return fits[shown]() ? shown : 'json';
}

/** @param {any} schema @returns {'choice' | 'text' | 'number' | 'truth' | 'list' | 'object' | 'picture' | 'json'} */
function expected(schema) {
  if (Array.isArray(schema.enum) || 'const' in schema) return 'choice';
  const all = types(schema).filter((type) => type !== 'null');
  const only = (/** @type {string[]} */ ...some) => all.length > 0 && all.every((type) => some.includes(type));
  if (only('number', 'integer')) return 'number';
  if (only('string', 'number', 'integer')) return 'text';
  if (only('boolean')) return 'truth';
  if (only('array')) return 'list';
  if (isPicture(schema)) return 'picture';
  if (only('object') || (all.length === 0 && schema.properties)) return 'object';
  return 'json';
}

/** Returns true for the schema of a picture. @param {any} schema */
function isPicture(schema) {
  return ['id', 'alt'].every((name) => own(schema.properties, name) !== undefined);
}

/** Returns true for the schema of a picture or of a list of pictures. @param {any} schema @param {any} root */
export function hasPictures(schema, root) {
  return isPicture(schema) || isPicture(resolved(schema.items, root));
}

/** Returns true for a kind of control with controls in it. @param {string} kind */
export function isComposite(kind) {
  return ['list', 'object', 'picture'].includes(kind);
}

/** Returns a list entry that contains only this text. @param {any} schema of an entry @param {string} text */
export function entryOf({ properties, required }, text) {
  if (!isObject(properties)) return text;
  return { [required?.[0] ?? Object.keys(properties)[0] ?? 'text']: text };
}

/**
 * Returns an initial value for a schema: its default, or else its smallest or shortest value.
 * @param {any} part @param {any} root @returns {any}
 */
export function beginning(part, root) {
  const schema = resolved(part, root);
  if ('default' in schema) return schema.default;
  switch (expected(schema)) {
    case 'choice':
      return (schema.enum ?? [schema.const])[0];
    case 'number':
      return schema.minimum ?? 0;
    case 'truth':
      return false;
    case 'list':
      return [];
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((/** @type {string} */ name) => [
          name,
          beginning(own(schema.properties, name), root),
        ]),
      );
    default:
      return '…'.repeat(schema.minLength ?? 0);
  }
}
