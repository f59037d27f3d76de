// How the pictures of a lesson are sent, and when their references are stored.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import { answers, requests } from './browser.js';

const { plain } = await import('../../ui/history/changes.js');
const { Doc } = await import('../../ui/doc/doc.js');
const { freshId } = await import('../../ui/doc/drafts.js');
const { open } = await import('../../ui/doc/opening.js');
const { idsIn, undescribed, withIds, withoutDrafts } = await import('../../ui/text/picture_refs.js');

const ID = 'a'.repeat(64);
const PATH = '/api/investigation/a1';
const lesson = (revision, content) => ({ _id: 'a1', revision, version: revision - 1, ...content });
const stored = (revision, content) => ({ status: 200, body: { updatedInvestigation: lesson(revision, content) } });
const taken = (id = ID) => ({ status: 201, body: { data: { id } } });
const refused = (status, code, errors) => ({ status, body: { code, message: 'Refused', errors } });
const seed = (words = 'seed') => new Blob([words], { type: 'image/png' });

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  answers.length = requests.length = 0;
});
afterEach(() => mock.timers.reset());

/** Returns a lesson to whose step a picture was added. */
function pictured() {
  const doc = new Doc(lesson(1, { steps: [{ text: 'Sow.' }] }));
  const picture = { ...doc.pictures.add(seed()), alt: 'A seed' };
  doc.edit('steps', [{ text: 'Sow seeds.', picture }]);
  return { doc, picture };
}

/** Stores everything that can be stored. */
async function settled(doc) {
  await doc.flush();
  await doc.pictures.send();
  return doc.flush();
}

test('only picture references are found, at any depth', () => {
  const one = { id: ID, alt: 'A seed' };
  const two = { id: 'draft:1', alt: '' };
  const value = {
    pictures: [one, two],
    steps: [
      { text: 'Sow.', picture: two },
      { text: 'Wait.', picture: one },
    ],
  };
  const others = [ID, { id: ID }, { id: 'x', alt: 'A text' }, { id: 5, alt: '' }, null, undefined, 7, [[]], 'draft:1'];
  assert.deepEqual(idsIn(value), [ID, 'draft:1', 'draft:1', ID]);
  assert.deepEqual(withoutDrafts(value), {
    pictures: [one],
    steps: [{ text: 'Sow.' }, { text: 'Wait.', picture: one }],
  });
  for (const other of others) {
    assert.deepEqual(idsIn(other), []);
    assert.equal(
      withIds(other, () => undefined),
      other,
    );
  }
});

test('text is stored at once, and its picture reference after the picture was sent', async () => {
  const { doc, picture } = pictured();
  const whole = [{ text: 'Sow seeds.', picture: { ...picture, id: ID } }];
  answers.push(stored(2, { steps: [{ text: 'Sow seeds.' }] }), taken(), stored(3, { steps: whole }));
  assert.equal(await settled(doc), true);
  assert.deepEqual(
    requests.map(({ method, path, type, body }) => ({ method, path, type, body })),
    [
      { method: 'PATCH', path: PATH, type: undefined, body: { steps: [{ text: 'Sow seeds.' }] } },
      { method: 'POST', path: `${PATH}/pictures`, type: 'image/png', body: 'seed' },
      { method: 'PATCH', path: PATH, type: undefined, body: { steps: whole } },
    ],
  );
  assert.equal(doc.state, 'saved');
});

test('a change that only adds a picture is stored after the picture was sent', async () => {
  const doc = new Doc(lesson(1, {}));
  doc.edit('pictures', [doc.pictures.add(seed())]);
  assert.equal(await doc.flush(), false);
  assert.deepEqual(
    requests.map(({ method }) => method),
    ['POST'],
  );
  await doc.pictures.send();
  assert.equal(doc.state, 'waiting');
  answers.push(taken(), stored(2, { pictures: [{ id: ID, alt: '' }] }));
  assert.equal(await settled(doc), true);
  assert.deepEqual(requests.at(-1).body, { pictures: [{ id: ID, alt: '' }] });
});

test('a picture file that the browser cannot read is not reported as a network failure', async () => {
  const doc = new Doc(lesson(1, {}));
  const gone = seed();
  gone.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('Gone', 'NotReadableError')) });
  const picture = doc.pictures.add(gone);
  doc.edit('pictures', [picture]);
  await settled(doc);
  assert.equal(doc.state, 'refused');
  assert.match(doc.pictures.stateOf(picture.id).words, /Remove it, or choose it again/);
});

