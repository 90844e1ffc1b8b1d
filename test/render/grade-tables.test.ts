import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plane, Yuv } from '../../src/render/picture/composite.ts';
import { GradeKernel } from '../../src/render/picture/grade-kernel.ts';
import {
  CHROMA_TABLE_BYTES,
  fillGradeTables,
  LUMA_TABLE_BYTES,
} from '../../src/render/picture/grade-tables.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { gradeLut } from '../../src/style/look/grade.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';

type Codes = readonly [number, number];

const GRADE = {
  ...IDENTITY_GRADE,
  chroma: 1.2,
  offsets: [{ at: 50, a: 6, b: -9 }],
} as const;
const lut = gradeLut(GRADE);
const ALL: Codes = [0, 255];
const random = seededRandom(7);

/** Beyond each row lies what must not be looked at. */
function pictureOf(width: number, blue: Codes, red: Codes): Yuv {
  const plane = (columns: number, rows: number, [least, most]: Codes): Plane => {
    const stride = columns + 5;
    const data = Buffer.alloc(stride * rows, 0);
    for (let y = 0; y < rows; y++)
      for (let x = 0; x < columns; x++)
        data[y * stride + x] = least + Math.floor(random() * (most - least + 1));
    // Both ends are there.
    data[columns - 1] = most;
    data[stride] = least;
    return { data, stride, width: columns, height: rows };
  };
  return [plane(width, 32, ALL), plane(width / 2, 16, blue), plane(width / 2, 16, red)];
}

function gradedBy(kernel: GradeKernel, picture: Yuv): Buffer {
  const out = picture.map((one) => ({ ...one, data: Buffer.alloc(one.data.length) })) as unknown as Yuv;
  kernel.apply(picture, out);
  return Buffer.concat(out.map(({ data }) => data));
}

const whole = new GradeKernel({ size: 33, rgb: lut });
gradedBy(whole, pictureOf(64, ALL, ALL));

describe('tables filled for the received pictures grade like complete ones', () => {
  for (const { what, ranges } of [
    { what: 'some, from and to within cells', ranges: [{ blue: [97, 142], red: [110, 201] }] },
    { what: 'both ends of a cell', ranges: [{ blue: [98, 101], red: [126, 129] }] },
    { what: 'one', ranges: [{ blue: [128, 128], red: [127, 127] }] },
    {
      what: 'more in each direction, one after the other, then fewer',
      ranges: [
        { blue: [120, 130], red: [120, 130] },
        { blue: [90, 130], red: [120, 130] },
        { blue: [90, 175], red: [120, 130] },
        { blue: [100, 130], red: [60, 130] },
        { blue: [100, 130], red: [100, 192] },
        { blue: [0, 255], red: [120, 130] },
        { blue: [128, 128], red: [0, 255] },
        { blue: [97, 142], red: [110, 201] },
      ],
    },
  ] as const) {
    // Chroma rows of 32, 15 and 17 codes: whole vectors, less than one, and one with a rest.
    for (const width of [64, 30, 34]) {
      test(`${what}; ${width} columns`, () => {
        const kernel = new GradeKernel({ size: 33, rgb: lut });
        for (const { blue, red } of ranges) {
          const picture = pictureOf(width, blue, red);
          const graded = gradedBy(kernel, picture);
          assert.ok(graded.equals(gradedBy(whole, picture)), `U ${blue}, V ${red}`);
          assert.ok(!graded.equals(Buffer.concat(picture.map(({ data }) => data))), 'it is graded');
        }
      });
    }
  }
});

