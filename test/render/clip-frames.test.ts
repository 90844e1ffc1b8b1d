/** From source frames to output frames: moving framings, sampled frames, and forwarded ones. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Frame } from 'node-av/lib';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { ClipFrames } from '../../src/render/picture/clip-frames.ts';
import { FramePool } from '../../src/render/picture/frame-pool.ts';
import { GradeKernel } from '../../src/render/picture/grade-kernel.ts';
import { SourceSampler } from '../../src/render/picture/luma-samples.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { cubeOf } from '../../src/style/look/grade.ts';
import type { Clip } from '../../src/style/model/timeline.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const SOURCE = { width: 160, height: 96 };
const OUTPUT = { width: 80, height: 48 };
const [START_FRAME, END_FRAME] = [10, 21];
/** Inverts the lightness, so that graded frames are easy to identify. */
const NEGATIVE = new GradeKernel(
  cubeOf({
    ...IDENTITY_GRADE,
    lightness: [
      { in: 0, out: 100 },
      { in: 100, out: 0 },
    ],
  }),
);

/** Luma is the column, 16 at the left and one more for each; blue chroma the row of chroma, 60 at the top and one more for each row of luma. */
function ramps(): Frame {
  const frame = emptyFrame(SOURCE.width, SOURCE.height);
  const [luma, blue, red] = planesOf(frame);
  for (let y = 0; y < luma.height; y++)
    for (let x = 0; x < luma.width; x++) luma.data[y * luma.stride + x] = 16 + x;
  for (let y = 0; y < blue.height; y++)
    blue.data.fill(60 + 2 * y, y * blue.stride, y * blue.stride + blue.width);
  red.data.fill(128);
  return frame;
}

/** Which part of the source a frame shows: its first column and row, and how many columns and rows, in pixels. */
function seen(frame: Frame) {
  const [luma, blue] = planesOf(frame);
  const lumaAt = (x: number) => luma.data[20 * luma.stride + x];
  const blueAt = (y: number) => blue.data[y * blue.stride + 8];
  // Away from the edges, where the sampler has neighbours on both sides.
  const across = (lumaAt(luma.width - 9) - lumaAt(8)) / (luma.width - 17);
  const down = (blueAt(blue.height - 5) - blueAt(4)) / (blue.height - 9);
  return {
    x: lumaAt(8) - 16 - 8 * across,
    y: blueAt(4) - 60 - 4 * down,
    width: across * luma.width,
    height: down * blue.height,
  };
}

interface Drawn {
  readonly number: number;
  readonly shows: ReturnType<typeof seen> | null;
  readonly sampled: boolean;
  readonly first: number;
}

function drawnBy(
  change: Partial<Clip>,
  {
    firstFrame = START_FRAME,
    endFrame = END_FRAME,
    sourceSeconds = (number: number) => number / 25,
    grade = null as GradeKernel | null,
  } = {},
): Drawn[] {
  const clip = timelineClip(0, 1, change);
  const frameRate = { numerator: 25, denominator: 1 };
  const timeline = { version: 2, frameRate, ...OUTPUT, clips: [clip], transitions: [] } as const;
  using sampler = new SourceSampler();
  using pool = new FramePool(OUTPUT);
  using frames = new ClipFrames({
    ...{ clip, grade, sampler, pool, firstFrame, startFrame: START_FRAME, endFrame },
    timeline: { ...timeline, takes: [{ grade: null }], audio: null, captions: [] },
    samplingInterval: 4,
    video: () => ({ ...SOURCE, matrix: 'auto', colors: '' }),
  });
  using source = ramps();
  const drawn: Drawn[] = [];
  const collect = () => {
    for (let next = frames.take(firstFrame + drawn.length); next !== null; ) {
      const number = firstFrame + drawn.length;
      const [luma] = planesOf(next.frame);
      drawn.push({ number, shows: seen(next.frame), sampled: next.expected !== null, first: luma.data[0] });
      assert.equal(frames.take(number), null, 'it is handed over once');
      pool.give(next.frame);
      next = frames.take(firstFrame + drawn.length);
    }
  };
  for (let number = firstFrame; number < endFrame; number++) {
    frames.push(source, number, sourceSeconds(number));
    collect();
  }
  frames.end();
  collect();
  assert.equal(planesOf(source)[0].data[0], 16, 'the frame that is handed in stays as it is');
  return drawn;
}

