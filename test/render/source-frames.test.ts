/** Which frame of a source is on screen at a time, which are buffered, and which are reported. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Frame } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { SourceFrames } from '../../src/render/picture/source-frames.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';

/** Ten frames, 25 a second. */
const COUNT = 10;
const HALF_FRAME = 0.02;
let path: string;
before(async () => {
  const shape = { width: 160, height: 90, durationSeconds: COUNT / 25, silent: true };
  path = await makeClip(temporaryFolder(), { name: 'ten', ...shape });
});

function numberOf(frame: Frame): number {
  const [{ data, stride, width, height }] = planesOf(frame);
  const row = (height >> 1) * stride;
  return readNumber({ width, height: 1, channels: 1, data: data.subarray(row, row + width) });
}

async function opened(work: (source: SourceFrames, decoded: readonly number[]) => void): Promise<void> {
  using input = await openInput(path);
  const decoded: number[] = [];
  using source = await SourceFrames.open(input, {}, (_frame, seconds) =>
    decoded.push(Math.round(seconds * 25)),
  );
  work(source, decoded);
}

describe('the frame on screen', () => {
  for (const { at, number } of [
    { at: -1, number: 0 },
    { at: 0, number: 0 },
    { at: 0.2 - HALF_FRAME - 0.001, number: 4 },
    { at: 0.2 - HALF_FRAME + 0.001, number: 5 },
    { at: 9, number: COUNT - 1 },
  ])
    test(`at ${at} s is number ${number}`, () =>
      opened((source) => assert.equal(numberOf(source.at(at, HALF_FRAME, at)), number)));
});

test('frames that may still be requested are buffered, and no others', () =>
  opened((source) => {
    source.at(0.2, HALF_FRAME, 0.08);
    assert.equal(source.earliestSeconds, 0.08);
    assert.equal(numberOf(source.at(0.08, HALF_FRAME, 0.08)), 2);
    // From number 2 on to 3, and then nothing before the one on screen: 4 and 5 lie between, 6 is the next.
    source.at(0.36, HALF_FRAME, 0.08, 0.12);
    assert.equal(numberOf(source.at(0.12, HALF_FRAME, 0.12, 0.12)), 3);
    assert.equal(numberOf(source.at(0.36, HALF_FRAME, 0.36)), 9);
    assert.equal(source.heldCount, 1);
  }));

test('of what lies between nothing is held but the frame on screen at the end, and the next', () =>
  opened((source) => {
    source.at(0.28, 0, 0.08, 0.12);
    // 2 and 3, 7 and 8.
    assert.equal(source.earliestSeconds, 0.08);
    assert.equal(source.heldCount, 4);
    for (const number of [2, 3, 7])
      assert.equal(numberOf(source.at(number / 25, 0, number / 25, 0.12)), number);
  }));

test('skipped frames are reported too, once each, up to the end', () =>
  opened((source, decoded) => {
    source.at(0.04, HALF_FRAME, 0.04);
    const before = decoded.length;
    let skipped = 0;
    while (source.skip()) skipped++;
    assert.deepEqual(decoded, [...Array(COUNT).keys()]);
    assert.equal(skipped, COUNT - before);
    assert.equal(source.skip(), false);
  }));
