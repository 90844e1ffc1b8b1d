import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MotionFacts, Transition, VideoFacts } from '../../src/analysis/facts.ts';
import { analyseMotion } from '../../src/analysis/motion.ts';
import { MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import { MotionLogWriter, readMotionLog } from '../../src/analysis/optical-flow/log.ts';
import type { Picture } from '../../src/domain/footage.ts';
import { pictureFacts } from '../support/clip-facts.ts';
import {
  changed,
  noiseScene,
  noiseSource,
  type Placing,
  plainPicture,
  viewOf,
} from '../support/moving-picture.ts';

const SIZE = [160, 90] as const;

function writeLog(pictures: Iterable<Picture>, framesPerSecond: number): Uint8Array {
  const estimator = new MotionFieldEstimator();
  const writer = new MotionLogWriter();
  let index = 0;
  for (const picture of pictures) writer.push(index++ / framesPerSecond, estimator.push(picture));
  return writer.finish();
}

/** The same of every second picture, the others skipped. */
function writeThinnedLog(pictures: readonly Picture[], framesPerSecond: number): Uint8Array {
  const estimator = new MotionFieldEstimator();
  const writer = new MotionLogWriter();
  for (let i = 0; i < pictures.length; i += 2) {
    const skipped = i === 0 ? [] : [(i - 1) / framesPerSecond];
    writer.push(i / framesPerSecond, estimator.push(pictures[i]), skipped);
  }
  return writer.finish();
}

/** Facts of a clip without captions, whose only transitions are hard cuts before these frames. */
function clipFacts(frameCount: number, framesPerSecond: number, cuts: readonly number[] = []): VideoFacts {
  const bounds = [0, ...cuts, frameCount];
  const transitions = cuts.map(
    (frame): Transition => ({
      type: 'cut',
      startFrame: frame - 1,
      endFrame: frame,
      startSeconds: (frame - 1) / framesPerSecond,
      endSeconds: frame / framesPerSecond,
      easing: 'linear',
      confidence: 1,
    }),
  );
  const statistics = {
    lightnessPercentiles: new Array<number>(21).fill(50),
    meanA: 0,
    meanB: 0,
    covariance: [0, 0, 0],
    tones: { shadows: null, midtones: null, highlights: null },
    neutral: { a: 0, b: 0, share: 0 },
    medianChroma: 0,
    skin: null,
    clipped: [0, 0],
  } as const;
  return {
    durationSeconds: frameCount / framesPerSecond,
    frameCount,
    frameRate: { numerator: framesPerSecond, denominator: 1 },
    variableFrameRate: false,
    width: 160,
    height: 90,
    hdr: false,
    isStill: false,
    activeArea: { x: 0, y: 0, width: 1, height: 1 },
    shotAreas: [],
    shots: bounds.slice(0, -1).map((startFrame, i) => ({
      startFrame,
      endFrame: bounds[i + 1],
      startSeconds: startFrame / framesPerSecond,
      endSeconds: bounds[i + 1] / framesPerSecond,
    })),
    transitions,
    shotConfidence: 1,
    color: {
      clip: statistics,
      shots: [],
      palette: [],
      moments: { width: 0, height: 0, timesSeconds: [], areas: [], rgb: '' },
      confidence: 0,
    },
    picture: pictureFacts(),
    captions: { share: 0, spans: [], style: null, confidence: 0 },
    salientTracks: [],
    figures: [],
    attention: [],
    cards: [],
    faces: [],
  };
}

function analyse(
  pictures: readonly Picture[],
  framesPerSecond: number,
  cuts: readonly number[] = [],
  write: typeof writeThinnedLog = writeLog,
): MotionFacts {
  const log = readMotionLog(write(pictures, framesPerSecond));
  return analyseMotion(log, clipFacts(log.timesSeconds.length, framesPerSecond, cuts));
}

const scene = noiseScene(21, 640, 360, 4);

function film(seconds: number, framesPerSecond: number, placing: (seconds: number) => Placing): Picture[] {
  const count = Math.round(seconds * framesPerSecond);
  const random = noiseSource(4);
  return Array.from({ length: count }, (_, i) =>
    changed(viewOf(scene, ...SIZE, placing(i / framesPerSecond)), (value) => value + 2 * random()),
  );
}

test('camera moves get their label at any frame rate', () => {
  const moves: readonly [label: string, framesPerSecond: number, placing: (t: number) => Placing][] = [
    ['static', 25, () => ({})],
    ['pan', 25, (t) => ({ x: 24 * t - 24 })],
    ['pan', 8, (t) => ({ x: 12 - 12 * t })],
    ['tilt', 240, (t) => ({ y: 14 * t - 10 })],
    ['zoom_in', 25, (t) => ({ logScale: 0.08 * t })],
    ['zoom_out', 240, (t) => ({ logScale: 0.1 - 0.1 * t })],
    [
      'handheld',
      30,
      (t) => ({ x: 3 * Math.sin(15 * t) + 2 * Math.sin(27 * t), y: 3 * Math.sin(19 * t + 1) }),
    ],
  ];
  for (const [label, framesPerSecond, placing] of moves) {
    const { shots } = analyse(film(1.5, framesPerSecond, placing), framesPerSecond);
    assert.equal(shots.length, 1);
    assert.equal(
      shots[0].label,
      label,
      `${label} at ${framesPerSecond} frames a second: ${JSON.stringify(shots)}`,
    );
    assert.ok(shots[0].confidence >= 0.5, `${label}: ${shots[0].confidence}`);
  }
});

test('curve, speed and activity are in the units of the facts', () => {
  const facts = analyse(
    film(2, 25, (t) => ({ x: 20 * t - 20, logScale: 0.02 * t })),
    25,
  );
  const middle = 25;
  assert.ok(Math.abs(facts.curve.shiftX[middle] - 20 / 25 / 160) < 0.0005);
  assert.ok(Math.abs(facts.curve.logScale[middle] - 0.02 / 25) < 0.0003);
  assert.equal(facts.curve.shiftX[0], 0);
  const speed = 20 / Math.hypot(160, 90);
  assert.ok(Math.abs(facts.medianSpeed / speed - 1) < 0.05, `${facts.medianSpeed} for ${speed}`);
  assert.equal(facts.activity.length, 2);
  for (const value of facts.activity) assert.ok(Math.abs(value / speed - 1) < 0.05);
});

test('skipped frames have their part of the motion', () => {
  const pictures = film(2, 24, (t) => ({ x: 20 * t - 20, logScale: 0.02 * t }));
  const whole = analyse(pictures, 24);
  const thinned = analyse(pictures, 24, [], writeThinnedLog);
  assert.deepEqual(thinned.curve.timesSeconds, whole.curve.timesSeconds.slice(0, -1));
  assert.ok(Math.abs(thinned.medianSpeed / whole.medianSpeed - 1) < 0.03);
  for (let i = 1; i < thinned.curve.shiftX.length; i++) {
    assert.ok(Math.abs(thinned.curve.shiftX[i] - 20 / 24 / 160) < 0.0005, `shift at ${i}`);
    assert.ok(Math.abs(thinned.curve.logScale[i] - 0.02 / 24) < 0.0003, `scale at ${i}`);
  }
  assert.equal(thinned.shots[0].label, whole.shots[0].label);
});

test('zoom share counts the time under a zoom of one sign, not the sway of a hand', () => {
  const partly = analyse(
    film(4, 25, (t) => ({ logScale: 0.1 * Math.max(0, t - 2) })),
    25,
  );
  assert.ok(Math.abs(partly.zoomShare - 0.5) < 0.1, `${partly.zoomShare}`);
  const sway = analyse(
    film(3, 25, (t) => ({ logScale: 0.004 * Math.sin(9 * t) })),
    25,
  );
  assert.equal(sway.zoomShare, 0);
});

test('a cut into a closer framing is a punch-in, a cut to another scene is none', () => {
  const other = noiseScene(77, 640, 360, 4);
  const pictures = [
    ...film(1, 25, () => ({})),
    ...film(1, 25, () => ({ logScale: Math.log(1.18), x: 3, y: 2 })),
    ...Array.from({ length: 25 }, () => viewOf(other, ...SIZE)),
  ];
  const { punchIns, shots } = analyse(pictures, 25, [25, 50]);
  assert.equal(punchIns.length, 1);
  assert.equal(punchIns[0].timeSeconds, 1);
  assert.ok(Math.abs(punchIns[0].logScale - Math.log(1.18)) < 0.01);
  assert.deepEqual(
    shots.map((shot) => shot.label),
    ['static', 'static', 'static'],
  );
});

test('a moving object is followed through the shot', () => {
  const object = viewOf(noiseScene(8), 32, 32);
  const pictures = film(3, 25, () => ({})).map((picture, i) => {
    const left = 20 + Math.round(i * 0.8);
    for (let y = 0; y < 32; y++) {
      picture.data.set(object.data.subarray(32 * y, 32 * y + 32), (y + 30) * 160 + left);
    }
    return picture;
  });
  const { subjects, shots } = analyse(pictures, 25);
  assert.equal(shots[0].label, 'static');
  const [subject] = subjects;
  assert.ok(subject !== undefined && subject.salience > 0.3 && subject.endSeconds - subject.startSeconds > 2);
  for (const { timeSeconds, box } of subject.boxes.slice(2)) {
    const middle = (20 + 20 * timeSeconds + 16) / 160;
    assert.ok(Math.abs(box.x + box.width / 2 - middle) < 0.1, `${box.x} + ${box.width} / 2 for ${middle}`);
    assert.ok(box.y < 46 / 90 && box.y + box.height > 46 / 90);
    assert.ok(box.width < 0.5 && box.height < 0.7);
  }
});

test("an object that moves against a pan is followed, and the pan is the camera's", () => {
  const side = 40;
  const object = viewOf(noiseScene(8), side, side);
  const middleAt = (frame: number) => 120 - 0.8 * frame;
  const pictures = film(3, 25, (t) => ({ x: 12 * t - 18 })).map((picture, i) => {
    const left = Math.round(middleAt(i)) - side / 2;
    for (let y = 0; y < side; y++) {
      picture.data.set(object.data.subarray(side * y, side * y + side), (y + 25) * 160 + left);
    }
    return picture;
  });
  const { subjects, shots } = analyse(pictures, 25);
  assert.equal(shots[0].label, 'pan');
  const [subject] = subjects;
  assert.ok(subject !== undefined && subject.endSeconds - subject.startSeconds > 2);
  const overlaps = subject.boxes.map(({ timeSeconds, box }) => {
    const left = (middleAt(timeSeconds * 25) - side / 2) / 160;
    const width = Math.min(box.x + box.width, left + side / 160) - Math.max(box.x, left);
    const height = Math.min(box.y + box.height, 65 / 90) - Math.max(box.y, 25 / 90);
    const shared = Math.max(0, width) * Math.max(0, height);
    return shared / (box.width * box.height + (side / 160) * (side / 90) - shared);
  });
  const usual = overlaps.toSorted((a, b) => a - b)[overlaps.length >> 1];
  assert.ok(usual >= 0.6, `intersection over union ${usual.toFixed(2)}`);
});

test('what changes as it moves is followed past an edge, and gone once it has left', () => {
  const leaves = 50;
  const pictures = film(4, 25, () => ({})).map((picture, i) => {
    const random = noiseSource(1 + i);
    for (let y = 20; y < 74; y++)
      picture.data.fill(90, 160 * y, 160 * y + 80).fill(150, 160 * y + 80, 160 * y + 160);
    for (let y = 34; i < leaves && y < 58; y++) {
      for (let x = 0; x < 24; x++) picture.data[160 * y + 36 + i + x] = 128 + 100 * random();
    }
    return picture;
  });
  const { subjects } = analyse(pictures, 25);
  const boxes = subjects.flatMap((subject) => subject.boxes);
  for (const { timeSeconds, box } of boxes) {
    assert.ok(timeSeconds < 2.5, `a box at ${timeSeconds} s`);
    const middle = (36 + 25 * timeSeconds + 12) / 160;
    assert.ok(box.x < middle && box.x + box.width > middle, `${box.x} + ${box.width} at ${timeSeconds} s`);
  }
  assert.ok(boxes.length >= 8, `${boxes.length} boxes`);
});

test('clips of next to nothing have facts', () => {
  const black = analyse(
    Array.from({ length: 30 }, () => plainPicture(...SIZE, 16)),
    30,
  );
  assert.equal(black.confidence, 0);
  assert.equal(black.medianSpeed, 0);
  assert.deepEqual(black.subjects, []);
  for (const [width, height] of [
    [160, 90],
    [2, 2],
  ] as const) {
    const one = analyse([plainPicture(width, height, 128)], 30);
    assert.deepEqual(one.shots, [{ label: 'static', confidence: 0, shake: 0, zoom: 0 }]);
    assert.deepEqual(one.curve.timesSeconds, [0]);
  }
  assert.equal(analyse([plainPicture(2, 2, 10), plainPicture(2, 2, 200)], 30).zoomShare, 0);
});

test('the log is small, contains the written data, and is refused when damaged', () => {
  const pictures = film(2, 25, (t) => ({ x: 10 * t - 10 }));
  const bytes = writeLog(pictures, 25);
  assert.ok(bytes.length / pictures.length <= 700, `${bytes.length / pictures.length} bytes a frame`);
  const log = readMotionLog(bytes);
  assert.deepEqual([log.columns, log.rows, log.timesSeconds.length], [20, 11, 50]);
  assert.equal(log.timesSeconds[49], 49 / 25);
  assert.ok(Math.abs(log.shiftX[10] * 160 - 0.4) < 0.05);
  assert.equal(log.intervals[0].startFrame, 0);
  assert.throws(() => readMotionLog(bytes.subarray(0, bytes.length - 1)), /damaged/);
  assert.throws(() => readMotionLog(new Uint8Array(64)), /Not a motion log/);
  assert.throws(() => analyseMotion(log, clipFacts(49, 25)), /frames/);
});
