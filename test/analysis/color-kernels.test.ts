/** Sums of colors and clusters of them, against their plain formulas: the same numbers to the last bit. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ColorSums } from '../../src/analysis/color/color-sums.ts';
import { clustersOf } from '../../src/analysis/color/palette.ts';
import { bytesToLab } from '../../src/signal/color-space.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

type Cell = readonly [weight: number, lightness: number, a: number, b: number];

/** Weight and sums of L, a, b by cell of four units, in the order of first use. */
class PlainSums {
  readonly cells = new Map<string, [number, number, number, number]>();
  readonly named = {
    means: new Float64Array(2),
    squares: new Float64Array(3),
    shadows: new Float64Array(3),
    midtones: new Float64Array(3),
    highlights: new Float64Array(3),
    skin: new Float64Array(3),
    clipped: new Float64Array(2),
    lightness: new Float64Array(200),
  };

  addPixel(red: number, green: number, blue: number): void {
    const { named } = this;
    const lab = new Float64Array(3);
    bytesToLab(red, green, blue, lab);
    const [lightness, a, b] = lab as unknown as [number, number, number];
    const to = (sums: Float64Array, ...terms: number[]) => {
      for (const [at, term] of terms.entries()) sums[at] += term;
    };
    const place = (value: number, most: number) => Math.max(0, Math.min(most, Math.trunc(value / 4 + 0.5)));
    this.addCell([place(lightness, 25), place(a + 100, 50), place(b + 100, 50)].join(), 1, lightness, a, b);
    named.lightness[Math.min(199, Math.trunc(2 * lightness))]++;
    to(named.means, a, b);
    to(named.squares, a * a, a * b, b * b);
    to(lightness < 35 ? named.shadows : lightness > 70 ? named.highlights : named.midtones, 1, a, b);
    const chroma = Math.sqrt(a * a + b * b);
    const tangent = (degrees: number) => Math.tan((degrees * Math.PI) / 180);
    const isSkin = a > 0 && b >= a * tangent(28) && b <= a * tangent(78);
    if (isSkin && lightness >= 25 && lightness <= 92 && chroma >= 10 && chroma <= 48)
      to(named.skin, 1, a / chroma, b / chroma);
    to(named.clipped, Math.max(red, green, blue) <= 1 ? 1 : 0, Math.min(red, green, blue) >= 254 ? 1 : 0);
  }

  addCell(cell: string, ...terms: [number, number, number, number]): void {
    const sums = this.cells.get(cell) ?? [0, 0, 0, 0];
    this.cells.set(cell, sums.map((sum, at) => sum + terms[at]) as [number, number, number, number]);
  }

  merge(other: PlainSums, scale: number): void {
    for (const [cell, sums] of other.cells)
      this.addCell(cell, ...(sums.map((sum) => sum * scale) as [number, number, number, number]));
    for (const [name, sums] of Object.entries(other.named))
      for (const [at, sum] of sums.entries()) this.named[name as keyof typeof this.named][at] += sum * scale;
  }

  list(): number[] {
    return [...this.cells.values()].flatMap(([weight, ...sums]) => [
      weight,
      ...sums.map((sum) => sum / weight),
    ]);
  }
}

function assertSame(found: ColorSums, expected: PlainSums): void {
  assert.deepEqual([...found.cells()], expected.list());
  assert.deepEqual(found.named, expected.named);
}

/** Pixels of one tint, with some black, white and skin between. */
function pixelsOf(count: number, seed: number): Uint8Array {
  const random = seededRandom(seed);
  const some = [
    [0, 0, 0],
    [1, 0, 1],
    [255, 254, 255],
    [0, 255, 0],
    [0, 0, 255],
    [224, 172, 140],
  ];
  const pixels = Array.from({ length: count }, () => {
    const plain = some[Math.floor(30 * random())];
    return plain ?? [256 * random() ** 2, 200 * random(), 256 * random()];
  });
  return Uint8Array.from(pixels.flat());
}

