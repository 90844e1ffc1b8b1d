import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type KernelSamples, MotionKernel } from '../../src/analysis/optical-flow/kernel.ts';
import { noiseSource } from '../support/moving-picture.ts';

const [WIDTH, HEIGHT, SIDE] = [21, 19, 8];
const STRIDE = 2 * WIDTH;
/** Where the blocks begin that are compared. */
const [FROM, TO] = [3 * WIDTH + 2, 5 * WIDTH + 4];

describe('the arithmetic of the motion field equals its formulas', () => {
  const kernel = new MotionKernel(WIDTH, HEIGHT);
  const { run, gradientX, gradientY, sums } = kernel;
  const [a, b] = kernel.pictures as [KernelSamples, KernelSamples];
  const random = noiseSource(11);
  const samplesAt = (address: number) => new Int16Array(run.memory.buffer, address, WIDTH * HEIGHT);
  const [gx, gy] = [samplesAt(gradientX), samplesAt(gradientY)];
  const wholeSums = new Int32Array(run.memory.buffer, sums, 8);
  const floatSums = new Float32Array(run.memory.buffer, sums, 8);
  const clamped = (x: number, y: number) =>
    Math.min(HEIGHT - 1, Math.max(0, y)) * WIDTH + Math.min(WIDTH - 1, Math.max(0, x));
  const all = <T>(value: (x: number, y: number) => T): T[] =>
    Array.from({ length: WIDTH * HEIGHT }, (_, at) => value(at % WIDTH, Math.floor(at / WIDTH)));
  /** Sum over the places of a block, relative to its first. */
  const overBlock = (value: (offset: number) => number) => {
    let sum = 0;
    for (let at = 0; at < SIDE * SIDE; at++) sum += value(Math.floor(at / SIDE) * WIDTH + (at % SIDE));
    return sum;
  };
  kernel.grey.set(all(() => 128 + 127 * random()));
  b.data.set(all(() => 2040 + 2040 * random()));
  run.smooth(kernel.greyAddress, WIDTH, HEIGHT, kernel.line, a.address);
  run.gradients(a.address, WIDTH, HEIGHT, gradientX, gradientY);
  const places = [a.address + 2 * FROM, gradientX + 2 * FROM, gradientY + 2 * FROM, STRIDE] as const;

  test('smoothing has weights 1-2-1 on both axes', () => {
    const weights = [1, 2, 1];
    const expected = all((x, y) =>
      weights.reduce(
        (sum, down, row) =>
          sum +
          weights.reduce(
            (part, right, column) => part + down * right * kernel.grey[clamped(x + column - 1, y + row - 1)],
            0,
          ),
        0,
      ),
    );
    assert.deepEqual([...a.data], expected);
  });

  test('gradients are differences of neighbours', () => {
    assert.deepEqual(
      [...gx],
      all((x, y) => a.data[clamped(x + 1, y)] - a.data[clamped(x - 1, y)]),
    );
    assert.deepEqual(
      [...gy],
      all((x, y) => a.data[clamped(x, y + 1)] - a.data[clamped(x, y - 1)]),
    );
  });

  const [halfWidth, halfHeight] = [Math.floor(WIDTH / 2), Math.floor(HEIGHT / 2)];
  const ofHalf = (value: (x: number, y: number) => number) =>
    Array.from({ length: halfWidth * halfHeight }, (_, at) =>
      value(at % halfWidth, Math.floor(at / halfWidth)),
    );
  const half = kernel.halves[0];
  const plain = new Int16Array(run.memory.buffer, kernel.plainHalf, half.data.length);

  for (const shift of [2, 4]) {
    test(`half as wide and high, sums by 2 to the ${shift}`, () => {
      run.halve(b.address, STRIDE, halfWidth, halfHeight, shift, kernel.plainHalf);
      const expected = ofHalf((x, y) => {
        const from = 2 * y * WIDTH + 2 * x;
        const [up, down] = [b.data.subarray(from, from + 2), b.data.subarray(from + WIDTH, from + WIDTH + 2)];
        return (up[0] + up[1] + down[0] + down[1]) >> shift;
      });
      assert.deepEqual([...plain], expected);
    });
  }

  for (const radius of [1, 3, halfHeight - 1, 12]) {
    test(`minus the mean of the samples up to ${radius} away`, () => {
      run.halve(b.address, STRIDE, halfWidth, halfHeight, 4, kernel.plainHalf);
      run.highPass(kernel.plainHalf, halfWidth, halfHeight, radius, kernel.columnSums, half.address);
      const expected = ofHalf((x, y) => {
        let [sum, count] = [0, 0];
        for (let row = Math.max(0, y - radius); row <= Math.min(halfHeight - 1, y + radius); row++)
          for (
            let column = Math.max(0, x - radius);
            column <= Math.min(halfWidth - 1, x + radius);
            column++
          ) {
            sum += plain[row * halfWidth + column];
            count++;
          }
        return plain[y * halfWidth + x] - Math.round(sum / count);
      });
      assert.deepEqual([...half.data], expected);
    });
  }

  describe('a picture and its place in another correlate', () => {
    const [wide, tight] = kernel.halves as [KernelSamples, KernelSamples];
    const fill = () => {
      for (const { data } of [wide, tight]) data.set(data.map(() => 1000 * random() - 500));
    };
    const correlation = (shrink: number, shiftX: number, shiftY: number, step: number) => {
      let [n, a, b, aa, ab, bb] = [0, 0, 0, 0, 0, 0];
      for (let y = 0; y < halfHeight; y += step)
        for (let x = 0; x < halfWidth; x += step) {
          const fromX = (x + 0.5 - halfWidth / 2 + shiftX) * shrink + halfWidth / 2 - 0.5;
          const fromY = (y + 0.5 - halfHeight / 2 + shiftY) * shrink + halfHeight / 2 - 0.5;
          const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
          if (left < 0 || left + 1 >= halfWidth || top < 0 || top + 1 >= halfHeight) continue;
          const across = (at: number) => wide.data[at] + (fromX - left) * (wide.data[at + 1] - wide.data[at]);
          const [upper, lower] = [across(top * halfWidth + left), across((top + 1) * halfWidth + left)];
          const p = upper + (fromY - top) * (lower - upper);
          const q = tight.data[y * halfWidth + x];
          n += 1;
          a += p;
          b += q;
          aa += p * p;
          ab += p * q;
          bb += q * q;
        }
      const spread = Math.sqrt(Math.max(0, aa - (a * a) / n) * Math.max(0, bb - (b * b) / n));
      return spread <= n ? 0 : (ab - (a * b) / n) / spread;
    };
    const correlated = (shrink: number, shiftX: number, shiftY: number, step: number) => {
      const [from, to] = [wide.address, tight.address];
      return run.correlate(from, to, halfWidth, halfHeight, shrink, shiftX, shiftY, step, kernel.places);
    };
    for (const [shrink, shiftX, shiftY, step] of [
      [1, 0, 0, 1],
      [0.96, 0, 0, 1],
      [0.7, 1.5, -2.25, 1],
      [0.7, -3, 2, 2],
      [0.9, 4, 4, 2],
      [0.9, -7.3, 1, 1],
      [1, 40, 0, 1],
    ] as const)
      test(`${shrink} times as wide, ${shiftX} and ${shiftY} away, every ${step}`, () => {
        fill();
        assert.equal(correlated(shrink, shiftX, shiftY, step), correlation(shrink, shiftX, shiftY, step));
      });

    test('plain pictures do not', () => {
      fill();
      wide.data.fill(7);
      assert.equal(correlated(0.9, 0, 0, 1), 0);
    });
  });

  test('differences of whole pictures, of any number of samples', () => {
    for (const count of [0, 1, 7, 8, 9, WIDTH * HEIGHT]) {
      const expected = a.data.subarray(0, count).reduce((sum, v, at) => sum + Math.abs(v - b.data[at]), 0);
      assert.equal(run.totalDifference(a.address, b.address, count), expected);
    }
  });

  test('sums over a block', () => {
    run.describe(...places, sums);
    const expected = [
      overBlock((at) => gx[FROM + at]),
      overBlock((at) => gy[FROM + at]),
      overBlock((at) => gx[FROM + at] ** 2),
      overBlock((at) => gx[FROM + at] * gy[FROM + at]),
      overBlock((at) => gy[FROM + at] ** 2),
      overBlock((at) => a.data[FROM + at]),
      overBlock((at) => a.data[FROM + at] ** 2),
    ];
    assert.deepEqual([...wholeSums.subarray(0, expected.length)], expected);
  });

  const fiveSums = (difference: (offset: number) => number) => [
    overBlock(difference),
    overBlock((at) => difference(at) * gx[FROM + at]),
    overBlock((at) => difference(at) * gy[FROM + at]),
    overBlock((at) => Math.abs(difference(at))),
    overBlock((at) => difference(at) ** 2),
  ];

  test('blocks compared at whole samples', () => {
    const expected = fiveSums((at) => b.data[TO + at] - a.data[FROM + at]);
    run.compareWhole(...places, b.address + 2 * TO, STRIDE, sums);
    assert.deepEqual([...wholeSums.subarray(0, 5)], expected);
    assert.equal(run.blockDifference(a.address + 2 * FROM, b.address + 2 * TO, STRIDE), expected[3]);
  });

  test('blocks compared between samples', () => {
    const [fx, fy] = [0.3, 0.8];
    const across = (at: number) => b.data[at] + fx * (b.data[at + 1] - b.data[at]);
    const between = (at: number) => across(at) + fy * (across(at + WIDTH) - across(at));
    const expected = fiveSums((at) => between(TO + at) - a.data[FROM + at]);
    run.compareBetween(...places, b.address + 2 * TO, STRIDE, fx, fy, sums);
    for (const [at, value] of expected.entries()) {
      const found = floatSums[at];
      assert.ok(Math.abs(found - value) < 1e-4 * Math.abs(value) + 1, `${at}: ${found} for ${value}`);
    }
  });
});
