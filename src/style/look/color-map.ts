import { type Look, lightnessBefore, lookAt } from '../model/look.ts';

/** Map of a color: lightness by a curve, (a, b) times `chroma` plus a cast that goes with lightness. All in CIELAB. */
export interface ColorMap {
  readonly lightness: (lightness: number) => number;
  readonly chroma: number;
  /** By the lightness before. */
  readonly cast: (lightness: number) => readonly [number, number];
}

/** Chroma is never made more than this many times paler when a look is removed: noise would be amplified. */
const MIN_UNDONE_CHROMA = 0.4;

/** The map from the look `from` to the look `to`, with a factor of chroma of at most `largestChroma`. */
export function mapBetween(from: Look, to: Look, largestChroma = Number.POSITIVE_INFINITY): ColorMap {
  const chroma = Math.min(to.chroma / Math.max(MIN_UNDONE_CHROMA, from.chroma), largestChroma);
  return {
    lightness: (lightness) => lookAt(to, lightnessBefore(from, lightness)).out,
    chroma,
    cast: (lightness) => {
      const natural = lightnessBefore(from, lightness);
      const [undone, done] = [lookAt(from, natural), lookAt(to, natural)];
      return [done.a - chroma * undone.a, done.b - chroma * undone.b];
    },
  };
}

/** One after the other. */
export function mapThrough(first: ColorMap, second: ColorMap): ColorMap {
  return {
    lightness: (lightness) => second.lightness(first.lightness(lightness)),
    chroma: first.chroma * second.chroma,
    cast: (lightness) => {
      const [before, after] = [first.cast(lightness), second.cast(first.lightness(lightness))];
      return [second.chroma * before[0] + after[0], second.chroma * before[1] + after[1]];
    },
  };
}

/** A cloud of (L, a, b) triples, ascending in lightness, through a map. */
export function mappedCloud(cloud: Float64Array, { lightness, chroma, cast }: ColorMap): Float64Array {
  const out = new Float64Array(cloud.length);
  for (let at = 0; at < cloud.length; at += 3) {
    const [a, b] = cast(cloud[at]);
    out[at] = lightness(cloud[at]);
    out[at + 1] = chroma * cloud[at + 1] + a;
    out[at + 2] = chroma * cloud[at + 2] + b;
  }
  return out;
}
