import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plane, Yuv } from '../../src/render/composite.ts';
import { GradeKernel } from '../../src/render/grade-kernel.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { gradeLut } from '../../src/style/look/grade.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';

const GRADE = {
  ...IDENTITY_GRADE,
  matrix: [1.2, 0.1, -0.1, 0.9],
  offsets: [{ at: 50, a: 6, b: -9 }],
} as const;
const lut = gradeLut(GRADE);

for (const { what, blue, red } of [
  { what: 'all codes', blue: [0, 255], red: [0, 255] },
  { what: 'some, from and to within cells', blue: [97, 142], red: [110, 201] },
  { what: 'both ends of a cell', blue: [98, 101], red: [126, 129] },
  { what: 'one', blue: [128, 128], red: [127, 127] },
] as const) {
  test(`tables of ${what} grade pictures of such chroma as whole tables do`, () => {
    const random = seededRandom(7);
    const within = ([least, most]: readonly [number, number]) =>
      least + Math.floor(random() * (most - least + 1));
    const plane = (width: number, height: number, code: () => number): Plane => ({
      data: Buffer.from(Array.from({ length: width * height }, code)),
      stride: width,
      width,
      height,
    });
    const picture: Yuv = [
      plane(64, 32, () => within([0, 255])),
      plane(32, 16, () => within(blue)),
      plane(32, 16, () => within(red)),
    ];
    const graded = [new GradeKernel(lut), new GradeKernel(lut, { blue, red })].map((kernel) => {
      const out = picture.map((one) => ({ ...one, data: Buffer.alloc(one.data.length) })) as unknown as Yuv;
      kernel.apply(picture, out);
      return Buffer.concat(out.map(({ data }) => data));
    });
    assert.ok(graded[0]!.equals(graded[1]!));
    assert.ok(!graded[0]!.equals(Buffer.concat(picture.map(({ data }) => data))), 'it is graded');
  });
}
