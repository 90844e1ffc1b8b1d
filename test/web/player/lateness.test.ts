import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lateness } from '../../../web/src/player/lateness.ts';

test('a frame that is shown after its time, or passed over, is late', () => {
  // [last frame, frame that is shown, frame that is due, shown, late]
  const rows = [
    ['in time', 4, 5, 5, 1, 0],
    ['before its time', 4, 5, 4, 1, 0],
    ['one too late', 4, 5, 6, 1, 1],
    ['two passed over', 4, 7, 7, 3, 2],
    ['two passed over, and too late', 4, 7, 8, 3, 3],
    ['the same again', 5, 5, 6, 0, 0],
  ] as const;
  for (const [name, last, number, due, shown, late] of rows) {
    const lateness = new Lateness();
    lateness.note(last, number, due);
    assert.deepEqual([lateness.shown, lateness.late], [shown, late], name);
  }
});

test('drawing is too slow if over a fifth of the last 60 frames are late', () => {
  // [frames in time, then late ones, then frames in time, is it too slow]
  const rows = [
    [47, 13, 0, true],
    [48, 12, 0, false],
    [46, 13, 0, false],
    [0, 13, 47, true],
    [0, 13, 48, false],
    [500, 13, 0, true],
  ] as const;
  for (const [before, late, after, expected] of rows) {
    const lateness = new Lateness();
    const { length } = [before, late, after].flatMap((count, part) =>
      Array.from({ length: count }, () => lateness.note(0, 1, part === 1 ? 2 : 1)),
    );
    assert.deepEqual([lateness.shown, lateness.late], [length, late]);
    assert.equal(lateness.isTooSlow(), expected, `${[before, late, after]}`);
    assert.equal(lateness.isTooSlow(), false, 'frames are judged once');
    assert.equal(lateness.late, late, 'the whole count stays');
  }
});

test('after a reset nothing counts', () => {
  const lateness = new Lateness();
  for (let frame = 0; frame < 60; frame++) lateness.note(0, 1, 2);
  lateness.reset();
  assert.deepEqual([lateness.shown, lateness.late, lateness.isTooSlow()], [0, 0, false]);
});
