import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeCamera } from '../../src/analysis/camera/camera.ts';
import type { CameraPath } from '../../src/analysis/camera/velocity-bins.ts';
import { secondsUnderZoom } from '../../src/analysis/camera/zoom-time.ts';

/** A path whose velocities (diagonals and log scale per second) are functions of time. */
function pathOf(
  seconds: number,
  framesPerSecond: number,
  velocity: (t: number) => { x?: number; y?: number; logScale?: number; rotation?: number },
  {
    texture = 1,
    reach = 1,
    coherence = null,
  }: { texture?: number; reach?: number; coherence?: number | null } = {},
): CameraPath {
  const count = Math.round(seconds * framesPerSecond);
  const step = 1 / framesPerSecond;
  const steps = Float64Array.from({ length: count }, (_, i) => (i + 0.5) * step);
  return {
    stepSeconds: steps.map(() => step),
    x: steps.map((t) => (velocity(t).x ?? 0) * step),
    y: steps.map((t) => (velocity(t).y ?? 0) * step),
    logScale: steps.map((t) => (velocity(t).logScale ?? 0) * step),
    rotation: steps.map((t) => (velocity(t).rotation ?? 0) * step),
    texture: steps.map(() => texture),
    reach: steps.map(() => reach),
    coherence,
  };
}

test('paths get the label of their usual motion', () => {
  const paths: readonly [label: string, path: CameraPath][] = [
    ['static', pathOf(4, 25, () => ({}))],
    ['static', pathOf(10, 25, (t) => ({ x: t > 5 && t < 5.4 ? 0.5 : 0 }))],
    ['pan', pathOf(3, 25, () => ({ x: -0.05, y: 0.01 }))],
    ['tilt', pathOf(3, 60, () => ({ x: 0.01, y: 0.05 }))],
    ['moving', pathOf(3, 25, () => ({ x: 0.05, y: 0.05 }))],
    ['zoom_in', pathOf(3, 25, () => ({ logScale: 0.06 }))],
    ['zoom_out', pathOf(3, 25, () => ({ logScale: -0.06, x: 0.01 }))],
    ['handheld', pathOf(3, 25, (t) => ({ x: 0.2 * Math.sin(17 * t), y: 0.2 * Math.cos(23 * t) }))],
    ['handheld', pathOf(8, 25, (t) => ({ x: 0.25 * Math.sin(17 * t), logScale: 0.034 }))],
    ['zoom_in', pathOf(4, 60, () => ({ logScale: 0.02 }))],
    ['zoom_out', pathOf(3, 25, (t) => ({ logScale: t > 1 && t < 2 ? -0.08 : 0 }))],
    ['pan', pathOf(4, 25, (t) => ({ x: t > 1 && t < 3 ? 0.05 : 0 }))],
    ['moving', pathOf(3, 25, () => ({ rotation: 0.1 }))],
    // In, out and in again with a shaking hand: the framing ends much closer.
    ['zoom_in', pathOf(6, 25, (t) => ({ x: 0.5 * Math.sin(20 * t), logScale: t > 2 && t < 3 ? -0.4 : 0.2 }))],
    // There and back, with a tilt that stays: neither a tilt nor a hand's sway.
    ['moving', pathOf(6, 25, (t) => (t < 2 ? { y: 0.05 } : { x: t < 4 ? 0.2 : -0.2 }))],
    // Such a fast tremor does not move the smoothed path.
    ['handheld', pathOf(4, 60, (t) => ({ x: 0.08 * Math.sin(30 * t), y: 0.08 * Math.cos(30 * t) }))],
  ];
  for (const [label, path] of paths) assert.equal(describeCamera(path).label, label);
});

test('a zoom is totalled over the shot', () => {
  assert.ok(Math.abs(describeCamera(pathOf(2, 25, () => ({ logScale: 0.1 }))).zoom - 0.2) < 1e-9);
});

test('repeated frames are no shake', () => {
  // Film at 24 frames a second shown at 30: every fifth step is a repeat.
  const path = pathOf(4, 30, (t) => ({ x: Math.floor(t * 30) % 5 === 0 ? 0 : 0.125 }));
  const { label, shake } = describeCamera(path);
  assert.equal(label, 'pan');
  assert.ok(shake < 0.03, `${shake}`);
});

