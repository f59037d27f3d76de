// The meaning of keys on different keyboards.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import './browser.js';

const { endsLine, stepOf } = await import('../../ui/core/input.js');
const { SHORTCUTS, namesOf } = await import('../../ui/core/shortcuts.js');

/** Returns the event that a browser reports for keys that are pressed together. */
function pressed(held, key, code, more = {}) {
  return {
    key,
    code,
    ctrlKey: held.includes('Control'),
    metaKey: held.includes('Meta'),
    altKey: held.includes('Alt'),
    shiftKey: held.includes('Shift'),
    getModifierState: (name) => held.includes(name),
    ...more,
  };
}

test('the shortcuts of undo and redo follow the letters printed on each keyboard', () => {
  const table = [
    ['English', ['Control'], 'z', 'KeyZ', 'undo'],
    ['English', ['Control', 'Alt'], 'z', 'KeyZ', 'undo'],
    ['English', ['Control', 'Shift'], 'Z', 'KeyZ', 'redo'],
    ['English', ['Control'], 'y', 'KeyY', 'redo'],
    ['English, on a Mac', ['Meta'], 'z', 'KeyZ', 'undo'],
    ['English, on a Mac, in a text', ['Meta', 'Alt'], 'Ω', 'KeyZ', 'undo'],
    ['German, on a Mac, in a text', ['Meta', 'Alt'], 'Ω', 'KeyY', 'undo'],
    ['German, on a Mac, in a text', ['Meta', 'Alt', 'Shift'], 'ˇ', 'KeyY', 'redo'],
    ['German, on a Mac, in a text', ['Meta', 'Alt'], '¥', 'KeyZ', 'redo'],
    ['German', ['Control'], 'z', 'KeyY', 'undo'],
    ['German', ['Control'], 'y', 'KeyZ', 'redo'],
    ['French', ['Control'], 'z', 'KeyW', 'undo'],
    ['French', ['Control'], 'w', 'KeyZ', null],
    ['Greek', ['Control'], 'ζ', 'KeyZ', 'undo'],
    ['Russian', ['Control'], 'я', 'KeyZ', 'undo'],
    ['Polish, right Alt', ['Control', 'Alt', 'AltGraph'], 'ż', 'KeyZ', null],
    ['English', [], 'z', 'KeyZ', null],
  ];
  for (const [keyboard, held, key, code, expected] of table)
    assert.equal(stepOf(pressed(held, key, code)), expected, `${keyboard}: ${held.join(' + ')} + ${key}`);
});

test('Enter ends a line unless it confirms a Japanese or Chinese word', () => {
  const table = [
    [[], { isComposing: false, keyCode: 13 }, true],
    [['Shift'], { isComposing: false, keyCode: 13 }, false],
    [[], { isComposing: true, keyCode: 229 }, false],
    // Safari reports the end of the composition before the key.
    [[], { isComposing: false, keyCode: 229 }, false],
  ];
  for (const [held, more, expected] of table)
    assert.equal(endsLine(pressed(held, 'Enter', 'Enter', more)), expected, JSON.stringify(more));
});

test('the guide for authors lists the same shortcuts as the page', async () => {
  const page = await readFile(new URL('../../docs/authors/using-the-page.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Keys'));
  const expected = SHORTCUTS.map(([keys, does]) => `| ${namesOf(keys, false)} | ${namesOf(keys, true)} | ${does} |`);
  assert.deepEqual(rows, expected);
});
