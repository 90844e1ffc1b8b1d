/** Lines of two pictures and how a third is made of both, against the formulas. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sketchFrame } from '../../src/analysis/frames/sketch.ts';
import { slideAxes, VARIANTS, type Variant } from '../../src/analysis/transitions/slide-axis.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const THINNING = 3;
const REACH = 2;

type Lines = readonly (readonly number[])[];

function sketchOf(width: number, height: number, value: (x: number, y: number) => number) {
  const data = new Uint8Array(3 * width * height);
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.floor(at / 3);
    data[at] = value(pixel % width, Math.floor(pixel / width));
  }
  const color = { width, height, channels: 3, data } as const;
  return sketchFrame({ index: 0, timeSeconds: 0, color }, null, null);
}

/** Twelve times the levels: sums of three pixels across the movement, weighed 1-2-1 along it. */
function linesOf({ width, height, pixels }: ReturnType<typeof sketchOf>, vertical: boolean): Lines {
  const [lines, aside] = vertical ? [height, width] : [width, height];
  const value = (line: number, across: number, channel: number) => {
    const along = Math.min(lines - 1, Math.max(0, line));
    const [x, y] = vertical ? [across, along] : [along, across];
    return pixels[3 * (y * width + x) + channel];
  };
  return Array.from({ length: lines }, (_, line) =>
    Array.from({ length: 3 * Math.floor(aside / THINNING) }, (_, at) => {
      let sum = 0;
      for (let k = 0; k < THINNING; k++) {
        const across = THINNING * Math.floor(at / 3) + k;
        for (const [step, weight] of [1, 2, 1].entries())
          sum += weight * value(line + step - 1, across, at % 3);
      }
      return sum;
    }),
  );
}

const sumOver = (a: readonly number[], b: readonly number[], term: (difference: number) => number) =>
  a.reduce((sum, value, at) => sum + term(value - b[at]), 0);
const squares = (a: readonly number[], b: readonly number[]) => sumOver(a, b, (d) => d * d);

/** The remaining picture by the place of each of its lines in the old and the new one. */
function leftBy(shift: number, picture: Lines, [old, fresh]: [Lines, Lines], variant: Variant): number {
  const stay = picture.length - shift;
  return picture.reduce((sum, line, at) => {
    const of =
      at < shift ? fresh[variant === 'reveal' ? at : at + stay] : old[variant === 'cover' ? at : at - shift];
    return sum + squares(line, of);
  }, 0);
}

describe('a picture between two that slide', () => {
  for (const [width, height] of [
    [48, 27],
    [27, 48],
    [144, 9],
    [13, 11],
    [5, 4],
  ] as const) {
    const random = seededRandom(width);
    const noise = () => sketchOf(width, height, () => 256 * random());
    const extreme = (seed: number) => sketchOf(width, height, (x, y) => ((x * y + seed) % 2 === 0 ? 255 : 0));
    for (const [what, old, fresh, picture] of [
      ['noise', noise(), noise(), noise()],
      ['black and white', extreme(0), sketchOf(width, height, () => 255), sketchOf(width, height, () => 0)],
    ] as const) {
      for (const vertical of [false, true]) {
        test(`${what}, ${width}×${height}, ${vertical ? 'down' : 'across'}`, () => {
          const axis = slideAxes(old, fresh)[Number(vertical)];
          const [a, b, c] = [linesOf(old, vertical), linesOf(fresh, vertical), linesOf(picture, vertical)];
          const lines = c.length;
          assert.equal(axis.lines, lines);
          assert.equal(
            axis.energy,
            a.reduce((sum, line, at) => sum + squares(line, b[at]), 0),
          );
          axis.compare(picture);
          for (const fromEnd of [false, true]) {
            const turned = (all: Lines) => (fromEnd ? all.toReversed() : all);
            for (const variant of VARIANTS) {
              const remaining = Array.from({ length: lines + 1 }, (_, shift) =>
                leftBy(shift, turned(c), [turned(a), turned(b)], variant),
              );
              const least = Math.min(...remaining);
              assert.deepEqual(axis.bestShift(fromEnd, variant), {
                shift: remaining.indexOf(least),
                remaining: least,
              });
            }
            for (const shift of [0, 1, REACH, lines >> 1, lines]) {
              const edge = fromEnd ? lines - shift : shift;
              const found = axis.seam(picture, fromEnd, shift);
              if (edge < REACH || edge > lines - REACH || lines <= 2 * REACH) {
                assert.equal(found, null);
                continue;
              }
              const apart = (line: number) => sumOver(c[line - REACH], c[line + REACH - 1], Math.abs);
              const others = c
                .map((_, line) => line)
                .filter((line) => line >= REACH && line <= lines - REACH && line !== edge)
                .map(apart)
                .sort((one, other) => one - other);
              const middle = (others[others.length >> 1] + others[(others.length - 1) >> 1]) / 2;
              const level = 12 * c[0].length;
              assert.equal(found, (apart(edge) + level) / (middle + level));
            }
          }
        });
      }
    }
  }
});
