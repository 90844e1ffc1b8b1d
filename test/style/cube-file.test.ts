import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CubeGrade } from '../../src/domain/footage.ts';
import { parseCubeFile, writeCube } from '../../src/style/look/cube-file.ts';
import { gradeLut } from '../../src/style/look/grade.ts';
import { cubeColor, partOfCube, type Triple } from '../../src/style/model/cube-color.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';

const near = (found: ArrayLike<number>, wanted: ArrayLike<number>, tolerance = 1e-5) => {
  assert.equal(found.length, wanted.length);
  for (let at = 0; at < found.length; at++)
    assert.ok(Math.abs(found[at] - wanted[at]) < tolerance, `${at}: ${found[at]} for ${wanted[at]}`);
};
const CORNERS = ['0 0 0', '1 0 0', '0 1 0', '1 1 0', '0 0 1', '1 0 1', '0 1 1', '1 1 1'];
const cube = (entries: readonly string[], ...head: string[]) =>
  ['# made by hand', 'TITLE "x"', ...head, '', ...entries].join('\r\n');
const swapped = CORNERS.map((entry) => entry.split(' ').reverse().join(' '));

describe('.cube files', () => {
  test('written files are read back', () => {
    const lut = gradeLut(IDENTITY_GRADE, 5);
    const read = parseCubeFile(writeCube({ size: 5, rgb: lut }));
    assert.equal(read.size, 5);
    near(read.rgb, lut);
  });

  test('red runs fastest', () => {
    const { size, rgb } = parseCubeFile(cube(swapped, 'LUT_3D_SIZE 2'));
    assert.equal(size, 2);
    // Pure red becomes pure blue.
    near(rgb.subarray(3, 6), [0, 0, 1]);
  });

  test('three curves know nothing of each other', () => {
    const grade = parseCubeFile(cube(['0 0.5 1', '0.5 0.5 0.75', '1 0.5 0'], 'LUT_1D_SIZE 3'));
    near(cubeColor(grade, [0.5, 0.1, 0.25]), [0.5, 0.5, 0.875]);
  });

  test('a domain of its own is brought to 0..1, and held beyond', () => {
    const grade = parseCubeFile(
      cube(swapped, 'LUT_3D_SIZE 2', 'DOMAIN_MIN 0.25 0.25 0.25', 'DOMAIN_MAX 0.75 0.75 0.75'),
    );
    near(cubeColor(grade, [0.5, 1, 0]), [0, 1, 0.5], 2e-4);
    near(cubeColor(grade, [0.25, 0.75, 0.625]), [0.75, 1, 0], 2e-4);
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

  /** x^(1/2.4): the steepest curve of usual ones. */
  const gamma = (value: number) => value ** (1 / 2.4);
  const curve = (size: number, of: (value: number) => number) =>
    Array.from({ length: size }, (_, at) =>
      Array<string>(3)
        .fill(of(at / (size - 1)).toFixed(6))
        .join(' '),
    );
  const GREYS = Array.from({ length: 256 }, (_, level) => level / 255);
  /** Levels of 255 by which a grey is off at most. */
  const worst = (grade: CubeGrade, wanted: (value: number) => number) =>
    Math.max(
      ...GREYS.map((value) => 255 * Math.abs(cubeColor(grade, [value, value, value])[1] - wanted(value))),
    );

  test('a curve of 4,096 points does not change, shadows included, also in part', () => {
    const grade = parseCubeFile(cube(curve(4096, gamma), 'LUT_1D_SIZE 4096'));
    assert.ok(worst(grade, gamma) < 0.5, `${worst(grade, gamma)}`);
    const half = partOfCube(grade, 0.5);
    assert.ok(worst(half, (value) => (value + gamma(value)) / 2) < 0.5);
    assert.ok(worst(parseCubeFile(writeCube(grade)), gamma) < 0.5, 'written and read back');
    assert.match(writeCube(grade), /^LUT_1D_SIZE 4096$/m);
  });

  /** A logarithmic shaper in front of a cube that undoes it, but for inverting red. */
  const log = (value: number) => Math.log2(1 + 255 * value) / 8;
  const exp = (value: number) => (2 ** (8 * value) - 1) / 255;
  const cubeEntries = (size: number) =>
    Array.from({ length: size ** 3 }, (_, at) => {
      const [red, green, blue] = [at % size, Math.floor(at / size) % size, Math.floor(at / size ** 2)].map(
        (index) => exp(index / (size - 1)),
      );
      return [1 - red!, green!, blue!].map((value) => value.toFixed(7)).join(' ');
    });
  test('curves in front of a cube: DaVinci Resolve’s shaper', () => {
    const text = cube([...curve(1024, log), ...cubeEntries(33)], 'LUT_1D_SIZE 1024', 'LUT_3D_SIZE 33');
    for (const grade of [parseCubeFile(text), parseCubeFile(writeCube(parseCubeFile(text)))]) {
      for (const value of [0.02, 0.1, 0.5, 0.9]) {
        const [red, green, blue] = cubeColor(grade, [value, value, 1]);
        near([red, green, blue], [1 - value, value, 1], 0.006);
        const part = cubeColor(partOfCube(grade, 0.25), [value, value, 1]);
        near(part, [0.75 * value + 0.25 * (1 - value), value, 1], 0.006);
      }
      assert.ok(worst(partOfCube(grade, 0.25), (value) => value) < 1);
    }
  });

  const seen = (text: string, color: Triple) => cubeColor(parseCubeFile(text), color);
  for (const [what, text, color, wanted] of [
    [
      'a range of the cube',
      cube(swapped, 'LUT_3D_SIZE 2', 'LUT_3D_INPUT_RANGE 0.0 2.0'),
      [1, 0.5, 0],
      [0, 0.25, 0.5],
    ],
    [
      'a range of curves',
      cube(['0 0 0', '1.5 1.5 1.5', '3 3 3'], 'LUT_1D_SIZE 3', 'LUT_1D_INPUT_RANGE 0 3'),
      [1, 0.5, 0],
      [1, 0.5, 0],
    ],
    [
      'ranges of both',
      cube(
        ['0 0 0', '2 2 2', ...swapped],
        'LUT_1D_SIZE 2',
        'LUT_1D_INPUT_RANGE 0 1',
        'LUT_3D_SIZE 2',
        'LUT_3D_INPUT_RANGE 0 2',
      ),
      [1, 0.5, 0],
      [0, 0.5, 1],
    ],
    [
      'input in video range',
      cube(swapped, 'LUT_3D_SIZE 2', 'LUT_IN_VIDEO_RANGE'),
      [1, 1, 0],
      [64 / 1023, 940 / 1023, 940 / 1023],
    ],
    [
      'output in video range',
      cube(swapped, 'LUT_3D_SIZE 2', 'LUT_OUT_VIDEO_RANGE'),
      [1, 1, 0],
      [-64 / 876, 959 / 876, 959 / 876],
    ],
    [
      'both in video range: an identity stays one',
      cube(CORNERS, 'LUT_3D_SIZE 2', 'LUT_IN_VIDEO_RANGE', 'LUT_OUT_VIDEO_RANGE'),
      [0.2, 0.5, 0.9],
      [0.2, 0.5, 0.9],
    ],
    [
      'curves in video range',
      cube(['0 0 0', '1 1 1'], 'LUT_1D_SIZE 2', 'LUT_IN_VIDEO_RANGE'),
      [0, 1, 0],
      [64 / 1023, 940 / 1023, 64 / 1023],
    ],
    [
      'a byte order mark, tabs, notes behind numbers',
      `\ufeff${cube(
        swapped.map((line) => `\t${line.replaceAll(' ', '\t')} # x`),
        'LUT_3D_SIZE\t2',
      )}`,
      [1, 0.5, 0],
      [0, 0.5, 1],
    ],
  ] as readonly (readonly [string, string, Triple, Triple])[])
    test(what, () => near(seen(text, color), wanted, 3e-4));

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
      'too few entries for both',
      cube(['0 0 0', '1 1 1', ...CORNERS.slice(1)], 'LUT_1D_SIZE 2', 'LUT_3D_SIZE 2'),
      /should have 10 entries for its size of 2 and 2; it has 9/,
    ],
    [
      'a range of one number',
      cube(CORNERS, 'LUT_3D_SIZE 2', 'LUT_3D_INPUT_RANGE 1'),
      /line 4 should give two numbers; it reads "LUT_3D_INPUT_RANGE 1"/,
    ],
    [
      'a range the wrong way round',
      cube(CORNERS, 'LUT_3D_SIZE 2', 'LUT_3D_INPUT_RANGE 1 0'),
      /domain ends before it begins/,
    ],
    ['line ends without end', '\n'.repeat(50_000_000), /has more than \d+ lines/],
    [
      'a line without end',
      `LUT_3D_SIZE 2\n${'1 '.repeat(20_000_000)}`,
      /line 2 has more than 10000 characters/,
    ],
    [
      'a keyword that nobody writes',
      cube(CORNERS, 'LUT_3D_SIZE 2', 'LUT_4D_SIZE 3'),
      /line 4 has a keyword that no \.cube file has; it reads "LUT_4D_SIZE 3"/,
    ],
    [
      'a domain the wrong way round',
      cube(CORNERS, 'LUT_3D_SIZE 2', 'DOMAIN_MIN 1 0 0'),
      /domain ends before it begins/,
    ],
  ] as const)
    test(`${what}: is reported`, () => {
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