test('steps are joined to a tenth of a second', () => {
  const shakeAt = (fps: number) =>
    describeCamera(pathOf(8, fps, (t) => ({ x: Math.floor(t * fps) % 2 === 0 ? 0.2 : -0.2 }))).shake;
  assert.ok(shakeAt(11) < 0.03, 'two steps of .09 s, there and back, are none');
  assert.ok(shakeAt(9) > 0.15, 'a step of .11 s is its own bin');
});

test('little motion is known of a short or empty shot', () => {
  assert.deepEqual(describeCamera(pathOf(0, 25, () => ({}))), {
    label: 'static',
    confidence: 0,
    shake: 0,
    zoom: 0,
  });
  assert.ok(describeCamera(pathOf(0.2, 25, () => ({ x: 0.3 }))).confidence <= 0.2);
  const plain = pathOf(3, 25, () => ({}), { texture: 0.01 });
  assert.ok(describeCamera(plain).confidence <= 0.1, 'a picture without texture shows no motion');
  const groundless = pathOf(3, 25, () => ({}), { reach: 0 });
  assert.ok(describeCamera(groundless).confidence <= 0.3, 'one thing before nothing: it or the camera rests');
});

test('a move is known as far as the picture goes along with it', () => {
  const pan = (coherence: number | null) =>
    describeCamera(pathOf(3, 25, () => ({ x: 0.1 }), { coherence })).confidence;
  assert.equal(pan(null), 1);
  assert.equal(pan(0.5), 1);
  assert.ok(Math.abs(pan(0.25) - 0.5) < 1e-9);
  assert.equal(pan(-0.2), 0);
  const still = describeCamera(pathOf(3, 25, () => ({}), { coherence: -0.2 }));
  assert.equal(still.confidence, 1, 'what moves before a camera at rest says nothing against its rest');
});

test('confidence in a label falls as a shot approaches the next label', () => {
  const confidences = [0.004, 0.012, 0.019].map((extent) => {
    const { label, confidence } = describeCamera(pathOf(4, 25, (t) => ({ x: t < 2 ? extent / 2 : 0 })));
    assert.equal(label, 'static');
    return confidence;
  });
  assert.deepEqual(
    confidences.toSorted((a, b) => b - a),
    confidences,
  );
  const slow = describeCamera(pathOf(3, 25, () => ({ x: 0.01, y: 0.01 })));
  const fast = describeCamera(pathOf(3, 25, () => ({ x: 0.05, y: 0.05 })));
  assert.deepEqual([slow.label, fast.label], ['moving', 'moving']);
  assert.ok(
    slow.confidence <= fast.confidence && fast.confidence === 1,
    `${slow.confidence} ${fast.confidence}`,
  );
});

test('time under a zoom ends where its direction reverses', () => {
  const zoom = pathOf(6, 25, (t) => ({ logScale: t < 2 ? 0.2 : t < 4 ? -0.2 : 0 }));
  assert.ok(Math.abs(secondsUnderZoom(zoom) - 4) < 0.5);
  assert.equal(secondsUnderZoom(pathOf(6, 25, () => ({ logScale: 0.02 }))), 0);
});

test('a zoom at about the rate that makes one counts in part, so that no small error makes it all or nothing', () => {
  const seconds = [0.0315, 0.035, 0.0385, 0.0525].map((logScale) =>
    secondsUnderZoom(pathOf(6, 25, () => ({ logScale }))),
  );
  for (const [at, expected] of [2.1, 3, 3.9, 6].entries())
    assert.ok(Math.abs(seconds[at] - expected) < 0.05, `${seconds}`);
});

/** A tremor in all directions alike, so fast that the smoothed path rests; root mean square `shake`. */
function tremor(shake: number): (t: number) => { x: number; y: number } {
  const of = (amplitude: number) => (t: number) => ({
    x: amplitude * Math.sin(20 * t),
    y: amplitude * Math.cos(20 * t),
  });
  return of(shake / describeCamera(pathOf(8, 50, of(1))).shake);
}
/** Back and forth for so many seconds of twenty. */
const jolt = (seconds: number) => (t: number) => ({
  x: t < 5 || t > 5 + seconds ? 0 : t < 5 + seconds / 2 ? 0.05 : -0.05,
});
/** Forwards for so many seconds of six, then back. */
const turned = (seconds: number) => (t: number) => ({ x: t < seconds ? 0.05 : -0.05 });
/** With a tremor over what else the camera does. */
function shaken(shake: number, velocity: (t: number) => { x?: number; logScale?: number }) {
  const shaking = tremor(shake);
  return (t: number) => {
    const [{ x, y }, moved] = [shaking(t), velocity(t)];
    return { ...moved, x: x + (moved.x ?? 0), y };
  };
}
/** To and fro in eight seconds, with a tremor of .04; with this mean speed. */
const swaying = (speed: number) =>
  shaken(0.04, (t) => ({ x: ((speed * Math.PI) / 2) * Math.sin((2 * Math.PI * t) / 8) }));

