import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MotionField, MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import type { Picture } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { mediaPath } from '../support/media.ts';
import {
  changed,
  noiseScene,
  noiseSource,
  type Placing,
  plainPicture,
  type Scene,
  viewOf,
} from '../support/moving-picture.ts';

const SIZE = [160, 90] as const;

function between(earlier: Picture, later: Picture): MotionField {
  const estimator = new MotionFieldEstimator();
  assert.equal(estimator.push(earlier), null);
  const field = estimator.push(later);
  assert.ok(field !== null);
  return field;
}

function assertMeasured(field: MotionField, expected: Placing, pixels: number, scale: number): void {
  const { shiftX, shiftY, logScale, rotation } = field.similarity;
  const off = Math.hypot(shiftX - (expected.x ?? 0), shiftY - (expected.y ?? 0));
  assert.ok(off <= pixels, `shift is off by ${off.toFixed(3)} pixels`);
  const scaleOff = Math.abs(logScale - (expected.logScale ?? 0));
  assert.ok(scaleOff <= scale, `log scale is off by ${scaleOff.toFixed(5)}`);
  assert.ok(Math.abs(rotation - (expected.rotation ?? 0)) <= scale, `rotation is ${rotation}`);
}

const WARPS: readonly Placing[] = [
  {},
  { x: 0.2, y: -0.1 },
  { x: 3.4, y: -1.6 },
  { x: -11.5, y: 6.2 },
  { x: 30, y: -9 },
  { logScale: 0.004 },
  { x: 1, y: 2, logScale: -0.03 },
  { logScale: 0.06, rotation: -0.02 },
  { rotation: 0.03 },
];

test('known warps of noise are measured to a tenth of a pixel and a thousandth of scale', () => {
  const scene = noiseScene(5);
  for (const warp of WARPS) {
    assertMeasured(between(viewOf(scene, ...SIZE), viewOf(scene, ...SIZE, warp)), warp, 0.1, 0.001);
  }
});

test('upright pictures, pixel noise and changes of exposure are measured within the targets', () => {
  const scene = noiseScene(6, 270, 480);
  const random = noiseSource(9);
  for (const warp of WARPS.filter(({ x = 0 }) => Math.abs(x) < 20)) {
    const earlier = changed(viewOf(scene, 90, 160), (value) => value + 3 * random());
    const later = changed(viewOf(scene, 90, 160, warp), (value) => 1.1 * value + 8 + 3 * random());
    assertMeasured(between(earlier, later), warp, 0.3, 0.002);
  }
});

for (const [name, frameIndex] of [
  ['video/sam2_dog.mp4', 0],
  ['video/mdn_frog.mp4', 30],
] as const) {
  test(`known warps of a frame of ${name} are measured within the targets`, async (t) => {
    const path = mediaPath(name);
    if (path === null) return t.skip(`needs ../shared/media/${name}`);
    let scene: Scene | null = null;
    for await (const frame of openFrames(path)) {
      if (frame.detail === null || frame.index < frameIndex) continue;
      scene = frame.detail;
      break;
    }
    assert.ok(scene !== null);
    for (const warp of WARPS.filter(({ x = 0 }) => Math.abs(x) < 20)) {
      const field = between(viewOf(scene, ...SIZE, {}, 2.8), viewOf(scene, ...SIZE, warp, 2.8));
      assertMeasured(field, warp, 0.2, 0.0015);
    }
  });
}

test('a moving object has a residual, and the camera is still', () => {
  const ground = viewOf(noiseScene(7), ...SIZE);
  const object = viewOf(noiseScene(8), 40, 40);
  const paste = (left: number): Picture => {
    const data = Uint8Array.from(ground.data);
    for (let y = 0; y < 40; y++) data.set(object.data.subarray(40 * y, 40 * y + 40), (y + 24) * 160 + left);
    return { ...ground, data };
  };
  const field = between(paste(48), paste(52));
  assertMeasured(field, {}, 0.05, 0.0005);
  const column = Math.floor(68 / 8);
  const inside = 5 * field.columns + column;
  assert.ok(Math.abs(field.residualX[inside] - 4) < 0.3, `residual ${field.residualX[inside]}`);
  assert.ok(field.residual[0] < 0.3);
  assert.ok(field.support > 0.7 && field.support < 0.95, `support ${field.support}`);
});

test('an object before a plain ground is no camera motion', () => {
  const object = viewOf(noiseScene(8), 48, 48);
  const paste = (left: number): Picture => {
    const picture = plainPicture(...SIZE, 90);
    for (let y = 0; y < 48; y++)
      picture.data.set(object.data.subarray(48 * y, 48 * y + 48), (y + 21) * 160 + left);
    return picture;
  };
  const { similarity } = between(paste(50), paste(55));
  assert.deepEqual(similarity, { shiftX: 0, shiftY: 0, logScale: 0, rotation: 0 });
});

test('pictures that do not belong together have little support and are broken', () => {
  const estimator = new MotionFieldEstimator();
  const first = viewOf(noiseScene(1), ...SIZE);
  estimator.push(first);
  estimator.push(first);
  const field = estimator.push(viewOf(noiseScene(2), ...SIZE));
  assert.ok(field !== null && field.support < 0.4 && field.broken, `support ${field?.support}`);
  assert.equal(field.scaleJump, null);
});

test('a punch-in is a break with a jump in scale', () => {
  const scene = noiseScene(12, 480, 270, 6);
  for (const logScale of [Math.log(1.2), -Math.log(1.15), Math.log(1.35)]) {
    const estimator = new MotionFieldEstimator();
    const first = viewOf(scene, ...SIZE);
    estimator.push(first);
    estimator.push(first);
    const field = estimator.push(viewOf(scene, ...SIZE, { logScale, x: 4, y: -3 }));
    const measured = field?.scaleJump?.logScale ?? field?.similarity.logScale ?? 0;
    assert.ok(Math.abs(measured - logScale) < 0.015, `${measured} for ${logScale}`);
  }
});

test('without texture there is no motion and no support', () => {
  for (const [width, height] of [...[SIZE], [2, 2], [7, 40], [16, 8]] as const) {
    const field = between(plainPicture(width, height, 16), plainPicture(width, height, 20));
    assert.deepEqual(field.similarity, { shiftX: 0, shiftY: 0, logScale: 0, rotation: 0 });
    assert.equal(field.support, 0);
  }
});

test('a change of size resets the estimator', () => {
  const estimator = new MotionFieldEstimator();
  estimator.push(plainPicture(160, 90, 0));
  assert.equal(estimator.push(plainPicture(90, 160, 0)), null);
  assert.notEqual(estimator.push(plainPicture(90, 160, 0)), null);
});