const near = (found: ReturnType<typeof seen>, wanted: ReturnType<typeof seen>, what: string) => {
  for (const name of ['x', 'y', 'width', 'height'] as const)
    assert.ok(
      Math.abs(found[name] - wanted[name]) <= 1.5,
      `${what}: ${name} ${found[name]}, not ${wanted[name]}`,
    );
};

describe('a framing that moves', () => {
  const from = { x: 0.125, y: 0.25, width: 0.5, height: 0.5 };
  const to = { x: 0.375, y: 0.5, width: 0.5, height: 0.5 };

  for (const firstFrame of [START_FRAME, 15])
    test(`shows the part that is meant for each frame, drawn from ${firstFrame} on`, () => {
      const drawn = drawnBy({ from, to }, { firstFrame });
      assert.equal(drawn.length, END_FRAME - firstFrame);
      for (const { number, shows } of drawn) {
        const share = (number - START_FRAME) / (END_FRAME - 1 - START_FRAME);
        near(shows!, { x: 20 + 40 * share, y: 24 + 24 * share, width: 80, height: 48 }, `${number}`);
      }
    });

  test('of two frames shows its beginning and its end', () => {
    const drawn = drawnBy({ from, to }, { endFrame: START_FRAME + 2 });
    assert.equal(drawn.length, 2);
    near(drawn[0].shows!, { x: 20, y: 24, width: 80, height: 48 }, 'first');
    near(drawn[1].shows!, { x: 60, y: 48, width: 80, height: 48 }, 'last');
  });

  test('and grows, shows more of the source', () => {
    const wide = { x: 0.125, y: 0.125, width: 0.75, height: 0.75 };
    const drawn = drawnBy({ from, to: wide });
    near(drawn[0].shows!, { x: 20, y: 24, width: 80, height: 48 }, 'first');
    near(drawn.at(-1)!.shows!, { x: 20, y: 12, width: 120, height: 72 }, 'last');
  });

  /** It begins half an output frame of .04 s before the key: a source of the same rate is never late by one. */
  for (const { seconds, x } of [
    { seconds: 0.479, x: 40 },
    { seconds: 0.481, x: 48 },
  ])
    test(`against a shake is that of the frame on screen at ${seconds} s`, () => {
      const standing = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
      const steady = [
        { timeSeconds: 0, x: 0, y: 0 },
        { timeSeconds: 0.5, x: 0.05, y: 0 },
      ];
      const [first] = drawnBy({ from: standing, to: standing, steady }, { sourceSeconds: () => seconds });
      near(first!.shows!, { x, y: 24, width: 80, height: 48 }, 'the first');
    });
});

describe('any clip', () => {
  const standing = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
  const gliding = { ...standing, x: 0.3 };

  for (const to of [standing, gliding])
    test(`is sampled every fourth frame and graded last, ${to === standing ? 'standing' : 'moving'}`, () => {
      const plain = drawnBy({ from: standing, to });
      assert.deepEqual(
        plain.filter(({ sampled }) => sampled).map(({ number }) => number),
        [12, 16, 20],
      );
      near(plain[0].shows!, { x: 40, y: 24, width: 80, height: 48 }, 'the first');
      const graded = drawnBy({ from: standing, to }, { grade: NEGATIVE });
      assert.equal(graded.length, plain.length);
      assert.ok(Math.abs(plain[0].first - 56) <= 1, `${plain[0].first}`);
      assert.ok(graded[0].first > 150, `${graded[0].first}`);
    });
});
