import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { composite, type Plane, type TransitionLook, type Yuv } from '../../src/render/picture/composite.ts';

const WIDTH = 16;
const HEIGHT = 8;

/** By default a stride is wider than the row, as FFmpeg has it: what lies beyond must stay untouched. */
function plane(width: number, height: number, level: number, beyond = 5): Plane {
  const stride = width + beyond;
  const data = new Uint8Array(stride * height).fill(99);
  for (let y = 0; y < height; y++) data.fill(level, y * stride, y * stride + width);
  return { data, stride, width, height };
}

function picture(level: number): Yuv {
  return [
    plane(WIDTH, HEIGHT, level),
    plane(WIDTH / 2, HEIGHT / 2, level),
    plane(WIDTH / 2, HEIGHT / 2, level),
  ];
}

/** Draws from all-50 to all-200 and gives the luma back as rows of letters: o old, n new. */
function drawn(
  ...[type, direction, progress]: [TransitionLook['type'], TransitionLook['direction'], number]
) {
  const out = picture(0);
  composite({ type, direction }, progress, picture(50), picture(200), out);
  const [luma] = out;
  assert.ok(luma.data.filter((_, at) => at % luma.stride >= WIDTH).every((level) => level === 99));
  return Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (_, x) => (luma.data[y * luma.stride + x] === 200 ? 'n' : 'o')).join(''),
  );
}

describe('composite', () => {
  for (const type of [
    'dissolve',
    'wipe',
    'slide',
    'circle',
    'zoom',
    'fade_black',
    'fade_white',
    'fade_color',
  ] as const) {
    test(`${type} begins all old and ends all new`, () => {
      const begin = picture(0);
      composite({ type }, 0, picture(50), picture(200), begin);
      assert.ok(
        begin.every(({ data, stride, width }) =>
          data.every((level, at) => at % stride >= width || level === 50),
        ),
      );
      const end = picture(0);
      composite({ type }, 1, picture(50), picture(200), end);
      assert.ok(
        end.every(({ data, stride, width }) =>
          data.every((level, at) => at % stride >= width || level === 200),
        ),
      );
    });
  }

  test('a dissolve mixes in proportion', () => {
    for (const [progress, level] of [
      [0.25, 88],
      [0.5, 125],
      [0.75, 163],
    ] as const) {
      const out = picture(0);
      composite({ type: 'dissolve' }, progress, picture(50), picture(200), out);
      assert.ok(Math.abs(out[0].data[0] - level) <= 1);
    }
  });

  test('fades pass through black and white', () => {
    for (const [type, level] of [
      ['fade_black', 16],
      ['fade_white', 235],
    ] as const) {
      const out = picture(0);
      composite({ type }, 0.5, picture(50), picture(200), out);
      assert.deepEqual([out[0].data[0], out[1].data[0], out[2].data[0]], [level, 128, 128]);
    }
  });

  test('a fade passes through its own color, in BT.709', () => {
    // Bars of 100 % as ITU-R BT.709-6 codes them, and a grey.
    for (const [color, levels] of [
      ['#ff0000', [63, 102, 240]],
      ['#00ff00', [173, 42, 26]],
      ['#0000FF', [32, 240, 118]],
      ['#ffff00', [219, 16, 138]],
      ['#808080', [126, 128, 128]],
    ] as const) {
      const out = picture(0);
      composite({ type: 'fade_color', color }, 0.5, picture(50), picture(200), out);
      assert.deepEqual([out[0].data[0], out[1].data[0], out[2].data[0]], levels, color);
      composite({ type: 'fade_color', color }, 0.25, picture(50), picture(200), out);
      assert.ok(Math.abs(out[0].data[0] - (50 + levels[0]) / 2) <= 1, color);
    }
  });

  test('wipes and slides move in their direction', () => {
    const left = `${'n'.repeat(4)}${'o'.repeat(12)}`;
    const right = `${'o'.repeat(12)}${'n'.repeat(4)}`;
    const columns = (row: string) => Array.from({ length: HEIGHT }, () => row);
    const rows = (top: boolean) =>
      Array.from({ length: HEIGHT }, (_, y) => ((top ? y < 2 : y >= 6) ? 'n' : 'o').repeat(WIDTH));
    assert.deepEqual(drawn('wipe', 'right', 0.25), columns(left));
    assert.deepEqual(drawn('wipe', 'left', 0.25), columns(right));
    assert.deepEqual(drawn('wipe', 'down', 0.25), rows(true));
    assert.deepEqual(drawn('wipe', 'up', 0.25), rows(false));
    assert.deepEqual(drawn('slide', 'left', 0.25), columns(right));
    assert.deepEqual(drawn('slide', 'right', 0.25), columns(left));
    assert.deepEqual(drawn('slide', 'up', 0.25), rows(false));
    assert.deepEqual(drawn('slide', 'down', 0.25), rows(true));
  });

  test('a circle opens from the middle', () => {
    const rows = drawn('circle', undefined, 0.3);
    assert.equal(rows[0], 'o'.repeat(WIDTH));
    assert.equal(rows[HEIGHT / 2].slice(6, 10), 'nnnn');
    assert.equal(rows[HEIGHT / 2][0], 'o');
  });
});

