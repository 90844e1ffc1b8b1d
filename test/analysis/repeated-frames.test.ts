/** Motion does not depend on the rate at which pictures are stored: a repeated picture is not motion. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MotionFacts } from '../../src/analysis/facts.ts';
import { analyseMotion } from '../../src/analysis/motion.ts';
import { MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import { MotionLogWriter, readMotionLog } from '../../src/analysis/optical-flow/log.ts';
import { VideoAnalysis } from '../../src/analysis/video.ts';
import type { Frame, Picture } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { motionIntensity } from '../../src/style/extract/extract.ts';
import { mediaPath } from '../support/media.ts';
import { changed, noiseScene, noiseSource, type Placing, viewOf } from '../support/moving-picture.ts';

const SIZE = [160, 90] as const;
const DIAGONAL = Math.hypot(...SIZE);
const SECONDS = 3;
const scene = noiseScene(21, 900, 500, 4);

type Movement = (seconds: number) => Placing;
/** 22 pixels a second to the right, 9 down. */
const PAN: Movement = (t) => ({ x: 22 * t - 33, y: 9 * t - 13 });
const ZOOM: Movement = (t) => ({ logScale: 0.12 * t - 0.18 });

interface Storing {
  /** Rate at which the scene is filmed. */
  readonly filmed: number;
  readonly stored: number;
  /** Number of the filmed picture that is the stored one `index`. */
  readonly pictureAt?: (index: number) => number;
}

/** Film on video: two fields of a picture, then three, with the fields combined to whole frames. */
const PULLDOWN = (index: number) => 4 * Math.floor(index / 5) + [0, 1, 2, 2, 3][index % 5]!;
/** Each kind of repetition: none, of all, of some, in pairs, in turns. */
const USUAL: readonly Storing[] = [
  { filmed: 24, stored: 24 },
  { filmed: 12, stored: 60 },
  { filmed: 24, stored: 30 },
  { filmed: 25, stored: 50 },
  { filmed: 24, stored: 30, pictureAt: PULLDOWN },
];
const ALL: readonly Storing[] = [
  ...[12, 24, 25, 30, 50, 60].map((rate) => ({ filmed: rate, stored: rate })),
  ...[24, 25, 30, 50, 60].map((stored) => ({ filmed: 12, stored })),
  ...[30, 50, 60, 120].map((stored) => ({ filmed: 24, stored })),
  ...[30, 50, 60].map((stored) => ({ filmed: 25, stored })),
  { filmed: 30, stored: 60 },
  { filmed: 24, stored: 30, pictureAt: PULLDOWN },
];

/** `npm run test:long` tries all. */
const IS_LONG = process.env['TEST_LONG'] === '1';
const STORED = IS_LONG ? ALL : USUAL;

/** Stored pictures differ by noise of encoding even where they repeat. */
function motionOf(movement: Movement, { filmed, stored, pictureAt }: Storing): MotionFacts {
  const at = pictureAt ?? ((index) => Math.floor((index * filmed) / stored + 1e-6));
  const random = noiseSource(4);
  const estimator = new MotionFieldEstimator();
  const writer = new MotionLogWriter();
  const drawn = new Map<number, Picture>();
  const count = SECONDS * stored;
  for (let index = 0; index < count; index++) {
    const number = at(index);
    const picture = drawn.get(number) ?? viewOf(scene, ...SIZE, movement(number / filmed));
    drawn.set(number, picture);
    const noisy = changed(picture, (value) => value + 0.6 * random());
    const field = estimator.push(noisy, undefined, 1, index === 0 ? Number.POSITIVE_INFINITY : 1 / stored);
    writer.push(index / stored, field);
  }
  return analyseMotion(readMotionLog(writer.finish()), plainFacts(count, stored));
}

