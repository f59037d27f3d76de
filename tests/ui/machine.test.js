// The next state and effects for each state of a lesson and each event. No typed text is lost, whatever the order of
// events.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TABLE, next } from '../../ui/doc/machine.js';
import { State } from '../../ui/doc/state.js';
import { own } from '../../ui/text/values.js';
import { randomOf } from './random.js';

const lesson = (revision, content) => ({ _id: 'a1', revision, ...content });
const CRESS = lesson(1, { title: 'Cress', grade: 5 });
const failed = (why, violations = [], mayBeDone = why === 'away') => ({
  type: 'failed',
  error: new Error(why),
  why,
  violations,
  mayBeDone,
});

/** Returns the state after some events, and the effects of the last. */
function after(stored, ...events) {
  return events.reduce(({ state }, event) => next(state, event), { state: new State(stored), effects: [] });
}
const word = (state) => state.word({ refused: false, sending: false });
const beans = { type: 'edited', field: 'title', value: 'Beans' };
const flushed = { type: 'flushed' };
const tooLong = failed('other', [{ path: 'title', message: 'is too long' }]);

test('each event in each state leads to the documented next state and effects', () => {
  const rows = [
    [[beans], 'resting', 'keep flush', 'unsaved'],
    [[beans, flushed], 'sending', 'pictures send', 'saving'],
    [[flushed], 'looking', 'pictures look', 'saved'],
    [[flushed, { type: 'found', found: new Map() }], 'resting', '', 'saved'],
    [[flushed, { type: 'found', found: new Map([['title', { value: 'Peas', base: 'Cress' }]]) }], 'sending'],
    [[{ ...beans, fault: 'Too long.' }, flushed], 'resting', 'pictures', 'refused'],
    [[beans, { ...flushed, isOfAnother: true }], 'resting', '', 'unsaved'],
    [
      [beans, flushed, { type: 'answered', stored: lesson(2, { title: 'Beans', grade: 5 }) }],
      'looking',
      'forget settle pictures look',
      'saved',
    ],
    [[beans, flushed, failed('away')], 'resting', 'retry', 'waiting'],
    [[beans, flushed, failed('gone')], 'resting', '', 'gone'],
    [[beans, flushed, failed('forbidden')], 'resting', '', 'forbidden'],
    [[beans, flushed, failed('stale')], 'reading', 'read', 'unsaved'],
    [[beans, flushed, tooLong], 'resending', 'resend', 'unsaved'],
    [
      [beans, flushed, tooLong, { type: 'resent', isSent: false, fields: ['title'], violations: [] }],
      'resting',
      'pictures',
      'refused',
    ],
    [
      [beans, flushed, tooLong, { type: 'resent', isSent: true, fields: ['title'] }],
      'sending',
      'pictures send',
      'saving',
    ],
    [[{ type: 'outdated' }], 'reading', 'read', 'saved'],
    [[beans, { type: 'outdated' }, failed('gone')], 'resting', '', 'gone'],
    [
      [beans, { type: 'outdated' }, { type: 'read', stored: lesson(2, { title: 'Peas' }) }],
      'resting',
      'pictures',
      'clash',
    ],
    [[beans, { type: 'interrupted', error: new Error('away'), why: 'away' }], 'resting', 'retry', 'waiting'],
    [[beans, { type: 'givenUp' }], 'resting', '', 'saved'],
  ];
  for (const [events, at, done, shown] of rows) {
    const { state, effects } = after(CRESS, ...events);
    const names = effects.map((effect) => effect.do).filter((name) => name !== 'tell');
    assert.equal(state.at, at, JSON.stringify(events));
    if (done !== undefined) assert.deepEqual([names.join(' '), word(state)], [done, shown], JSON.stringify(events));
  }
});

test('a field counts as refused if the service refuses a value inside it, even if its name contains a dot', () => {
  for (const [name, path] of [
    ['notes', 'notes.0'],
    ['a.b', 'a\\.b'],
    ['a.b', 'a\\.b.0'],
  ]) {
    const edited = { type: 'edited', field: name, value: 'x' };
    const { effects } = after(CRESS, edited, flushed, failed('other', [{ path, message: 'is too long' }]));
    assert.deepEqual(
      effects.filter((effect) => effect.do === 'resend').map(({ fields }) => fields),
      [[name]],
      path,
    );
  }
});