describe('the tables contain the cube’s value of each code, by BT.709 and tetrahedral interpolation', () => {
  const SIZE = 4;
  const noise = seededRandom(102);
  const cube = Float32Array.from({ length: 3 * SIZE ** 3 }, () => noise());
  const luma = new Uint8Array(LUMA_TABLE_BYTES);
  const chroma = new Uint8Array(CHROMA_TABLE_BYTES);
  // Small ranges all over the plane of chroma, one end of it too.
  const RANGES: readonly (readonly [blue: Codes, red: Codes])[] = [
    [
      [126, 130],
      [125, 131],
    ],
    [
      [150, 152],
      [90, 93],
    ],
    [
      [90, 92],
      [150, 153],
    ],
    [
      [95, 98],
      [100, 102],
    ],
    [
      [170, 171],
      [165, 168],
    ],
    [
      [253, 255],
      [0, 1],
    ],
  ];
  for (const [blue, red] of RANGES)
    fillGradeTables({ size: Math.round(Math.cbrt(cube.length / 3)), rgb: cube }, luma, chroma, { blue, red });

  for (const [blue, red] of RANGES)
    test(`U ${blue.join('–')}, V ${red.join('–')}`, () => {
      for (let u = blue[0]; u <= blue[1]; u++)
        for (let v = red[0]; v <= red[1]; v++) {
          const [cellU, cellV] = [Math.round(u / 4), Math.round(v / 4)];
          for (let y = 0; y < 256; y++) {
            const [wanted] = gradedCode(cube, SIZE, [y, 4 * cellU, 4 * cellV]);
            isRounded(luma[(cellU << 15) | (cellV << 8) | y], wanted, `luma of ${y}, ${u}, ${v}`);
          }
          for (let step = 0; step < 64; step++) {
            const [, wantedU, wantedV] = gradedCode(cube, SIZE, [4 * step + 1.5, u, v]);
            const at = 2 * ((step << 16) | (u << 8) | v);
            isRounded(chroma[at], wantedU, `U of ${step}, ${u}, ${v}`);
            isRounded(chroma[at + 1], wantedV, `V of ${step}, ${u}, ${v}`);
          }
        }
    });

  test('and nothing where no picture has chroma', () => {
    const filled = RANGES.reduce(
      (sum, [blue, red]) => sum + (blue[1] - blue[0] + 1) * (red[1] - red[0] + 1),
      0,
    );
    // A code may be 0 by chance: chroma of a cube is not.
    assert.equal(chroma.filter((code) => code > 0).length, 2 * 64 * filled);
  });
});

function isRounded(seen: number, wanted: number, what: string): void {
  assert.ok(Math.abs(seen - wanted) <= 0.5 + 1e-3, `${what}: ${seen}, not ${wanted}`);
}

/** By the definitions: codes to RGB and back (BT.709), in the cube along the axes in the order of their shares. */
function gradedCode(
  cube: Float32Array,
  size: number,
  [y, u, v]: readonly [number, number, number],
): [number, number, number] {
  const [kr, kb] = [0.2126, 0.0722];
  const [light, cb, cr] = [(y - 16) / 219, (u - 128) / 224, (v - 128) / 224];
  const r = light + 2 * (1 - kr) * cr;
  const b = light + 2 * (1 - kb) * cb;
  const g = (light - kr * r - kb * b) / (1 - kr - kb);
  const places = [r, g, b].map((value) => Math.max(0, Math.min(1, value)) * (size - 1));
  const corner = places.map((place) => Math.min(size - 2, Math.floor(place)));
  const shares = places.map((place, axis) => place - corner[axis]);
  const valueAt = () => {
    const [x, y, z] = corner as [number, number, number];
    return [...cube.subarray(3 * (x + size * (y + size * z))).subarray(0, 3)];
  };
  let before = valueAt();
  const rgb = [...before];
  for (const axis of [0, 1, 2].toSorted((one, other) => shares[other] - shares[one])) {
    corner[axis] += 1;
    const after = valueAt();
    for (const channel of [0, 1, 2]) rgb[channel] += shares[axis] * (after[channel] - before[channel]);
    before = after;
  }
  const [red, green, blue] = rgb as [number, number, number];
  const graded = kr * red + (1 - kr - kb) * green + kb * blue;
  return [
    16 + 219 * graded,
    128 + (224 * (blue - graded)) / (2 * (1 - kb)),
    128 + (224 * (red - graded)) / (2 * (1 - kr)),
  ];
}