for (const [what, inside, outside, [seconds, below, above]] of [
  ['a pan’s way of .03', 'static', 'pan', [2, () => ({ x: 0.0145 }), () => ({ x: 0.0155 })]],
  [
    'a zoom’s way of .035',
    'static',
    'zoom_in',
    [2, () => ({ logScale: 0.0165 }), () => ({ logScale: 0.0185 })],
  ],
  ['three fifths one way', 'moving', 'pan', [6, turned(4.6), turned(4.8)]],
  [
    'a zoom of half a pan’s way',
    'pan',
    'zoom_in',
    [3, () => ({ x: 0.05, logScale: 0.083 }), () => ({ x: 0.05, logScale: 0.09 })],
  ],
  ['a shake of .02', 'static', 'handheld', [8, tremor(0.019), tremor(0.021)]],
  ['a sway of half as much again as the shake', 'handheld', 'moving', [8, swaying(0.056), swaying(0.064)]],
  ['a rest of three quarters', 'static', 'moving', [20, jolt(3.7), jolt(4.9)]],
  [
    'a roll that wanders by .02',
    'static',
    'moving',
    [10, () => ({ rotation: 0.0066 }), () => ({ rotation: 0.0073 })],
  ],
  [
    'a shake of four times the pan',
    'pan',
    'handheld',
    [8, shaken(0.19, () => ({ x: 0.05 })), shaken(0.23, () => ({ x: 0.05 }))],
  ],
  [
    'half closer, however shaken',
    'handheld',
    'zoom_in',
    [6, shaken(0.3, () => ({ logScale: 0.08 })), shaken(0.3, () => ({ logScale: 0.0867 }))],
  ],
] as [string, string, string, [number, Parameters<typeof pathOf>[2], Parameters<typeof pathOf>[2]]][])
  test(`below ${what} a shot is ${inside}, above it ${outside}`, () => {
    const labels = [below, above].map((velocity) => describeCamera(pathOf(seconds, 50, velocity)).label);
    assert.deepEqual(labels, [inside, outside]);
  });

for (const [what, confidence, path] of [
  ['half of the texture that is enough', 0.5, pathOf(3, 25, () => ({}), { texture: 0.1 })],
  ['sides that show nothing', 0.3, pathOf(3, 25, () => ({}), { reach: 0 })],
  ['sides of which half show enough', 0.8, pathOf(3, 25, () => ({}), { reach: 0.15 })],
  ['half a second', 0.5, pathOf(0.5, 50, () => ({}))],
  // A rest counts the more the less its usual shake is.
  ['a tremor of .016 about a rest', 1 - (0.5 * 0.016) / 0.02, pathOf(8, 50, tremor(0.016))],
  ['a slow roll of less than .02 in all', 1, pathOf(10, 25, () => ({ rotation: 0.0068 }))],
  ['a slow zoom of less than .035 in all', 1, pathOf(10, 25, () => ({ logScale: 0.0034 }))],
] as const)
  test(`${what}: confidence ${confidence.toFixed(2)}`, () => {
    const found = describeCamera(path);
    assert.equal(found.label, 'static');
    assert.ok(Math.abs(found.confidence - confidence) < 0.02, `${found.confidence}`);
  });

test('shake is the motion without its mean over .7 s', () => {
  for (const [period, left] of [
    // The mean over a whole period is nought, over half of one 2/π.
    [0.7, 1],
    [1.4, 1 - 2 / Math.PI],
  ] as const) {
    const { shake } = describeCamera(
      pathOf(14, 50, (t) => ({ x: 0.1 * Math.sin((2 * Math.PI * t) / period) })),
    );
    assert.ok(Math.abs(shake / (0.1 / Math.SQRT2) - left) < 0.06, `${period} s: ${shake}`);
  }
});