test('an event that is impossible in a state throws an error and changes nothing', () => {
  for (const [at, events] of Object.entries(TABLE)) {
    const state = Object.assign(new State(CRESS), { at });
    for (const type of ['flushed', 'answered', 'read', 'resent']) {
      if (!(type in events)) assert.throws(() => next(state, { type }), TypeError);
    }
    assert.deepEqual({ ...state }, { ...new State(CRESS), at });
  }
});

test('handling an event does not modify the old state', () => {
  const { state } = after(CRESS, beans);
  const before = structuredClone({ ...state });
  next(state, { type: 'edited', field: 'grade', value: 6 });
  next(state, flushed);
  assert.deepEqual({ ...state }, before);
});

test('the waits between failed saves grow until a save succeeds', () => {
  let { state } = after(CRESS, beans);
  const waits = [];
  for (let time = 0; time < 6; time += 1) {
    const step = next(next(state, flushed).state, failed('away'));
    waits.push(step.effects.find((effect) => effect.do === 'retry').ms);
    state = step.state;
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 15000, 15000]);
  const stored = next(next(state, flushed).state, { type: 'answered', stored: lesson(2, { title: 'Beans' }) });
  assert.equal(stored.state.failures, 0);
});

test('text that was stored although the request failed causes no conflict with itself', () => {
  const more = { ...beans, value: 'Beans and peas' };
  const unknown = failed('other', [], true);
  for (const failure of [failed('away'), unknown]) {
    const { state } = after(CRESS, beans, flushed, failure, more, flushed, failed('stale'), {
      type: 'read',
      stored: lesson(2, { title: 'Beans', grade: 5 }),
    });
    assert.deepEqual([state.at, state.clashes, state.merged.size], ['sending', [], 0]);
    assert.deepEqual(state.sent.patch, { title: 'Beans and peas' });
  }
});

test('changing a text back is sent to the service if the answer to the first change was lost', () => {
  const back = { ...beans, value: 'Cress' };
  assert.equal(word(after(CRESS, beans, back).state), 'saved');
  const { state } = after(CRESS, beans, flushed, failed('away'), back, flushed);
  assert.deepEqual(state.sent.patch, { title: 'Cress' });
});

test('only changes by others are announced as made elsewhere', () => {
  const taken = ({ effects }) => effects.find(({ name }) => name === 'taken')?.detail.isElsewhere;
  const theirs = lesson(2, { title: 'Peas', grade: 5 });
  assert.equal(taken(after(CRESS, { type: 'outdated' }, { type: 'read', stored: theirs })), true);
  assert.equal(taken(after(CRESS, { type: 'took', stored: theirs })), false);
  for (const choice of ['mine', 'theirs', 'both']) {
    const { state } = after(CRESS, beans, flushed, failed('stale'), { type: 'read', stored: theirs });
    const chosen = next(state, { type: 'chosen', ...state.clashes[0], choice });
    assert.deepEqual([...chosen.state.merged], [], choice);
  }
});

test('unsaved text is merged with the new stored text if an operation such as undo changes the same field', () => {
  const typed = { type: 'edited', field: 'title', value: 'Cress grows.\nI see it.' };
  const { state } = after(lesson(1, { title: 'Cress grows.' }), typed, {
    type: 'took',
    stored: lesson(2, { title: 'The cress grows.' }),
  });
  assert.equal(state.changes.get('title').value, 'The cress grows.\nI see it.');
});

test('invalid text is not sent, and its correction is merged with newer stored text', () => {
  const stored = (revision, notes) => lesson(revision, { title: 'Beans', grade: 5, ...(notes ? { notes } : {}) });
  const answered = (notes) => ({ type: 'answered', stored: stored(2, notes) });
  const notes = (value, fault) => ({ type: 'edited', field: 'notes', value, fault });
  // The invalid text is only in its text box. The change has the last valid value, which may be the stored value.
  for (const [value, events] of [
    [undefined, [beans, flushed, notes(undefined, 'No.'), answered()]],
    ['one', [notes('one'), flushed, notes('one', 'No.'), answered('one')]],
    [undefined, [notes(undefined, 'No.'), { type: 'outdated' }, { type: 'read', stored: stored(2, 'theirs') }]],
    [undefined, [notes(undefined, 'No.'), { type: 'took', stored: stored(2, 'theirs') }]],
  ]) {
    const { state } = after(CRESS, ...events);
    assert.equal(word(state), 'refused', JSON.stringify(events));
    assert.equal(state.changes.get('notes').value, value, JSON.stringify(events));
  }
  const theirs = [{ type: 'outdated' }, { type: 'read', stored: lesson(2, { title: 'Peas', grade: 5 }) }];
  const corrected = after(CRESS, { ...beans, fault: 'No.' }, ...theirs, beans);
  assert.deepEqual([word(corrected.state), corrected.state.clashes.length], ['clash', 1]);
});

