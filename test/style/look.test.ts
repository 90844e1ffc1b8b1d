import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rgbToLab } from '../../src/signal/color-space.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { type ColorMap, mapBetween, mappedCloud, mapThrough } from '../../src/style/look/color-map.ts';
import { lookConfidenceOf, lookOf } from '../../src/style/look/estimate.ts';
import { EVIDENCE_LENGTH, evidenceOf } from '../../src/style/look/evidence.ts';
import { colorCloud } from '../../src/style/look/grade-cloud.ts';
import { impressionOf, moodMap } from '../../src/style/look/mood.ts';
import { dialsOfLook, lookOfDials } from '../../src/style/model/color-dials.ts';
import {
  GREY_LEVELS,
  type Look,
  lightnessBefore,
  lookAt,
  NO_LOOK,
  partOfLook,
} from '../../src/style/model/look.ts';
import { levelShareOf, moodShareOf } from '../../src/style/model/strength.ts';
import { flatPicture, videoFacts } from '../support/clip-facts.ts';

const FADED: Look = {
  greys: GREY_LEVELS.map((level) => ({ in: level, out: 10 + 0.8 * level, a: -2, b: 3 + 0.05 * level })),
  chroma: 0.7,
};

describe('a look', () => {
  test('is known between its greys, and as far off beyond them', () => {
    const look: Look = {
      greys: [
        { in: 20, out: 30, a: 0, b: 10 },
        { in: 60, out: 50, a: 4, b: -10 },
      ],
      chroma: 1,
    };
    assert.deepEqual(lookAt(look, 30), { out: 35, a: 1, b: 5 });
    assert.deepEqual(lookAt(look, 10), { out: 20, a: 0, b: 10 });
    assert.deepEqual(lookAt(look, 80), { out: 70, a: 4, b: -10 });
    assert.equal(lookAt(look, 0).out, 10);
  });

  test('is undone exactly', () => {
    for (const lightness of [5, 20, 47, 80, 95])
      assert.ok(Math.abs(lightnessBefore(FADED, lookAt(FADED, lightness).out) - lightness) < 0.01);
  });

  test('in part is applied by that part, and black and white removes that much color', () => {
    const half = partOfLook(FADED, 0.5);
    assert.equal(half.greys[3].out, 50);
    assert.equal(half.greys[0].out, (4 + FADED.greys[0].out) / 2);
    assert.equal(half.greys[3].a, -1);
    assert.ok(Math.abs(half.chroma - Math.sqrt(0.7)) < 1e-12);
    assert.equal(partOfLook({ ...FADED, chroma: 0 }, 0.25).chroma, 0.75);
    for (const level of [10, 50, 90]) {
      const { out, a, b } = lookAt(partOfLook(FADED, 0), level);
      assert.ok(Math.abs(out - level) < 1e-9 && a === 0 && b === 0);
    }
  });
});

describe('the six dials as views of a look', () => {
  const looks: [keyof ReturnType<typeof dialsOfLook>, Look][] = [
    ['temperature', { ...NO_LOOK, greys: NO_LOOK.greys.map((grey) => ({ ...grey, b: 9, a: 2 })) }],
    ['tint', { ...NO_LOOK, greys: NO_LOOK.greys.map((grey) => ({ ...grey, a: 8, b: -5 })) }],
    ['saturation', { ...NO_LOOK, chroma: 1.5 }],
    [
      'contrast',
      {
        ...NO_LOOK,
        greys: NO_LOOK.greys.map((grey) => ({
          ...grey,
          out: Math.max(0, Math.min(100, 1.2 * grey.in - 10)),
        })),
      },
    ],
    [
      'shadows',
      { ...NO_LOOK, greys: NO_LOOK.greys.map((grey) => ({ ...grey, out: Math.max(grey.in, 20) })) },
    ],
  ];
  for (const [name, look] of looks) {
    test(`${name} rises`, () => {
      assert.ok(dialsOfLook(look)[name] > 5, JSON.stringify(dialsOfLook(look)));
    });
  }

  test('are 0 for no look, and are recovered from the look that they define', () => {
    assert.ok(Object.values(dialsOfLook(NO_LOOK)).every((dial) => dial === 0));
    const random = seededRandom(4);
    for (let round = 0; round < 30; round++) {
      const dial = () => Math.round(60 * (random() - 0.5));
      const dials = {
        temperature: dial(),
        tint: dial(),
        saturation: dial(),
        contrast: dial(),
        highlights: dial() / 2,
        shadows: dial() / 2,
      };
      const back = dialsOfLook(lookOfDials(dials));
      for (const name of ['temperature', 'tint', 'saturation'] as const)
        assert.ok(Math.abs(back[name] - dials[name]) < 1, `${name}: ${dials[name]} became ${back[name]}`);
    }
  });
});

const CLOUD = colorCloud({
  lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 10 + 4 * at),
  mean: [2, 8],
  covariance: [120, 20, 180],
  tones: [null, null, null],
});

