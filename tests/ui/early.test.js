// Requests that are sent before the modules are loaded.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answers, requests } from './browser.js';

const early = (name) => Promise.resolve(new Response(JSON.stringify({ name })));
globalThis.early = { '/api/me': early('Ada'), '/ui/service.json': Promise.resolve(undefined), '/old': early('old') };
const { call, forgetEarly } = await import('../../ui/core/api.js');

test('a response that was requested early answers one call, or is dropped once the first view is shown', async () => {
  answers.push(...['Grace', 'a setting', 'new'].map((name) => ({ status: 200, body: { name } })));
  const names = [];
  for (const path of ['/api/me', '/api/me', '/ui/service.json']) names.push((await call('GET', path)).name);
  forgetEarly();
  names.push((await call('GET', '/old')).name);
  assert.deepEqual(names, ['Ada', 'Grace', 'a setting', 'new']);
  assert.equal(requests.length, 3);
});