describe('sums of colors', () => {
  for (const count of [1, 7, 648, 1024, 2500]) {
    test(`${count} pixels, all and some, and again after clearing`, () => {
      const pixels = pixelsOf(count, count);
      const found = new ColorSums();
      for (const isIncluded of [() => 1, (_: unknown, at: number) => (at % 3 === 0 ? 0 : 1)]) {
        const expected = new PlainSums();
        const mask = Uint8Array.from({ length: count }, isIncluded);
        found.clear();
        for (let again = 0; again < 2; again++) {
          found.add(pixels, mask);
          for (const [at, isKept] of mask.entries())
            if (isKept === 1) expected.addPixel(pixels[3 * at], pixels[3 * at + 1], pixels[3 * at + 2]);
        }
        assertSame(found, expected);
      }
    });
  }

  test('are added to others, times a scale', () => {
    const [found, expected] = [new ColorSums(), new PlainSums()];
    for (const [count, scale] of [
      [300, 1 / 300],
      [40, 0.7],
      [900, 1 / 3],
    ] as const) {
      const pixels = pixelsOf(count, count);
      const [shot, plain] = [new ColorSums(), new PlainSums()];
      shot.add(pixels, new Uint8Array(count).fill(1));
      for (let at = 0; at < pixels.length; at += 3)
        plain.addPixel(pixels[at], pixels[at + 1], pixels[at + 2]);
      found.merge(shot, scale);
      expected.merge(plain, scale);
    }
    assertSame(found, expected);
  });
});

describe('clusters of colors', () => {
  const distance = (one: readonly number[], other: readonly number[]) =>
    (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2;

  /** At most 8 seeds, at most 40 rounds. */
  function plainClusters(cells: readonly Cell[]) {
    const seeds: number[][] = [];
    while (seeds.length < 8) {
      let [best, most]: [number[] | null, number] = [null, 0];
      for (const [weight, ...lab] of cells) {
        const gain =
          weight * (seeds.length === 0 ? 1 : Math.min(...seeds.map((seed) => distance(lab, seed))));
        if (gain > most) [best, most] = [lab, gain];
      }
      if (best === null) break;
      seeds.push(best);
    }
    let clusters = seeds.map((lab) => ({ lab, weight: 0 }));
    let before = '';
    for (let round = 0; round < 40; round++) {
      const owners = cells.map(([, ...lab]) => {
        const distances = clusters.map((cluster) => distance(lab, cluster.lab));
        return distances.indexOf(Math.min(...distances));
      });
      clusters = clusters.map(({ lab }, cluster) => {
        const sums = [0, 0, 0, 0];
        for (const [at, [weight, ...own]] of cells.entries()) {
          if (owners[at] !== cluster) continue;
          sums[0] += weight;
          for (const axis of [0, 1, 2]) sums[axis + 1] += weight * own[axis];
        }
        const [weight, ...axes] = sums;
        return { lab: weight === 0 ? lab : axes.map((sum) => sum / weight!), weight: weight! };
      });
      if (before === owners.join()) break;
      before = owners.join();
    }
    return clusters.filter(({ weight }) => weight > 0);
  }

  for (const count of [1, 3, 8, 9, 50, 701]) {
    test(`of ${count} cells`, () => {
      const random = seededRandom(count);
      const cells = Array.from(
        { length: count },
        (): Cell => [random() ** 3, 100 * random(), 80 * random() - 40, 80 * random() - 40],
      );
      assert.deepEqual(clustersOf(Float64Array.from(cells.flat())), plainClusters(cells));
    });
  }

  test('of equal cells there is one', () => {
    const cells: Cell[] = [
      [1, 50, 3, 4],
      [2, 50, 3, 4],
    ];
    assert.deepEqual(clustersOf(Float64Array.from(cells.flat())), [{ lab: [50, 3, 4], weight: 3 }]);
  });
});