describe('a map of colors', () => {
  test('from a look and into it again changes nothing', () => {
    const there = mapBetween(NO_LOOK, FADED);
    const back = mapThrough(there, mapBetween(FADED, NO_LOOK));
    const out = mappedCloud(CLOUD, back);
    for (const [at, value] of out.entries()) assert.ok(Math.abs(value - CLOUD[at]) < 0.01, `${value}`);
  });

  test('one through another is the one after the other', () => {
    const second: ColorMap = { lightness: (l) => 0.5 * l, chroma: 2, cast: (l) => [l / 10, -1] };
    const first: ColorMap = { lightness: (l) => l + 10, chroma: 0.5, cast: () => [3, 4] };
    const both = mapThrough(first, second);
    assert.equal(both.lightness(30), 20);
    assert.equal(both.chroma, 1);
    assert.deepEqual(both.cast(30), [2 * 3 + 4, 2 * 4 - 1]);
  });
});

describe('the mood', () => {
  const towards = (template: Float64Array, share: number) =>
    impressionOf(mappedCloud(CLOUD, moodMap(CLOUD, template, { share, caution: 0 })));
  const neon = colorCloud({
    lightnessPercentiles: Array.from({ length: 21 }, (_, at) => 2 + 2.6 * at),
    mean: [25, -40],
    covariance: [300, -80, 300],
    tones: [null, null, null],
  });
  const apart = (one: readonly number[], other: readonly number[]) =>
    Math.hypot(...one.map((value, at) => value - other[at]));

  test('is complete at 1, none at 0, and monotonic', () => {
    const wanted = impressionOf(neon);
    const left = [0, 0.3, 0.6, 1].map((share) => apart(towards(neon, share), wanted));
    assert.ok(Math.abs(left[0] - apart(impressionOf(CLOUD), wanted)) < 0.5, String(left));
    assert.ok(left[1] < left[0] && left[2] < left[1] && left[3] < left[2], String(left));
    assert.ok(left[3] < 0.35 * left[0], String(left));
  });

  test('a template without anything dark raises shadows less than it does without caution, mid-tones as much', () => {
    const fog = mappedCloud(CLOUD, { lightness: (l) => 0.3 * l + 65, chroma: 1, cast: () => [0, 0] });
    const raise = (caution: number, at: number) =>
      moodMap(CLOUD, fog, { share: 0.8, caution }).lightness(at) - at;
    const [dark, middle] = [CLOUD[3 * Math.floor(0.05 * (CLOUD.length / 3))], CLOUD[3 * (CLOUD.length / 6)]];
    assert.ok(raise(1, dark) < 0.7 * raise(0, dark), `${raise(1, dark)} of ${raise(0, dark)}`);
    assert.ok(Math.abs(raise(1, middle) - raise(0, middle)) < 0.1);
  });

  test('a night that is mostly black leaves the warm colors of darks and mid-tones, which it does not show', () => {
    // Two thirds are black, without any chroma; lamps are warm.
    const night = colorCloud({
      lightnessPercentiles: Array.from({ length: 21 }, (_, at) => (at < 14 ? 0.2 * at : 3 + 8 * (at - 13))),
      mean: [2, 4],
      covariance: [20, 0, 40],
      tones: [
        [0, 0],
        [8, 20],
        [6, 18],
      ],
    });
    const warm = mappedCloud(CLOUD, { lightness: (l) => l, chroma: 1, cast: () => [8, 18] });
    const { cast, chroma } = moodMap(warm, night, { share: 0.93, caution: 1 });
    const [a, b] = cast(40);
    assert.ok(chroma * 18 + b > 12 && chroma * 8 + a > 4, `${chroma}, ${a}, ${b}`);
  });

  test('its curve of lightness never falls', () => {
    const { lightness } = moodMap(CLOUD, neon, { share: 1, caution: 0 });
    for (let at = 1; at <= 100; at++) assert.ok(lightness(at) >= lightness(at - 1));
    assert.ok(lightness(0) >= 0 && lightness(100) <= 100);
  });
});

describe('the strength', () => {
  test('puts most of the look on at .4 and its palette later; more is always more', () => {
    assert.deepEqual([levelShareOf(0), levelShareOf(1), moodShareOf(0), moodShareOf(1)], [0, 1, 0, 1]);
    assert.ok(levelShareOf(0.4) > 0.75 && moodShareOf(0.4) < 0.2);
    assert.ok(Math.abs(moodShareOf(0.8) - 0.5) < 0.02, 'half of the palette by default');
    for (let at = 1; at <= 10; at++) {
      assert.ok(levelShareOf(at / 10) > levelShareOf((at - 1) / 10));
      assert.ok(moodShareOf(at / 10) >= moodShareOf((at - 1) / 10));
    }
  });
});

/** A hillside under a sky, with colors of a building and of people; `change` is the applied look. */
function scene(change: (rgb: readonly number[]) => readonly number[]): Uint8Array {
  const random = seededRandom(9);
  const [width, height] = [24, 14];
  const bytes: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const noise = 0.16 * (random() - 0.5);
      const sky = [0.62, 0.72, 0.84];
      const grass = [0.3, 0.38, 0.2];
      const wall = [0.72, 0.7, 0.68];
      const skin = [0.75, 0.55, 0.44];
      const dark = [0.07, 0.07, 0.08];
      const color =
        y < 5 ? sky : x > 15 && y < 10 ? wall : x < 4 && y > 8 ? skin : (x + y) % 5 === 0 ? dark : grass;
      for (const value of change(color.map((one) => Math.max(0, Math.min(1, one + noise)))))
        bytes.push(Math.round(255 * Math.max(0, Math.min(1, value))));
    }
  }
  return Uint8Array.from(bytes);
}