test('a lesson that was read again and did not change is not shown anew', () => {
  const read = (stored) => after(CRESS, { type: 'outdated' }, { type: 'read', stored }).effects.map(({ name }) => name);
  assert.ok(!read(CRESS).includes('taken'));
  assert.ok(read(lesson(2, { title: 'Peas', grade: 5 })).includes('taken'));
});

test('text that becomes invalid during a conflict must be corrected before the user resolves the conflict', () => {
  const theirs = [{ type: 'outdated' }, { type: 'read', stored: lesson(2, { title: 'Peas', grade: 5 }) }];
  const invalid = { ...beans, value: 'Cress', fault: 'No.' };
  const { state } = after(CRESS, beans, ...theirs, invalid);
  assert.deepEqual([word(state), state.clashes], ['refused', []]);
  const corrected = after(CRESS, beans, ...theirs, invalid, { ...beans, value: 'Bean' });
  assert.deepEqual([word(corrected.state), corrected.state.clashes[0].conflict.mine], ['clash', 'Bean']);
});

test('a refused value is merged with newer stored text, but is sent again only after it is changed', () => {
  const refused = [{ type: 'resent', isSent: false, fields: ['title'], violations: [] }];
  const since = (title) => {
    const theirs = [{ type: 'outdated' }, { type: 'read', stored: lesson(2, { title, grade: 5 }) }];
    return after(CRESS, beans, flushed, tooLong, ...refused, ...theirs);
  };
  assert.deepEqual([word(since('Cress').state), since('Cress').state.at], ['refused', 'resting']);
  assert.equal(word(since('Peas').state), 'clash');
  const settled = since('Beans');
  assert.deepEqual([settled.state.isClean, word(settled.state)], [true, 'saved']);
  const typed = { ...beans, value: 'Cress grows.\nI see it.' };
  const stored = (revision, title) => lesson(revision, { title });
  const merged = after(
    stored(1, 'Cress grows.'),
    ...[typed, flushed, tooLong, ...refused, { type: 'took', stored: stored(2, 'The cress grows.') }],
  );
  assert.equal(merged.state.changes.get('title').value, 'The cress grows.\nI see it.');
  assert.equal(word(merged.state), 'refused');
  const sent = after(CRESS, beans, flushed, tooLong, ...refused, { ...beans, value: 'Bean' }, flushed);
  assert.deepEqual(sent.state.sent.patch, { title: 'Bean' });
});

test('text that becomes invalid while the service refuses its last value stays in its input', () => {
  const { state } = after(
    ...[CRESS, beans, flushed, tooLong, { ...beans, fault: 'No.' }],
    { type: 'resent', isSent: false, fields: ['title'], violations: [] },
    { type: 'took', stored: lesson(2, { title: 'Beans', grade: 5 }) },
  );
  assert.equal(word(state), 'refused');
});