type Type = TransitionLook['type'];
type Direction = NonNullable<TransitionLook['direction']>;
/** The coded level of one plane at a place. Linear in x and y, so that places between pixels are known too. */
type Shown = (x: number, y: number) => number;
/** The level that the plane `index` must show at (x, y). */
type Expected = (at: { x: number; y: number; width: number; height: number; index: number }) => number;

const PLANES = [
  { width: WIDTH, height: HEIGHT },
  { width: WIDTH / 2, height: HEIGHT / 2 },
  { width: WIDTH / 2, height: HEIGHT / 2 },
];
/**
 * Every pixel of one of the three planes of either picture has a level of its own; the new picture's are 128 and more, and
 * run in the other direction, so that each place mixes differently.
 */
const codeOf = (picture: 'old' | 'new', index: number): Shown => {
  const { width } = PLANES[index];
  const base = index === 2 ? 64 : 0;
  const old: Shown = (x, y) => base + y * width + x;
  return picture === 'old' ? old : (x, y) => 255 - old(x, y);
};

function coded(picture: 'old' | 'new', beyond?: number): Yuv {
  return PLANES.map(({ width, height }, index) => {
    const drawn = plane(width, height, 0, beyond);
    const code = codeOf(picture, index);
    // What lies beyond the rows is not what lies there in the picture that is drawn.
    drawn.data.fill(55);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) drawn.data[y * drawn.stride + x] = code(x, y);
    return drawn;
  }) as unknown as Yuv;
}

function assertShows(
  [type, direction, progress]: readonly [Type, Direction | undefined, number],
  expected: Expected,
  tolerance = 0,
  beyond?: number,
): void {
  const out = picture(0);
  composite({ type, direction }, progress, coded('old', beyond), coded('new', beyond), out);
  for (const [index, { data, stride, width, height }] of out.entries()) {
    assert.ok(
      data.every((level, at) => at % stride < width || level === 99),
      `${type} draws beyond its rows`,
    );
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [seen, wanted] = [data[y * stride + x], expected({ x, y, width, height, index })];
        const where = `${type} ${direction ?? ''} at ${progress}, plane ${index}, (${x}, ${y})`;
        assert.ok(Math.abs(seen - wanted) <= tolerance, `${where}: ${seen}, not ${wanted}`);
      }
    }
  }
}

/** Whole numbers of pixels of every plane, so that no rounding decides. */
const EVEN_PROGRESSES = [0, 0.25, 0.5, 0.75, 1];
const EXACT_PROGRESSES = [1 / 8, 7 / 32, 3 / 8, 5 / 8, 27 / 32, ...EVEN_PROGRESSES];
const PROGRESSES = [0, 0.1, 0.3, 0.5, 0.55, 0.8, 1];
const TOWARDS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;
const DIRECTIONS = Object.keys(TOWARDS) as Direction[];
const mixed = (from: number, to: number, share: number) => from + (to - from) * share;

