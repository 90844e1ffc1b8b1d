/** Effects of a grade on strong colors, lights and white: pure functions over CIELAB pixels before and after. */
import { labToRgb, rgbToOklab } from '../../src/signal/color-space.ts';
import { table } from '../lib/report.ts';

/** Chroma (CIELAB) above which a color counts as strong: traffic signs, neon and brand colors have 50 to 110. */
const STRONG_CHROMA = 40;
/** A pixel shines if its lightness or its largest RGB channel exceeds this: flames and neon are saturated below L* 85. */
const SHINING = { lightness: 85, channel: 0.95 } as const;
/** Chroma below which a light pixel counts as white. */
const WHITE_CHROMA = 8;
/** Chroma below which a hue is noise; in Oklab. */
const MIN_CHROMA = 10;
const MIN_OKLAB_CHROMA = 0.02;
/** Fewer pixels than this share of the picture are not judged. */
const MIN_SHARE = 0.005;
/** Limits of the design at default strength. */
export const LIMITS = { turn: 10, chroma: 0.8, lights: 0.9, darkerLights: 0.8, cast: 6 } as const;

export interface StrongColors {
  /** Share of the pixels that are strong. */
  readonly share: number;
  /**
   * Degrees of hue in Oklab, mean and 90th percentile over strong pixels; null if there are too few. CIELAB calls a violet and a blue
   * of up to 30 degrees the same hue.
   */
  readonly turn: number | null;
  readonly largestTurn: number | null;
  /** Chroma after over chroma before, in Oklab, of all strong pixels. */
  readonly chroma: number | null;
  /** The same of colored pixels that shine. */
  readonly lightTurn: number | null;
  readonly lightChroma: number | null;
  /** (a, b) that near-white pixels receive, mean. */
  readonly whiteCast: number | null;
  /** 95th percentile of lightness, after over before. */
  readonly lights: number;
}

/** `before` and `after`: (L, a, b) triples of the same pixels. */
export function strongColors(before: Float32Array, after: Float32Array): StrongColors {
  const count = before.length / 3;
  const [rgb, own, graded] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const [strong, shining] = [new Turns(), new Turns()];
  let [whites, cast] = [0, 0];
  for (let at = 0; at < before.length; at += 3) {
    const [l, a, b] = [before[at], before[at + 1], before[at + 2]];
    const chroma = Math.hypot(a, b);
    labToRgb(l, a, b, rgb);
    const shines = l > SHINING.lightness || Math.max(...rgb) > SHINING.channel;
    if (chroma > STRONG_CHROMA || (shines && chroma > MIN_CHROMA)) {
      rgbToOklab(rgb[0], rgb[1], rgb[2], own);
      labToRgb(after[at], after[at + 1], after[at + 2], rgb);
      rgbToOklab(rgb[0], rgb[1], rgb[2], graded);
      if (chroma > STRONG_CHROMA) strong.add(own, graded);
      if (shines && chroma > MIN_CHROMA) shining.add(own, graded);
    }
    if (l > SHINING.lightness && chroma < WHITE_CHROMA) {
      whites++;
      cast += Math.hypot(after[at + 1] - a, after[at + 2] - b);
    }
  }
  const least = MIN_SHARE * count;
  const judged = (turns: Turns) => (turns.count < least ? null : turns);
  return {
    share: strong.count / count,
    turn: judged(strong)?.mean ?? null,
    largestTurn: judged(strong)?.largest ?? null,
    chroma: judged(strong)?.chroma ?? null,
    lightTurn: judged(shining)?.mean ?? null,
    lightChroma: judged(shining)?.chroma ?? null,
    whiteCast: whites < least ? null : cast / whites,
    lights: lightsOf(after) / Math.max(1, lightsOf(before)),
  };
}

class Turns {
  readonly #degrees: number[] = [];
  #before = 0;
  #after = 0;

  /** Oklab triples. */
  add([, a, b]: Float64Array, [, gradedA, gradedB]: Float64Array): void {
    const after = Math.hypot(gradedA, gradedB);
    this.#before += Math.hypot(a, b);
    this.#after += after;
    if (after < MIN_OKLAB_CHROMA) return;
    const turn = Math.abs(Math.atan2(a * gradedB - b * gradedA, a * gradedA + b * gradedB));
    this.#degrees.push((turn * 180) / Math.PI);
  }

