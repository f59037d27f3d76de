// Who is signed in when a sign-in and other requests overlap.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answers, requests } from './browser.js';

const { call } = await import('../../ui/core/api.js');
const { isSignedIn, known, learnAgain, refusal, signIn } = await import('../../ui/core/session.js');

const ADA = { status: 200, body: { data: { id: 'ada', may: {}, signIn: {}, signedInBy: 'link' } } };
const NOBODY = { status: 401, body: { code: 'unauthenticated', message: 'Authentication required' } };
const paths = () => requests.splice(0).map(({ method, path }) => `${method} ${path}`);

test('a late answer to a request sent before the sign-in does not end the new session', async () => {
  let late;
  answers.push(new Promise((resolve) => (late = resolve)), ADA);
  const asked = learnAgain();
  await signIn({ code: 'abc' });
  late(NOBODY);
  await asked;
  assert.ok(isSignedIn());
  assert.deepEqual(paths(), ['GET /api/me', 'POST /api/session']);
});

test('a request that was refused because it preceded the sign-in is sent again', async () => {
  answers.push(NOBODY, ADA, { status: 200, body: { data: 'cress' } });
  assert.deepEqual(await call('PUT', '/api/investigation/1', { body: {} }), { data: 'cress' });
  assert.deepEqual(paths(), ['PUT /api/investigation/1', 'GET /api/me', 'PUT /api/investigation/1']);
});

test('a request that is refused a second time fails', async () => {
  answers.push(NOBODY, ADA, NOBODY, ADA);
  await assert.rejects(call('GET', '/api/investigation/1'), { status: 401 });
  assert.deepEqual(paths().length, 4);
});

test('a refused request of one person is not sent again after another person signed in', async () => {
  answers.push(NOBODY, { status: 200, body: { data: { ...ADA.body.data, id: 'ben' } } });
  await assert.rejects(call('PUT', '/api/investigation/1', { body: {} }), { status: 401 });
  assert.deepEqual(paths(), ['PUT /api/investigation/1', 'GET /api/me']);
});

test('a request is not sent again after the session has ended', async () => {
  answers.push(NOBODY, NOBODY);
  await assert.rejects(call('GET', '/api/investigation/1'), { status: 401 });
  assert.deepEqual(paths(), ['GET /api/investigation/1', 'GET /api/me']);
  assert.ok(!isSignedIn());
});

test('the page asks who is signed in for each view until somebody is signed in', async () => {
  answers.push(NOBODY);
  await known();
  assert.equal(refusal().code, 'unauthenticated');
  answers.push(ADA);
  await known();
  assert.equal(refusal(), null);
  await known();
  assert.deepEqual(paths(), ['GET /api/me', 'GET /api/me']);
});
