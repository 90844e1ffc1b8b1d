import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labPicture } from '../../bench/fidelity/frames.ts';
import { halfOf, mapped, mongeKantorovich, reinhard } from '../../bench/fidelity/peers.ts';
import { closure } from '../../bench/score/closure.ts';
import {
  banding,
  chromaNoise,
  edgeGains,
  flicker,
  type LabPicture,
  newClipping,
  noiseGain,
  profileOf,
  quantile,
  samplePixels,
  skinTurn,
  slicedWasserstein,
  structure,
} from '../../bench/score/look.ts';
import { labToRgb } from '../../src/signal/color-space.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { clipFacts } from '../support/clip-facts.ts';

const [WIDTH, HEIGHT] = [64, 48];

/** A picture drawn in Lab. */
function drawn(color: (x: number, y: number) => readonly [number, number, number]): LabPicture {
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3);
  const out = new Float64Array(3);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    labToRgb(...(color(at % WIDTH, Math.floor(at / WIDTH)) as [number, number, number]), out);
    for (let axis = 0; axis < 3; axis++)
      rgb[at * 3 + axis] = Math.max(0, Math.min(255, Math.round(255 * out[axis])));
  }
  return labPicture(WIDTH, HEIGHT, rgb);
}

const stripes = (gain: number, offset = 0) =>
  drawn((x) => [50 + offset + gain * (Math.floor(x / 6) % 2 ? 8 : -8), 5, 10]);
const grain = (size: number, seed: number) => {
  const random = seededRandom(seed);
  return drawn(() => [60, size * (random() - 0.5), size * (random() - 0.5)]);
};

test('the distance of two clouds is that of their means when they differ by nothing else', () => {
  const one = profileOf(samplePixels([stripes(1)], 4000));
  assert.ok(slicedWasserstein(one, one) === 0);
  const moved = profileOf(samplePixels([drawn((x) => [55 + (Math.floor(x / 6) % 2 ? 8 : -8), 5, 10])], 4000));
  // A third of the squared distance is along each direction.
  assert.ok(Math.abs(slicedWasserstein(one, moved) - 5 / Math.sqrt(3)) < 0.5);
});

test('structure and edge gain: a gain of contrast keeps the one and is the other', () => {
  assert.ok(structure(stripes(1), stripes(1.4, 5)) > 0.99);
  assert.ok(
    structure(
      stripes(1),
      drawn((_, y) => [50 + (Math.floor(y / 6) % 2 ? 8 : -8), 5, 10]),
    ) < 0.7,
  );
  assert.ok(Math.abs(quantile(edgeGains(stripes(1), stripes(1.4)), 0.5) - 1.4) < 0.06);
});

test('chroma noise, banding, clipping', () => {
  assert.ok(Math.abs(noiseGain(chromaNoise(grain(8, 1), grain(16, 1))) - 2) < 0.2);
  assert.equal(noiseGain([0.1, 0.2]), 1, 'what nobody sees');
  const ramp = (step: number) => drawn((x) => [40 + Math.floor((x * 0.12) / step) * step, 0, 0]);
  assert.ok(banding(ramp(0.4), ramp(1.6)) > 0.02);
  assert.equal(banding(ramp(0.4), ramp(0.4)), 0);
  const grey = drawn(() => [50, 0, 0]);
  assert.equal(
    newClipping(
      grey,
      drawn((x) => [x < WIDTH / 4 ? 100 : 50, 0, 0]),
    ),
    0.25,
  );
});

test('skin: its turn in degrees, within the part only, and none for grey', () => {
  const at = (degrees: number, chroma: number) =>
    drawn(() => [
      60,
      chroma * Math.cos((degrees * Math.PI) / 180),
      chroma * Math.sin((degrees * Math.PI) / 180),
    ]);
  const part = { x: 0.2, y: 0.2, width: 0.5, height: 0.5 };
  assert.ok(Math.abs(skinTurn(at(50, 25), at(65, 25), part)!.degrees - 15) < 2);
  assert.equal(skinTurn(at(50, 25), at(120, 2), part)!.degrees, 0);
  assert.equal(skinTurn(at(200, 25), at(50, 25), part), null);
});

test('flicker: a jump counts by the spread of the picture', () => {
  const calm = flicker(stripes(1), stripes(1));
  const [one, twice] = [flicker(stripes(1), stripes(1, 2)), flicker(stripes(2), stripes(2, 4))];
  assert.ok(calm === 0 && one > 0.1 && Math.abs(twice / one - 1) < 0.15, `${calm} ${one} ${twice}`);
});

test('peers bring mean and spread to the target, the half mix half of them', () => {
  const random = seededRandom(9);
  const noise = (spread: readonly number[], mean: readonly number[]) =>
    drawn(
      () => mean.map((value, axis) => value + spread[axis] * (random() - 0.5)) as [number, number, number],
    );
  const [source, target] = [noise([20, 10, 10], [45, 0, 0]), noise([30, 16, 8], [60, 6, -8])];
  const [from, to] = [source, target].map((one) => samplePixels([one], 3000)) as [Float32Array, Float32Array];
  const aim = profileOf(to);
  const left = (picture: LabPicture) =>
    slicedWasserstein(profileOf(samplePixels([picture], 3000)), aim) /
    slicedWasserstein(profileOf(from), aim);
  assert.ok(left(mapped(source, reinhard(from, to))) < 0.1);
  assert.ok(left(mapped(source, mongeKantorovich(from, to))) < 0.1);
  assert.ok(Math.abs(left(mapped(source, halfOf(mongeKantorovich(from, to)))) - 0.5) < 0.06);
});

test('closure: 1 at the template, 0 at the source, none without a distance', () => {
  const base = extractStyle(clipFacts(), { createdAt: new Date(0), fingerprint: null });
  const warm = {
    ...base,
    color_grade: { ...base.color_grade, temperature: base.color_grade.temperature + 40 },
  };
  const half = {
    ...base,
    color_grade: { ...base.color_grade, temperature: base.color_grade.temperature + 30 },
  };
  assert.deepEqual(closure(base, warm, warm), { temperature: 1 });
  assert.deepEqual(closure(base, warm, base), { temperature: 0 });
  assert.deepEqual(closure(base, warm, half), { temperature: 0.75 });
});