  get count(): number {
    return this.#degrees.length;
  }

  get mean(): number {
    return this.#degrees.reduce((sum, value) => sum + value, 0) / this.count;
  }

  get largest(): number {
    return this.#degrees.toSorted((one, other) => one - other)[Math.floor(0.9 * this.count)];
  }

  get chroma(): number {
    return this.#after / this.#before;
  }
}

function lightsOf(lab: Float32Array): number {
  const lightness = Float32Array.from({ length: lab.length / 3 }, (_, at) => lab[3 * at]).sort();
  return lightness[Math.floor(0.95 * lightness.length)];
}

export interface StrongPair {
  readonly source: string;
  readonly template: string;
  readonly colors: StrongColors;
  /** Factor of chroma of the template's look: below 1 a pale look. */
  readonly paleness: number;
  /** 95th percentile of the template's lightness over the source's. */
  readonly templateLights: number;
}

/** Which limits a pair misses. */
export function misses({ colors, paleness, templateLights }: StrongPair): string[] {
  const { largestTurn, chroma, lightTurn, lightChroma, whiteCast, lights } = colors;
  const leastChroma = LIMITS.chroma * Math.min(1, paleness);
  const leastLights = templateLights < LIMITS.lights ? LIMITS.darkerLights : LIMITS.lights;
  const isMonochrome = paleness < 0.2;
  return [
    !isMonochrome && (largestTurn ?? 0) > LIMITS.turn ? 'turn' : '',
    (chroma ?? 1) < leastChroma ? 'chroma' : '',
    !isMonochrome && (lightTurn ?? 0) > LIMITS.turn ? 'light turn' : '',
    (lightChroma ?? 1) < leastChroma ? 'light chroma' : '',
    (whiteCast ?? 0) > LIMITS.cast ? 'white cast' : '',
    lights < leastLights ? 'lights' : '',
  ].filter((name) => name !== '');
}

export function strongTable(pairs: readonly StrongPair[]): string {
  const number = (value: number | null, digits: number) => (value === null ? '–' : value.toFixed(digits));
  return table(
    [
      'source',
      'template',
      'turn',
      'P90',
      'chroma',
      'light turn',
      'light chroma',
      'white cast',
      'lights',
      'misses',
    ],
    pairs.map((pair) => {
      const { turn, largestTurn, chroma, lightTurn, lightChroma, whiteCast, lights } = pair.colors;
      return [
        pair.source,
        pair.template,
        number(turn, 1),
        number(largestTurn, 1),
        number(chroma, 2),
        number(lightTurn, 1),
        number(lightChroma, 2),
        number(whiteCast, 1),
        number(lights, 2),
        misses(pair).join(', '),
      ];
    }),
  );
}

/** One row a measure: mean over the pairs and how many pairs miss the limit. */
export function strongSummary(pairs: readonly StrongPair[]): string {
  const mean = (pick: (colors: StrongColors) => number | null) => {
    const values = pairs.map(({ colors }) => pick(colors)).filter((value) => value !== null);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const missed = pairs.map(misses);
  const share = (name: string) =>
    `${Math.round((100 * missed.filter((names) => names.includes(name)).length) / pairs.length)} %`;
  return table(
    ['measure', 'mean', 'pairs that miss'],
    [
      ['hue turn of strong colors, P90, degrees', mean((one) => one.largestTurn).toFixed(1), share('turn')],
      ['their chroma, after over before', mean((one) => one.chroma).toFixed(2), share('chroma')],
      ['hue turn of lights, degrees', mean((one) => one.lightTurn).toFixed(1), share('light turn')],
      ['their chroma, after over before', mean((one) => one.lightChroma).toFixed(2), share('light chroma')],
      ['cast on white, (a, b)', mean((one) => one.whiteCast).toFixed(1), share('white cast')],
      ['P95 of lightness, after over before', mean((one) => one.lights).toFixed(2), share('lights')],
      [
        'any',
        '',
        `${Math.round((100 * missed.filter((names) => names.length > 0).length) / pairs.length)} %`,
      ],
    ],
  );
}
