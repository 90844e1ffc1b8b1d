import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plane, Yuv } from '../../src/render/composite.ts';
import { GradeKernel } from '../../src/render/grade-kernel.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { gradeLut } from '../../src/style/look/grade.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';

type Codes = readonly [number, number];

const GRADE = {
  ...IDENTITY_GRADE,
  matrix: [1.2, 0.1, -0.1, 0.9],
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

const whole = new GradeKernel(lut);
gradedBy(whole, pictureOf(64, ALL, ALL));

describe('tables that are filled for the pictures that came grade as whole ones do', () => {
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
        const kernel = new GradeKernel(lut);
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
