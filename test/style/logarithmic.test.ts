import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ColorTally } from '../../src/analysis/color/tally.ts';
import type { ColorStatistics } from '../../src/analysis/facts.ts';
import type { Size } from '../../src/domain/footage.ts';
import { rgbToLab } from '../../src/signal/color-space.ts';
import { clamp } from '../../src/signal/interpolation.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { gradeRgb } from '../../src/style/look/grade.ts';
import { cloudOfPixels } from '../../src/style/look/grade-cloud.ts';
import { planGrade } from '../../src/style/look/grade-plan.ts';
import { logarithmicShare } from '../../src/style/look/logarithmic.ts';
import { dialsOfLook } from '../../src/style/model/color-dials.ts';
import { NO_LOOK } from '../../src/style/model/look.ts';

type Rgb = readonly [number, number, number];
type Encoding = (rgb: Rgb) => Rgb;

/** Scene light of a BT.709 picture, paper white at .9. */
const scene = (value: number) =>
  0.9 * (value < 0.081 ? value / 4.5 : ((value + 0.099) / 1.099) ** (1 / 0.45));
/** What a legal-range file shows of a code value of 0..1. */
const shown = (code: number) => clamp((1023 * code - 64) / 876, 0, 1);
/** Panasonic, V-Log/V-Gamut reference manual (2014). */
const vLog = (light: number) =>
  shown(light < 0.01 ? 5.6 * light + 0.125 : 0.241514 * Math.log10(light + 0.00873) + 0.598206);
/** Sony, Technical Summary for S-Gamut3.Cine/S-Log3. */
const sLog3 = (light: number) =>
  shown(
    (light >= 0.01125
      ? 420 + 261.5 * Math.log10((light + 0.01) / 0.19)
      : 95 + (light * (171.2102946929 - 95)) / 0.01125) / 1023,
  );
/** Canon Log (2012), whose values are those shown. */
const canonLog = (light: number) => 0.529136 * Math.log10(10.1596 * light + 1) + 0.0730597;
/** Wide primaries: of a difference from grey they leave some three fifths. */
const recorded =
  (curve: (light: number) => number, stops = 0): Encoding =>
  (rgb) => {
    const light = rgb.map(scene);
    const grey = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
    return light.map((one) => curve(2 ** stops * (grey + 0.6 * (one - grey)))) as unknown as Rgb;
  };

/** A picture from black to white with colors of all hues in it: the darker the rarer. */
function picture(): Rgb[] {
  const random = seededRandom(5);
  return Array.from({ length: 1500 }, (_, at) => {
    const light = 0.04 + 0.94 * (at / 1499) ** 0.8;
    const chroma = 0.18 * light * (1 - light) * 4 * random();
    const hue = 2 * Math.PI * random();
    return [0, 2, 4].map((third) => clamp(light + chroma * Math.cos(hue + third), 0.02, 1)) as unknown as Rgb;
  });
}

function statisticsOf(pixels: readonly Rgb[]): { statistics: ColorStatistics; cloud: Float64Array } {
  const tally = new ColorTally();
  const bytes = pixels.flatMap((rgb) => rgb.map((value) => Math.round(255 * value)));
  tally.add(Uint8Array.from(bytes));
  return { statistics: tally.statistics(), cloud: cloudOfPixels(bytes) };
}

/** Mean distance of pixels in Lab. */
function distance(ones: readonly Rgb[], others: readonly Rgb[]): number {
  const [one, other] = [new Float64Array(3), new Float64Array(3)];
  return (
    ones.reduce((sum, rgb, at) => {
      rgbToLab(...rgb, one);
      rgbToLab(...others[at], other);
      return sum + Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
    }, 0) / ones.length
  );
}