function lookOfScene(change: (rgb: readonly number[]) => readonly number[]) {
  const { color } = videoFacts();
  const rgb = Buffer.from(scene(change)).toString('base64');
  const moments = {
    width: 24,
    height: 14,
    timesSeconds: [0.5],
    areas: [{ x: 0, y: 0, width: 1, height: 1 }],
    rgb,
  };
  return lookOf(videoFacts({ color: { ...color, moments } }));
}

describe('the look estimated of a picture', () => {
  const plain = lookOfScene((rgb) => rgb);
  const luma = ([red, green, blue]: readonly number[]) => 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  const shows: [string, (rgb: readonly number[]) => readonly number[], (look: Look) => boolean][] = [
    [
      'warm',
      ([r, g, b]) => [1.12 * r!, g!, 0.75 * b!],
      ({ greys }) => greys[3].b > plain.look.greys[3].b + 6,
    ],
    [
      'cold',
      ([r, g, b]) => [0.8 * r!, 0.95 * g!, 1.15 * b!],
      ({ greys }) => greys[3].b < plain.look.greys[3].b - 6,
    ],
    [
      'faded',
      (rgb) => rgb.map((value) => 0.18 + 0.75 * value),
      ({ greys }) => greys[0].out > plain.look.greys[0].out + 6,
    ],
    [
      'dark',
      (rgb) => rgb.map((value) => 0.55 * value),
      ({ greys }) => greys[5].out < plain.look.greys[5].out - 8,
    ],
    ['black and white', (rgb) => [luma(rgb), luma(rgb), luma(rgb)], ({ chroma }) => chroma < 0.45],
  ];
  for (const [name, change, isSeen] of shows) {
    test(`is ${name}`, () => {
      const { look, confidence } = lookOfScene(change);
      assert.ok(isSeen(look), `${JSON.stringify(look)} beside ${JSON.stringify(plain.look)}`);
      assert.ok(confidence > 0.2 && confidence < 1, `${confidence}`);
    });
  }

  test('rises with lightness, and is no look without evidence', () => {
    for (const { look } of [plain, lookOfScene((rgb) => rgb.map((value) => 0.1 * value))])
      for (let at = 1; at < look.greys.length; at++) assert.ok(look.greys[at].out > look.greys[at - 1].out);
    assert.deepEqual(lookOf(videoFacts()), { look: NO_LOOK, confidence: 0 });
  });

  for (const [what, flat, whites, isStill, counts] of [
    ['a drawn page', 0.6, 6, false, false],
    ['a drawing with less white', 0.9, 5, false, true],
    ['a white picture of a camera', 0.59, 6, false, true],
    ['a still, which was chosen', 0.9, 6, true, true],
  ] as const)
    test(`of ${what} ${counts ? 'counts' : 'is none'}`, () => {
      const { color } = videoFacts();
      // Of 21 percentiles .25 are five and a quarter.
      const lightnessPercentiles = Array.from({ length: 21 }, (_, at) => (at >= 21 - whites ? 95 : 4 * at));
      const video = videoFacts({
        isStill,
        color: { ...color, clip: { ...color.clip, lightnessPercentiles } },
        picture: flatPicture([0, 1], [flat, flat]),
      });
      assert.equal(lookConfidenceOf(video) > 0, counts);
      if (!counts) assert.deepEqual(lookOf(video), { look: NO_LOOK, confidence: 0 });
    });

  test('does not count what captions cover', () => {
    const picture = (isCounted?: Uint8Array) => {
      const rgb = scene((color) => color);
      if (isCounted !== undefined)
        for (let at = 0; at < 24 * 14; at++) if (isCounted[at] === 0) rgb.fill(255, 3 * at, 3 * at + 3);
      const lab = new Float64Array(rgb.length);
      for (let at = 0; at < rgb.length; at += 3)
        rgbToLab(rgb[at] / 255, rgb[at + 1] / 255, rgb[at + 2] / 255, lab.subarray(at, at + 3));
      return { width: 24, height: 14, lab, ...(isCounted === undefined ? {} : { isCounted }) };
    };
    const mask = Uint8Array.from({ length: 24 * 14 }, (_, at) => (at % 24 < 2 ? 0 : 1));
    const [covered, whole] = [evidenceOf(picture(mask))!, evidenceOf(picture())!];
    assert.equal(covered.length, EVIDENCE_LENGTH);
    // The white of the letters would be the white point.
    assert.ok(Math.abs(covered[8] - whole[8]) < 2, `${covered[8]} beside ${whole[8]}`);
    assert.equal(evidenceOf({ ...picture(), isCounted: new Uint8Array(24 * 14) }), null);
  });
});
