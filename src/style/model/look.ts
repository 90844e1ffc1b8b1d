import { between, clamp, segmentAt } from '../../signal/interpolation.ts';

/** Effect of a look on a grey: lightness `in` becomes `out` (CIELAB, 0..100), with the cast (a, b). */
export interface GreyLevel {
  readonly in: number;
  readonly out: number;
  readonly a: number;
  readonly b: number;
}

/**
 * The grade of a picture, apart from its content. A curve of lightness, the casts of shadows, mid-tones and
 * lights, and a factor of chroma (0 is black and white). Linear in lightness between its greys.
 */
export interface Look {
  /** At least two, ascending in `in`. */
  readonly greys: readonly GreyLevel[];
  readonly chroma: number;
}

/** Lightness of the greys of a measured look: even steps from shadows to lights, within the range. */
export const GREY_LEVELS = [4, 18, 34, 50, 66, 82, 96] as const;

export const NO_LOOK: Look = {
  greys: GREY_LEVELS.map((level) => ({ in: level, out: level, a: 0, b: 0 })),
  chroma: 1,
};

/** Lightness and cast of a grey under a look; the outermost shifts apply beyond its ends. */
export function lookAt({ greys }: Look, lightness: number): Omit<GreyLevel, 'in'> {
  const { left, right, share } = segmentAt(greys, (grey) => grey.in, lightness);
  const beyond = lightness - clamp(lightness, greys[0].in, greys.at(-1)!.in);
  return {
    out: clamp(between(left.out, right.out, share) + beyond, 0, 100),
    a: between(left.a, right.a, share),
    b: between(left.b, right.b, share),
  };
}

/** Lightness of the grey that a look maps to `lightness`. */
export function lightnessBefore(look: Look, lightness: number): number {
  let [low, high] = [0, 100];
  // Sixteen bisections of 100: far below a step of eight bits.
  for (let round = 0; round < 16; round++) {
    const middle = (low + high) / 2;
    if (lookAt(look, middle).out < lightness) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The part `share` of a look: 0 is none, 1 the whole look. */
export function partOfLook({ greys, chroma }: Look, share: number): Look {
  return {
    greys: greys.map((grey) => ({
      in: grey.in,
      out: grey.in + share * (grey.out - grey.in),
      a: share * grey.a,
      b: share * grey.b,
    })),
    chroma: chroma <= 0 ? 1 - share : chroma ** share,
  };
}
