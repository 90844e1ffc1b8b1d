/** The moments of a rendered segment that are kept as pictures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pictureFrames } from '../../src/render/previews/segment-pictures.ts';

const RATE = 30;
const JPEG_COLUMNS = 65_535;
const POSTER_COLUMNS = 640;

test('pictures of a segment are the middles of equal parts, one for each 2.5 seconds', () => {
  assert.deepEqual(pictureFrames({ from: 0, to: 12 }, RATE), [6]);
  assert.deepEqual(pictureFrames({ from: 300, to: 450 }, RATE), [337, 412]);
});

test('a segment of any length has pictures that fit into one JPEG, from its beginning to its end', () => {
  const to = 4 * 3600 * RATE;
  const frames = pictureFrames({ from: 0, to }, RATE);
  assert.ok(frames.length * POSTER_COLUMNS <= JPEG_COLUMNS, `${frames.length} pictures`);
  assert.ok(frames[0]! < to / frames.length && frames.at(-1)! > to - to / frames.length);
});
