// How the changes of a lesson are stored, and what the page says about this.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import { answers, requests } from './browser.js';

const { Doc } = await import('../../ui/doc/doc.js');
const { freshId } = await import('../../ui/doc/drafts.js');
const { open } = await import('../../ui/doc/opening.js');
const { putBack } = await import('../../ui/history/versions.js');

const lesson = (revision, content) => ({ _id: 'a1', revision, version: revision - 1, ...content });
const stored = (revision, content) => ({ status: 200, body: { updatedInvestigation: lesson(revision, content) } });
const read = (revision, content) => ({ status: 200, body: { data: lesson(revision, content) } });
const refused = (status, code, errors) => ({ status, body: { code, message: 'Refused', errors } });

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  answers.length = requests.length = 0;
});
afterEach(() => mock.timers.reset());

/** Returns a lesson in which the title was changed. */
function changed() {
  const doc = new Doc(lesson(1, { title: 'Cress', grade: 5 }));
  doc.edit('title', 'Beans');
  return doc;
}

test('a change is sent as a merge patch with the revision that the page has read', async () => {
  const doc = changed();
  answers.push(stored(2, { title: 'Beans', grade: 5 }));
  assert.equal(await doc.flush(), true);
  assert.deepEqual(requests, [
    { method: 'PATCH', path: '/api/investigation/a1', ifMatch: '"1"', body: { title: 'Beans' } },
  ]);
});

test('the state of a lesson says whether everything is saved and, if not, why', async () => {
  const table = [
    { answers: [], state: 'waiting' },
    { answers: [stored(2, { title: 'Beans' })], state: 'saved' },
    { answers: [refused(503, 'unavailable')], state: 'waiting' },
    { answers: [refused(404, 'investigation_not_found')], state: 'gone' },
    { answers: [refused(403, 'forbidden')], state: 'forbidden' },
    { answers: [refused(400, 'validation_failed', [{ path: 'title', message: 'is too long' }])], state: 'refused' },
    { answers: [refused(412, 'revision_mismatch'), read(2, { title: 'Peas' })], state: 'clash' },
    { answers: [refused(412, 'revision_mismatch'), read(2, { title: 'Beans' })], state: 'saved' },
    {
      answers: [
        refused(412, 'revision_mismatch'),
        read(2, { title: 'Cress', grade: 6 }),
        stored(3, { title: 'Beans', grade: 6 }),
      ],
      state: 'saved',
    },
  ];
  for (const row of table) {
    const doc = changed();
    assert.equal(doc.state, 'unsaved');
    answers.push(...row.answers);
    const flushed = doc.flush();
    await Promise.resolve();
    assert.equal(doc.state, 'saving');
    assert.equal(await flushed, row.state === 'saved');
    assert.equal(doc.state, row.state);
    assert.deepEqual(answers, []);
  }
});

test('changes of other fields are saved although the service refuses one field', async () => {
  const doc = changed();
  doc.edit('grade', 99);
  answers.push(refused(400, 'validation_failed', [{ path: 'grade', message: 'is too large' }]));
  answers.push(stored(2, { title: 'Beans', grade: 5 }));
  assert.equal(await doc.flush(), false);
  assert.deepEqual(
    requests.map(({ body }) => body),
    [{ title: 'Beans', grade: 99 }, { title: 'Beans' }],
  );
  assert.deepEqual([doc.state, [...doc.mine.keys()]], ['refused', ['grade']]);
});

test('a conflict is resolved with the text that the user chooses', async () => {
  const table = [
    { choice: 'mine', title: 'Beans', sent: 2 },
    { choice: 'theirs', title: 'Peas', sent: 1 },
  ];
  for (const { choice, title, sent } of table) {
    requests.length = 0;
    const doc = changed();
    answers.push(refused(412, 'revision_mismatch'), read(2, { title: 'Peas' }));
    await doc.flush();
    if (sent === 2) answers.push(stored(3, { title }));
    await doc.decide(doc.clashes[0], choice);
    assert.deepEqual([doc.state, doc.value('title')], ['saved', title]);
    assert.equal(requests.filter(({ method }) => method === 'PATCH').length, sent);
  }
});

test('text written while a change is being sent is sent after that change', async () => {
  const doc = changed();
  answers.push(stored(2, { title: 'Beans' }), stored(3, { title: 'Bean plants' }));
  const flushed = doc.flush();
  await Promise.resolve();
  doc.edit('title', 'Bean plants');
  assert.equal(await flushed, false);
  assert.deepEqual([doc.state, doc.stored.title], ['unsaved', 'Beans']);
  assert.equal(await doc.flush(), true);
  assert.deepEqual(requests[1], {
    method: 'PATCH',
    path: '/api/investigation/a1',
    ifMatch: '"2"',
    body: { title: 'Bean plants' },
  });
});

test('a save that failed is repeated when the service can be reached', async () => {
  const doc = changed();
  assert.equal(await doc.flush(), false);
  answers.push(stored(2, { title: 'Beans' }));
  assert.equal(await doc.flush(), true);
  assert.deepEqual([doc.state, requests.length], ['saved', 2]);
});

test('unsaved text is saved after the lesson was deleted and restored elsewhere', async () => {
  const doc = changed();
  answers.push(refused(404, 'investigation_not_found'));
  await doc.again();
  assert.equal(doc.state, 'gone');
  answers.push(read(3, { title: 'Cress', grade: 5 }), stored(4, { title: 'Beans', grade: 5 }));
  await doc.again();
  assert.deepEqual([doc.state, doc.value('title')], ['saved', 'Beans']);
});

test('a new lesson is created only once, and only when something is written in it', async () => {
  answers.push({ status: 200, body: { format: { properties: { title: { type: 'string' } } } } });
  const id = freshId();
  const doc = await open(id);
  requests.length = 0;
  doc.edit('title', ' ');
  doc.edit('objectives', ['']);
  await doc.flush();
  await assert.rejects(doc.saved(), { message: 'Nothing was done, because nothing is written yet.' });
  assert.deepEqual(requests, []);
  doc.edit('objectives', undefined);
  doc.edit('title', 'Cress');
  // The answer is lost. The repeated request has the same content and the same key.
  assert.equal(await doc.flush(), false);
  doc.edit('title', 'Cress seeds');
  answers.push({ status: 200, body: { data: lesson(1, { title: 'Cress' }) } }, stored(2, { title: 'Cress seeds' }));
  assert.equal(await doc.flush(), true);
  const creation = {
    method: 'POST',
    path: '/api/investigation',
    ifMatch: undefined,
    body: { title: 'Cress' },
    key: id,
  };
  assert.deepEqual(requests, [
    creation,
    creation,
    { method: 'PATCH', path: '/api/investigation/a1', ifMatch: '"1"', body: { title: 'Cress seeds' } },
  ]);
  assert.deepEqual([doc.id, doc.state], ['a1', 'saved']);
});

test('restoring an earlier value of a field does not replace invalid text, which only the page has', async () => {
  const doc = new Doc(lesson(1, { grade: 5 }));
  doc.edit('grade', 'five', 'Enter a number.');
  await assert.rejects(putBack(doc, 'grade', 4), /First correct the field/);
  assert.deepEqual([doc.value('grade'), requests], ['five', []]);
  doc.edit('grade', 5);
  answers.push(stored(2, { grade: 4 }));
  await putBack(doc, 'grade', 4);
  assert.deepEqual(doc.stored.grade, 4);
});
