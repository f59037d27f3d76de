// When the modules of the page are loaded: index.html names each one in the template of the first view that needs it,
// so that no view waits for the imports of imports.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const UI = join(import.meta.dirname, '../../ui');
const text = (name) => readFileSync(join(UI, name), 'utf8');
const all = readdirSync(UI, { recursive: true }).filter((name) => name.endsWith('.js') && name !== 'core/start.js');

/** Returns a module and all modules that are loaded with it. Leaves out modules that it imports dynamically. */
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

test('index.html lists exactly the modules of each view, and separately the modules of no view', () => {
  const app = loaded('core/app.js');
  const views = {
    list: new Set([...loaded('list/list.js'), ...loaded('people/sign_in.js')]),
    editor: loaded('form/editor.js'),
    history: loaded('history/timeline.js'),
  };
  assert.deepEqual(named('app'), [...app].sort());
  const after = (modules) => [...modules].filter((name) => !app.has(name));
  for (const [view, modules] of Object.entries(views)) assert.deepEqual(named(view), after(modules).sort(), view);
  const known = new Set([app, ...Object.values(views)].flatMap((modules) => [...modules]));
  assert.deepEqual(named('rest'), all.filter((name) => !known.has(name)).sort());
  const most = { list: 32, editor: 50, history: 42 };
  for (const [view, modules] of Object.entries(views)) {
    const size = app.size + after(modules).length;
    assert.ok(size <= most[view], `${view} waits for ${size} modules`);
  }
});
