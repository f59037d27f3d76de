// The messages of the page about requests that the service refuses.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answers } from './browser.js';

const { call } = await import('../../ui/core/api.js');
const refused = (body) => ({ status: 409, body });

test('each sentence of an error message begins with a capital letter', async () => {
  answers.push(refused({ code: 'last_admin', message: 'Not possible', error: 'nobody else is an active admin' }));
  await assert.rejects(call('PATCH', '/api/people/a1'), { words: 'Not possible. Nobody else is an active admin.' });
});

test('a page opened under a wrong address names the public address', async () => {
  globalThis.location = { origin: 'http://10.0.0.5:8080' };
  const publicUrl = 'https://lessons.example.org';
  answers.push(refused({ code: 'cross_site', message: 'Not allowed' }), { status: 200, body: { publicUrl } });
  await assert.rejects(call('POST', '/api/session'), {
    instead: publicUrl,
    words: 'This is not the address of this service. Open https://lessons.example.org instead.',
  });
});