/** In a neutral style. */
function plainOf(pixels: readonly Rgb[], size?: Size) {
  const plain = { look: NO_LOOK, color_grade: dialsOfLook(NO_LOOK) };
  const planned = planGrade({ ...statisticsOf(pixels), look: NO_LOOK, people: 0, size }, plain, 1)!;
  const out = new Float64Array(3);
  const drawn = pixels.map((rgb): Rgb => {
    gradeRgb(planned.grade, ...rgb, out);
    return [out[0], out[1], out[2]];
  });
  return { drawn, isDeveloped: planned.isDeveloped };
}

describe('a logarithmic recording in a neutral style becomes its original picture', () => {
  const original = picture();
  for (const [name, encode, left] of [
    ['S-Log3', recorded(sLog3), 0.3],
    ['S-Log3, a stop brighter', recorded(sLog3, 1), 0.35],
    ['V-Log', recorded(vLog), 0.5],
    ['V-Log, half a stop darker', recorded(vLog, -0.5), 0.45],
    ['Canon Log', recorded(canonLog), 0.6],
  ] as const)
    test(name, () => {
      const flat = original.map(encode);
      const { drawn, isDeveloped } = plainOf(flat);
      const share = distance(drawn, original) / distance(flat, original);
      assert.ok(
        isDeveloped && share < left,
        `${share.toFixed(2)} of ${distance(flat, original).toFixed(1)} left`,
      );
    });
});

test('pictures that are smaller than a camera records are pale, not logarithmic', () => {
  const flat = picture().map(recorded(sLog3));
  for (const [width, height, expected] of [
    [1280, 720, true],
    [720, 1280, true],
    [1278, 718, false],
    [640, 480, false],
  ] as const)
    assert.equal(plainOf(flat, { width, height }).isDeveloped, expected, `${width}×${height}`);
});

describe('other recordings do not change', () => {
  const paler = (rgb: Rgb, black: number, white: number, color: number): Rgb => {
    const grey = (rgb[0] + rgb[1] + rgb[2]) / 3;
    return rgb.map((value) => black + (white - black) * (grey + color * (value - grey))) as unknown as Rgb;
  };
  for (const [name, change] of [
    ['a picture', (rgb) => rgb],
    ['a faded one', (rgb) => paler(rgb, 0.12, 0.92, 0.75)],
    ['a dim one', (rgb) => paler(rgb, 0, 0.55, 1)],
    ['black and white', (rgb) => paler(rgb, 0, 1, 0)],
    ['a bright one without black', (rgb) => paler(rgb, 0.5, 1, 0.5)],
  ] as const satisfies readonly (readonly [string, Encoding])[])
    test(name, () => {
      const pixels = picture().map(change);
      const { drawn, isDeveloped } = plainOf(pixels);
      assert.equal(isDeveloped, false);
      assert.ok(distance(drawn, pixels) < 0.8, `${distance(drawn, pixels)}`);
    });
});

describe('what speaks against a logarithmic recording', () => {
  const flat = { black: 14, white: 66, median: 0.7, deviation: 4, warmth: 3 };
  const shareOf = ({ black, white, median, deviation, warmth }: typeof flat) =>
    logarithmicShare({
      lightness: Array.from({ length: 21 }, (_, at) =>
        at <= 10
          ? black + ((median * white - black) * at) / 10
          : white * (median + ((1 - median) * (at - 10)) / 10),
      ),
      mean: [0, warmth],
      covariance: [deviation ** 2, 0, 1],
    });
  for (const [name, inside, outside] of [
    ['black', { black: 3 }, { black: 1 }],
    ['white', { white: 79 }, { white: 84 }],
    ['a dark middle', { median: 0.55 }, { median: 0.45 }],
    ['strong colors', { deviation: 8 }, { deviation: 13 }],
    ['a wall of one strong color', { warmth: 13 }, { warmth: 18 }],
  ] as const)
    test(name, () => {
      assert.equal(shareOf({ ...flat, ...inside }), 1);
      assert.equal(shareOf({ ...flat, ...outside }), 0);
    });
});
