import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCubeFile, partOfCube } from '../../src/style/look/cube-file.ts';
import { gradeLut, writeCube } from '../../src/style/look/grade.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';

const near = (found: ArrayLike<number>, wanted: ArrayLike<number>) => {
  assert.equal(found.length, wanted.length);
  for (let at = 0; at < found.length; at++)
    assert.ok(Math.abs(found[at]! - wanted[at]!) < 1e-5, `${at}: ${found[at]} for ${wanted[at]}`);
};
const CORNERS = ['0 0 0', '1 0 0', '0 1 0', '1 1 0', '0 0 1', '1 0 1', '0 1 1', '1 1 1'];
const cube = (entries: readonly string[], ...head: string[]) =>
  ['# made by hand', 'TITLE "x"', ...head, '', ...entries].join('\r\n');
const swapped = CORNERS.map((entry) => entry.split(' ').reverse().join(' '));

describe('.cube files', () => {
  test('what is written is read back', () => {
    const lut = gradeLut(IDENTITY_GRADE, 5);
    const read = parseCubeFile(writeCube(lut));
    assert.equal(read.size, 5);
    near(read.rgb, lut);
  });

  test('red runs fastest', () => {
    const { size, rgb } = parseCubeFile(cube(swapped, 'LUT_3D_SIZE 2'));
    assert.equal(size, 2);
    // Pure red becomes pure blue.
    near(rgb.subarray(3, 6), [0, 0, 1]);
  });

  test('three curves are a cube whose axes know nothing of each other', () => {
    const { size, rgb } = parseCubeFile(cube(['0 0.5 1', '0.5 0.5 0.75', '1 0.5 0'], 'LUT_1D_SIZE 3'));
    const at = (r: number, g: number, b: number) => 3 * (r + size * (g + size * b));
    const middle = (size - 1) / 2;
    near(rgb.subarray(at(middle, 3, middle / 2), at(middle, 3, middle / 2) + 3), [0.5, 0.5, 0.875]);
  });

  test('a domain of its own is brought to 0..1, and held beyond', () => {
    const { size, rgb } = parseCubeFile(
      cube(swapped, 'LUT_3D_SIZE 2', 'DOMAIN_MIN 0.25 0.25 0.25', 'DOMAIN_MAX 0.75 0.75 0.75'),
    );
    const at = (r: number, g: number, b: number) => 3 * (r + size * (g + size * b));
    const last = size - 1;
    near(rgb.subarray(at(last / 2, last, 0), at(last / 2, last, 0) + 3), [0, 1, 0.5]);
  });

  for (const share of [0, 0.25, 1]) {
    test(`part ${share} of it`, () => {
      const { rgb } = partOfCube(parseCubeFile(cube(swapped, 'LUT_3D_SIZE 2')), share);
      const wanted = CORNERS.flatMap((entry) => {
        const [r, g, b] = entry.split(' ').map(Number) as [number, number, number];
        return [r + share * (b - r), g, b + share * (r - b)];
      });
      near(rgb, wanted);
    });
  }

  for (const [what, text, says] of [
    ['no size', cube(CORNERS), /does not give its size/],
    [
      'a size that is none',
      cube(CORNERS, 'LUT_3D_SIZE two'),
      /line 3 should give a size from 2 to 129; it reads "LUT_3D_SIZE two"/,
    ],
    ['a size of 1', cube(CORNERS, 'LUT_3D_SIZE 1'), /from 2 to 129/],
    ['a size of 130', cube(CORNERS, 'LUT_3D_SIZE 130'), /from 2 to 129/],
    [
      'too few entries',
      cube(CORNERS.slice(1), 'LUT_3D_SIZE 2'),
      /should have 8 entries for its size of 2; it has 7/,
    ],
    ['too many', cube([...CORNERS, '1 1 1'], 'LUT_3D_SIZE 2'), /it has 9/],
    [
      'words',
      cube(['a b c', ...CORNERS], 'LUT_3D_SIZE 2'),
      /line 5 should hold three numbers; it reads "a b c"/,
    ],
    ['two numbers', cube(['1 2', ...CORNERS], 'LUT_3D_SIZE 2'), /line 5 should hold three numbers/],
    ['not a number', cube(['NaN 0 0', ...CORNERS], 'LUT_3D_SIZE 2'), /line 5/],
    ['another file', '<html>', /line 1 should hold three numbers; it reads "<html>"/],
    [
      'a domain the wrong way round',
      cube(CORNERS, 'LUT_3D_SIZE 2', 'DOMAIN_MIN 1 0 0'),
      /domain ends before it begins/,
    ],
  ] as const)
    test(`${what}: says so`, () => {
      assert.throws(
        () => parseCubeFile(text),
        (error: { code: string; detail: string }) => {
          assert.equal(error.code, 'INPUT_UNSUPPORTED');
          assert.match(error.detail, says);
          return true;
        },
      );
    });
});