/** A service, a browser with drafts, and a window in which a person writes. A new lesson has no revision yet. */
class World {
  constructor(random, isNew) {
    Object.assign(this, { random, content: { a: '', b: '', c: '' }, drafts: new Map(), typed: [] });
    this.revision = isNew ? undefined : 1;
    this.versions = isNew ? [] : [this.now()];
    this.open();
  }
  now() {
    return { ...lesson(this.revision, { ...this.content }), _id: this.revision ? 'a1' : 'new-1' };
  }
  /** Opens the lesson, as after a crash: only the drafts in the browser are left. */
  open() {
    this.asked = null;
    this.state = new State(this.now());
    const own = [...this.drafts]
      .map(([name, draft]) => [name.split(' '), draft])
      .filter(([[id]]) => id === this.now()._id);
    this.happen({ type: 'found', found: new Map(own.map(([[, field], draft]) => [field, { ...draft }])) });
  }
  happen(event) {
    const { state, effects } = next(this.state, event);
    this.state = state;
    for (const effect of effects) {
      const { field, value } = effect;
      const change = state.changes.get(field);
      const [kept, forgotten] = [`${state.stored._id} ${field}`, `${effect.id} ${field}`];
      if (effect.do === 'keep' && change) this.drafts.set(kept, { value: change.value, base: change.base });
      if (effect.do === 'forget' && this.drafts.get(forgotten)?.value === value) this.drafts.delete(forgotten);
      if (['send', 'read', 'look', 'resend'].includes(effect.do))
        this.asked = { ...effect, revision: state.stored.revision };
    }
  }
  store(patch) {
    Object.assign(this.content, patch);
    this.revision = (this.revision ?? 0) + 1;
    this.versions.push(this.now());
  }
  write(field, words) {
    const text = ` ${words}${this.typed.length}x.`;
    this.typed.push(text.trim());
    return text;
  }
  edit() {
    const field = 'abc'[this.random(3)];
    const change = this.state.changes.get(field);
    const before = String((change ? change.value : own(this.state.stored, field)) ?? '');
    const text = this.write(field, 'mine');
    const fault = this.random(8) === 0 ? 'No.' : undefined;
    this.happen({ type: 'edited', field, value: this.random(4) === 0 ? text + before : before + text, fault });
  }
  /** Corrects the fields whose texts are invalid. */
  correct() {
    for (const [field, { value, held }] of this.state.changes)
      if (held === 'invalid') this.happen({ type: 'edited', field, value });
  }
  /** Stores a change by another person. */
  meanwhile() {
    const field = 'abc'[this.random(3)];
    this.store({ [field]: this.content[field] + this.write(field, 'theirs') });
  }
  /** Answers the request, if there is one. The network loses the request if `luck` is 0, and the answer if it is 1. */
  answer(luck) {
    const { asked } = this;
    if (!asked) return;
    this.asked = null;
    if (luck === 0) return this.happen(failed('away'));
    if (asked.do === 'look') return this.happen({ type: 'found', found: new Map() });
    // A creation that is sent again creates nothing, and its answer has the lesson that was created first.
    const isAgain = asked.do === 'send' && asked.revision === undefined && this.revision !== undefined;
    const isStale = asked.do === 'send' && asked.revision !== this.revision;
    if (isStale && !isAgain) return this.happen(failed('stale'));
    if (asked.do === 'send' && !isAgain) this.store(asked.patch);
    if (luck === 1) return this.happen(failed('away'));
    this.happen({ type: asked.do === 'send' ? 'answered' : 'read', stored: this.now() });
  }
  decide() {
    const [clash] = this.state.clashes;
    if (clash) this.happen({ type: 'chosen', ...clash, choice: clash.conflict.both ? 'both' : 'mine' });
  }
  /** Returns the typed texts that are neither stored nor kept by this browser. */
  lost() {
    const all = JSON.stringify([this.versions, [...this.drafts.values()].map(({ value }) => value)]);
    return this.typed.filter((text) => !all.includes(text));
  }
}

test('no typed text is lost in thousands of random steps', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = randomOf(seed);
    const world = new World(random, seed % 2 === 0);
    // Other people cannot change a lesson before it is stored. While the request that creates the lesson has no answer,
    // the window stays open.
    const isKnown = () => world.state.stored.revision !== undefined;
    for (let step = 0; step < 150; step += 1) {
      const chance = random(20);
      if (chance < 7) world.edit();
      else if (chance < 9) isKnown() && world.meanwhile();
      else if (chance < 15) world.answer(random(5));
      else if (chance < 17 && !world.asked) world.happen(flushed);
      else if (chance === 17 && !world.asked && isKnown()) world.happen({ type: 'outdated' });
      else if (chance === 18) world.decide();
      else if (random(4) === 0 && (isKnown() || !world.state.sent)) world.open();
      assert.deepEqual(world.lost(), [], `seed ${seed}, step ${step}`);
    }
    for (let step = 0; step < 100 && (word(world.state) !== 'saved' || world.asked); step += 1) {
      if (world.asked) world.answer(2);
      else world.happen(flushed);
      world.correct();
      world.decide();
    }
    assert.equal(word(world.state), 'saved', `seed ${seed}`);
    const lost = world.typed.filter((text) => !JSON.stringify(world.versions).includes(text));
    assert.deepEqual([lost, world.drafts.size], [[], 0], `seed ${seed}`);
  }
});
