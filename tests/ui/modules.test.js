// When the modules of the page are loaded: index.html names each one in the template of the first view that needs it,
// so that no view waits for the imports of imports.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const UI = join(import.meta.dirname, '../../ui');
const text = (name) => readFileSync(join(UI, name), 'utf8');
const all = readdirSync(UI, { recursive: true }).filter((name) => name.endsWith('.js') && name !== 'core/start.js');

/** Returns a module and all that are loaded with it, which are not those that it imports later. */
function loaded(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const imports = [...text(name).matchAll(/^(?:import|export) [^;]*?from '(.+?)';/gm)];
  for (const [, path] of imports) loaded(relative(UI, join(UI, dirname(name), path)), found);
  return found;
}

/** Returns the modules that a template of index.html names. */
function named(id) {
  const [, body] = text('index.html').split(`<template id="${id}">`);
  return [...body.split('</template>')[0].matchAll(/"\/ui\/(.+?\.js)"/g)].map(([, name]) => name).sort();
}

test('index.html preloads exactly the modules of the first view, the editor and the other views', () => {
  const app = loaded('core/app.js');
  const editor = new Set([...loaded('form/editor.js')].filter((name) => !app.has(name)));
  assert.deepEqual(named('app'), [...app].sort());
  assert.deepEqual(named('editor'), [...editor].sort());
  assert.deepEqual(named('rest'), all.filter((name) => !app.has(name) && !editor.has(name)).sort());
  assert.ok(app.size <= 30, `the list and the sign-in page wait for ${app.size} modules`);
});
