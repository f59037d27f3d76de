// Requests that are made once: creations, settings, and the next page of a list.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { answers, requests } from './browser.js';

const { Failure, call, create, once } = await import('../../ui/core/api.js');
const { shared } = await import('../../ui/core/dom.js');

const PATH = '/api/investigation';
const made = (id) => ({ status: 200, body: { data: { _id: id } } });
const keys = () => requests.map(({ key }) => key);

beforeEach(() => {
  answers.length = requests.length = 0;
});

test('two clicks on “Create” at the same time create one lesson', async () => {
  answers.push(made('a1'));
  const both = await Promise.all([create(PATH, { title: '' }), create(PATH, { title: '' })]);
  assert.deepEqual(
    both.map(({ data }) => data._id),
    ['a1', 'a1'],
  );
  assert.equal(requests.length, 1);
});

test('a creation that may be done although it failed is sent again with the same idempotency key', async () => {
  const unknown = { status: 500, body: { code: 'unanswered', message: 'It may be stored' } };
  for (const lost of [undefined, unknown, { status: 200, breaks: true }]) {
    answers.length = requests.length = 0;
    if (lost) answers.push(lost);
    await assert.rejects(create(PATH, { title: 'Cress' }), Failure);
    answers.push(made('a1'));
    await create(PATH, { title: 'Cress' });
    const [first, second] = keys();
    assert.match(first, /^[\d-]+$/);
    assert.equal(second, first);
  }
});

test('each creation has an idempotency key of its own', async () => {
  answers.push(made('a1'), made('a2'), made('a3'));
  await create(PATH, { title: 'Cress' });
  await create(PATH, { title: 'Cress' });
  await create(PATH, { title: 'Beans' });
  assert.equal(new Set(keys()).size, 3);
});

test('a creation that is tried again after a refusal has a new idempotency key', async () => {
  answers.push({ status: 400, body: { code: 'validation_failed', message: 'Refused' } }, made('a1'));
  await assert.rejects(create(PATH, {}));
  await create(PATH, {});
  assert.equal(new Set(keys()).size, 2);
});

test('settings of the service are fetched once, and again only if a request got no answer', async () => {
  const read = once('/ui/service.json');
  await assert.rejects(read());
  answers.push(made('a1'));
  for (const _ of [1, 2]) assert.equal((await read()).data._id, 'a1');
  assert.equal(requests.length, 2);
});

test('a double click on Show more reads the next page once', async () => {
  answers.push(made('a1'), made('a2'));
  const more = shared(() => call('GET', '/api/trash'));
  const ids = async (...calls) => (await Promise.all(calls)).map(({ data }) => data._id);
  assert.deepEqual(await ids(more(), more()), ['a1', 'a1']);
  assert.deepEqual(await ids(more()), ['a2']);
});