describe('every pixel is that of its place in its picture:', () => {
  for (const direction of DIRECTIONS) {
    const [across, down] = TOWARDS[direction];
    test(`slide ${direction}: both pictures move as one, the new one behind the old`, () => {
      for (const progress of EVEN_PROGRESSES) {
        assertShows(['slide', direction, progress], ({ x, y, width, height, index }) => {
          const [oldX, oldY] = [x - across * progress * width, y - down * progress * height];
          if (oldX >= 0 && oldX < width && oldY >= 0 && oldY < height)
            return codeOf('old', index)(oldX, oldY);
          return codeOf('new', index)(oldX + across * width, oldY + down * height);
        });
      }
    });

    test(`wipe ${direction}: neither picture moves, the edge does`, () => {
      for (const progress of EVEN_PROGRESSES) {
        assertShows(['wipe', direction, progress], ({ x, y, width, height, index }) => {
          const along = { left: (width - 1 - x) / width, right: x / width };
          const upright = { up: (height - 1 - y) / height, down: y / height };
          const passed = { ...along, ...upright }[direction] < progress;
          return codeOf(passed ? 'new' : 'old', index)(x, y);
        });
      }
    });
  }

  test('without a direction a slide goes left and a wipe right', () => {
    for (const [type, direction] of [
      ['slide', 'left'],
      ['wipe', 'right'],
    ] as const) {
      const [explicit, usual] = [picture(0), picture(0)];
      composite({ type, direction }, 0.3, coded('old'), coded('new'), explicit);
      composite({ type }, 0.3, coded('old'), coded('new'), usual);
      assert.deepEqual(usual, explicit);
    }
  });

  test('circle: the new picture where the distance from the middle is below the share of the half diagonal', () => {
    for (const progress of PROGRESSES) {
      const out = picture(0);
      composite({ type: 'circle' }, progress, coded('old'), coded('new'), out);
      for (const [index, { data, stride, width, height }] of out.entries()) {
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const distance = Math.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2);
            const beyond = distance - (progress * Math.hypot(width, height)) / 2;
            const [older, newer] = [codeOf('old', index)(x, y), codeOf('new', index)(x, y)];
            const seen = data[y * stride + x];
            // A pixel that the edge runs through may show either.
            if (Math.abs(beyond) < 0.75) assert.ok(seen === older || seen === newer, `${seen}`);
            else assert.equal(seen, beyond < 0 ? newer : older, `(${x}, ${y}) at ${progress}`);
          }
        }
      }
    }
  });

  // A share is a multiple of 1/256: of those that are, the mixture is right to the rounding.
  const toleranceAt = (progress: number) => (EXACT_PROGRESSES.includes(progress) ? 0.5 : 1);

  test('dissolve: the mixture of both at the same place', () => {
    for (const progress of [...PROGRESSES, ...EXACT_PROGRESSES]) {
      const wanted: Expected = ({ x, y, index }) =>
        mixed(codeOf('old', index)(x, y), codeOf('new', index)(x, y), progress);
      assertShows(['dissolve', undefined, progress], wanted, toleranceAt(progress));
    }
  });

  for (const [type, levels] of [
    ['fade_black', [16, 128, 128]],
    ['fade_white', [235, 128, 128]],
  ] as const) {
    test(`${type}: the old picture before the middle, the new one after it, each at its place`, () => {
      for (const progress of [...PROGRESSES, ...EXACT_PROGRESSES]) {
        const wanted: Expected = ({ x, y, index }) =>
          mixed(
            levels[index],
            codeOf(progress < 0.5 ? 'old' : 'new', index)(x, y),
            Math.abs(1 - 2 * progress),
          );
        assertShows([type, undefined, progress], wanted, toleranceAt(progress));
      }
    });
  }

  test('zoom: the old picture magnified about its middle up to twice, under the new one at its place', () => {
    for (const progress of PROGRESSES) {
      const appeared = progress * progress * (3 - 2 * progress);
      const wanted: Expected = ({ x, y, width, height, index }) => {
        const place = (at: number, size: number) =>
          Math.min(size - 1, Math.max(0, (at + 0.5 - size / 2) / (1 + progress) + size / 2 - 0.5));
        const old = codeOf('old', index)(place(x, width), place(y, height));
        return mixed(old, codeOf('new', index)(x, y), appeared);
      };
      assertShows(['zoom', undefined, progress], wanted, 0.51);
      // Nothing follows the last pixel of these: what is read there would be no number.
      assertShows(['zoom', undefined, progress], wanted, 0.51, 0);
    }
  });
});
