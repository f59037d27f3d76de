// Text that its editor could not save.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answers } from './browser.js';

const { send } = await import('../../ui/doc/outbox.js');
const { learnAgain } = await import('../../ui/core/session.js');

test('a failed search for unsaved text does not prevent the next search', async () => {
  answers.push({ status: 200, body: { data: { id: 'ada', may: {}, signIn: {}, signedInBy: 'link' } } });
  await learnAgain();
  let searches = 0;
  const query = async () => {
    searches += 1;
    if (searches === 1) throw new Error('The document is not active.');
    return { held: [] };
  };
  Object.assign(navigator, { onLine: true, locks: { query } });
  await assert.rejects(send());
  await send();
  assert.equal(searches, 2);
});