/** Facts of one shot without captions or subjects. */
function plainFacts(frameCount: number, framesPerSecond: number) {
  const analysis = new VideoAnalysis(
    { width: 160, height: 90, hdr: false, isStill: false, containerDurationSeconds: SECONDS },
    { withSubjects: false },
  );
  const grey = { width: 16, height: 9, channels: 1, data: new Uint8Array(144) } as const;
  const color = { width: 48, height: 27, channels: 3, data: new Uint8Array(3 * 48 * 27) } as const;
  for (let index = 0; index < frameCount; index++)
    analysis.push({ index, timeSeconds: index / framesPerSecond, color, grey, detail: null });
  return analysis.finish().facts;
}

const nameOf = ({ filmed, stored, pictureAt }: Storing) =>
  `${filmed} a second, stored at ${stored}${pictureAt === undefined ? '' : ', as pulldown'}`;

describe('a pan of known speed', () => {
  const speed = Math.hypot(22, 9) / DIAGONAL;
  for (const storing of STORED)
    test(nameOf(storing), () => {
      const { medianSpeed, zoomShare, shots } = motionOf(PAN, storing);
      // Each second or third picture alone has noise of its vectors: 2 % of this speed.
      assert.ok(Math.abs(medianSpeed / speed - 1) < 0.06, `${medianSpeed}, not ${speed}`);
      assert.deepEqual([zoomShare, shots[0]!.label], [0, 'pan']);
    });
});

describe('a zoom of known speed', () => {
  for (const storing of STORED)
    test(nameOf(storing), () => {
      const { zoomShare, shots } = motionOf(ZOOM, storing);
      assert.ok(zoomShare > 0.94, `${zoomShare} of the time`);
      assert.equal(shots[0]!.label, 'zoom_in');
      // The first and the last picture are at most a twelfth of a second from the ends.
      assert.ok(Math.abs(shots[0]!.zoom - 0.12 * SECONDS) < 0.02, `${shots[0]!.zoom}`);
    });
});

test('a stop is no repeat: motion before and after it keeps its time', () => {
  const stopped: Movement = (t) => PAN(Math.min(t, 1) + Math.max(0, t - 2));
  const { activity } = motionOf(stopped, { filmed: 24, stored: 60 });
  const speed = Math.hypot(22, 9) / DIAGONAL;
  const [before, during, after] = activity as [number, number, number];
  for (const moving of [before, after]) assert.ok(Math.abs(moving / speed - 1) < 0.15, `${activity}`);
  assert.ok(during < 0.15 * speed, `${activity}`);
});

const clip = mediaPath('video/cartoon_surf_8s.mp4');
test('a real clip of 24 pictures a second, stored at other rates', {
  skip: clip === null && 'needs ../shared/media',
}, async () => {
  const pictures: Frame[] = [];
  const copyOf = (picture: Picture) => ({ ...picture, data: Uint8Array.from(picture.data) });
  for await (const frame of openFrames(clip!))
    pictures.push({
      ...frame,
      color: copyOf(frame.color) as Frame['color'],
      grey: copyOf(frame.grey),
      detail: null,
    });
  const measured = (filmed: number, stored: number) => {
    const analysis = new VideoAnalysis(
      { width: 1280, height: 720, hdr: false, isStill: false, containerDurationSeconds: 8 },
      { withSubjects: false },
    );
    for (let index = 0; index < 8 * stored; index++) {
      const shown = Math.floor((Math.floor((index * filmed) / stored + 1e-6) * 24) / filmed);
      analysis.push({ ...pictures[shown]!, index, timeSeconds: index / stored });
    }
    const { facts, motionLog } = analysis.finish();
    return motionIntensity(analyseMotion(readMotionLog(motionLog), facts));
  };
  const allRates = [
    [24, [30, 48, 50, 60]],
    [12, [24, 25, 60]],
  ] as const;
  for (const [filmed, rates] of IS_LONG ? allRates : ([[24, [30, 60]]] as const)) {
    const intensity = measured(filmed, filmed);
    for (const stored of rates) {
      const again = measured(filmed, stored);
      // Steps of two and three frames take turns, and the median is over stretches of a fifth of a second.
      assert.ok(Math.abs(again / intensity - 1) < 0.1, `${filmed} in ${stored}: ${again}, not ${intensity}`);
    }
  }
});