test('a picture that is too large is shrunk before it is sent, or refused if the browser cannot', async () => {
  const large = () => new Blob([new Uint8Array(10 * 1024 * 1024 + 1)], { type: 'image/jpeg' });
  const doc = new Doc(lesson(1, {}));
  const picture = doc.pictures.add(large());
  doc.edit('pictures', [picture]);
  await settled(doc);
  assert.match(doc.pictures.stateOf(picture.id).words, /larger than 10 MB/);
  Object.assign(globalThis, {
    createImageBitmap: async () => ({ width: 8000, height: 4000 }),
    OffscreenCanvas: class {
      constructor(width, height) {
        this.size = `${width} × ${height}`;
      }
      getContext = () => ({ fillRect: () => undefined, drawImage: () => undefined });
      convertToBlob = async ({ type }) => new Blob([this.size], { type });
    },
  });
  for (const blob of [large(), seed()]) {
    const other = new Doc(lesson(1, {}));
    other.edit('pictures', [other.pictures.add(blob)]);
    // A small file can have more pixels than the service takes.
    if (blob.size < 100) answers.push(refused(413, 'too_large'));
    answers.push(taken(), stored(2, { pictures: [{ id: ID, alt: '' }] }));
    await settled(other);
    const [sent] = requests.filter(({ path }) => path.endsWith('/pictures')).slice(-1);
    assert.equal(sent.body, '3200 × 1600');
    assert.equal(other.state, 'saved');
  }
});

test('a refused picture shows the reason, does not block text and is not sent again', async () => {
  const { doc, picture } = pictured();
  const sowed = [{ text: 'Sow seeds.' }];
  answers.push(stored(2, { steps: sowed }), refused(415, 'unsupported_media_type'));
  assert.equal(await settled(doc), false);
  assert.equal(await settled(doc), false);
  assert.equal(requests.length, 2);
  assert.deepEqual([doc.state, doc.pictures.refusedFields], ['refused', ['steps']]);
  assert.deepEqual(doc.pictures.stateOf(picture.id), { words: 'Refused.', isRefused: true });
  doc.edit('steps', sowed);
  assert.deepEqual([doc.state, doc.stored.steps], ['saved', sowed]);
});

test('a picture draft whose file is no longer in the browser shows a message', async () => {
  const doc = new Doc(lesson(1, {}));
  doc.edit('pictures', [{ id: 'draft:gone', alt: 'A seed' }]);
  assert.equal(await settled(doc), false);
  assert.deepEqual(requests, []);
  assert.match(doc.pictures.stateOf('draft:gone').words, /does not have the picture any more/);
});

test('a picture that the service no longer has is sent again only once', async () => {
  const violation = refused(400, 'validation_failed', [{ path: 'pictures.0.id', message: 'is not a picture' }]);
  const reference = [{ id: ID, alt: '' }];
  for (const { later, state } of [
    { later: [taken(), stored(2, { pictures: reference })], state: 'saved' },
    { later: [taken(), violation], state: 'refused' },
  ]) {
    requests.length = 0;
    const doc = new Doc(lesson(1, {}));
    doc.edit('pictures', [doc.pictures.add(seed())]);
    answers.push(taken(), violation, ...later);
    await settled(doc);
    assert.equal(doc.state, state);
    assert.deepEqual(
      requests.map(({ method }) => method),
      ['POST', 'PATCH', 'POST', 'PATCH'],
    );
  }
});

test('a picture of a new lesson is sent after the lesson was created', async () => {
  answers.push({ status: 200, body: { format: { properties: { pictures: { type: 'array' } } } } });
  const doc = await open(freshId());
  requests.length = 0;
  doc.edit('pictures', [{ ...doc.pictures.add(seed()), alt: 'A seed' }]);
  const pictures = [{ id: ID, alt: 'A seed' }];
  answers.push({ status: 200, body: { data: lesson(1, { pictures: [] }) } }, taken(), stored(2, { pictures }));
  assert.equal(await settled(doc), true);
  assert.deepEqual(
    requests.map(({ method, path }) => [method, path]),
    [
      ['POST', '/api/investigation'],
      ['POST', `${PATH}/pictures`],
      ['PATCH', PATH],
    ],
  );
  assert.deepEqual([doc.id, doc.state, doc.value('pictures')], ['a1', 'saved', pictures]);
});

test('a picture added by another person in this browser is not sent', async () => {
  const { doc } = pictured();
  Object.defineProperty(doc, 'isOfAnother', { value: true });
  assert.equal(await settled(doc), false);
  assert.deepEqual(requests, []);
});

test('a picture is described by its alternative text and caption', () => {
  const picture = { id: ID, alt: 'A seed', caption: 'Figure 1' };
  assert.equal(plain([picture]), 'Picture: A seed · Figure 1');
  assert.equal(plain({ text: 'Sow.', minutes: 5, picture }), 'Sow. (5 min) · Picture: A seed · Figure 1');
  assert.equal(plain({ id: ID, alt: '' }), 'Picture: without a description');
});

test('the paths of pictures without a description are listed', () => {
  const [one, two] = [
    { id: ID, alt: ' ' },
    { id: ID, alt: 'A seed' },
  ];
  const content = { title: '', pictures: [two, one], steps: [{ text: 'Sow.', picture: one }, { text: '' }] };
  assert.deepEqual(undescribed(content), ['pictures.1.alt', 'steps.0.picture.alt']);
});
