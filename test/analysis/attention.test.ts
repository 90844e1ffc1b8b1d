/** Salience: colors that the edges lack, and sharp areas. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AttentionMeter } from '../../src/analysis/subjects/attention.ts';
import type { Frame, Picture } from '../../src/domain/footage.ts';

const SHOTS = [
  { startFrame: 0, endFrame: 25, startSeconds: 0, endSeconds: 1 },
  { startFrame: 25, endFrame: 50, startSeconds: 1, endSeconds: 2 },
];

function picture(
  width: number,
  height: number,
  channels: 1 | 3,
  at: (x: number, y: number) => number[],
): Picture {
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      data.set(at((x + 0.5) / width, (y + 0.5) / height), channels * (y * width + x));
  return { width, height, channels, data };
}

/** A grey picture with a red area and an area of a one-pixel checkerboard. */
function frame(
  index: number,
  red: (x: number, y: number) => boolean,
  sharp: (x: number, y: number) => boolean,
): Frame {
  let pixel = 0;
  return {
    index,
    timeSeconds: index / 25,
    color: picture(48, 27, 3, (x, y) => (red(x, y) ? [200, 30, 30] : [120, 120, 120])),
    grey: picture(160, 90, 1, (x, y) => {
      pixel++;
      return [sharp(x, y) ? 120 + 40 * (pixel % 2) : 120];
    }),
    detail: null,
  };
}

function profiles(...scenes: readonly Parameters<typeof frame>[]): ReturnType<AttentionMeter['finish']> {
  const meter = new AttentionMeter();
  for (const scene of scenes) meter.push(frame(...scene));
  return meter.finish(SHOTS);
}

const within = (from: number, to: number) => (x: number, y: number) =>
  x > from && x < to && y > 0.4 && y < 0.7;
const nowhere = () => false;
/** Sum over the parts between two shares of a side. */
const between = (values: readonly number[], from: number, to: number) =>
  values.reduce((sum, value, at) => ((at + 0.5) / 24 > from && (at + 0.5) / 24 < to ? sum + value : sum), 0);
const near = (observed: number, expected: number) =>
  assert.ok(Math.abs(observed - expected) < 0.03, `${observed}, not ${expected}`);

describe('attention', () => {
  test('half of it is color, half is sharpness', () => {
    const [first] = profiles([0, within(0.6, 0.8), within(0.1, 0.3)]);
    near(between(first!.across, 0.58, 0.82), 0.5);
    near(between(first!.across, 0.07, 0.33), 0.5);
    near(between(first!.down, 0.36, 0.74), 1);
  });

  test('each shot has its own; without anything salient all parts are equal', () => {
    const [first, second] = profiles([0, within(0.6, 0.8), within(0.6, 0.8)], [30, nowhere, nowhere]);
    near(between(first!.across, 0.57, 0.83), 1);
    near(between(second!.across, 0, 0.5), 0.5);
    near(Math.max(...second!.down), 1 / 24);
  });

  test('black bars do not count', () => {
    const meter = new AttentionMeter();
    const bars = { x: 0, y: 0.25, width: 1, height: 0.5 };
    const scene = frame(0, within(0.6, 0.8), nowhere);
    const data = scene.color.data.map((value, at) => {
      const row = Math.floor(at / (3 * 48)) / 27;
      return row < 0.25 || row > 0.75 ? 0 : value;
    });
    meter.push({ ...scene, color: { ...scene.color, data } }, bars);
    const [first] = meter.finish(SHOTS);
    near(between(first!.down, 0, 0.2) + between(first!.down, 0.8, 1), 0.2);
    assert.ok(between(first!.across, 0.57, 0.83) > 0.6);
  });

  test('a shot without a measured frame has none', () => {
    const [, second] = profiles([0, nowhere, nowhere]);
    assert.deepEqual([...new Set(second!.across)], [0]);
  });
});
