/**
 * Casts that show on neutral surfaces. Greys take a cast up to a limit, so that paper, white walls, asphalt and black clothes stay what they
 * are. Colors of the opposite hue lose chroma instead: brown wood under a blue sky becomes grey, not blue.
 */
import { between, polylineAt, smoothstep } from '../../signal/interpolation.ts';
import { byDaylight } from './daylight.ts';

type Pair = readonly [number, number];

const DEGREES = 180 / Math.PI;
/**
 * Largest cast on a grey across the line of daylight, by its lightness; up to strength .8. White walls have 75 to 90, asphalt 40 to 50. With 15 to 22 at
 * 20 to 40, five of seven reels were refused, among other things, for brown concrete, plum shadows and purple trees (0286). With 6 at 60 and 2.6 at 75, white
 * goods in dim light were mauve (0291). With 4 at 20 and 40, concrete was violet, and black clothes purple (0315).
 */
const LARGEST = [
  [0, 2],
  [20, 2.5],
  [40, 2.5],
  [60, 1.8],
  [75, 1.4],
  [80, 1.3],
  [100, 1],
] as const;
/** White of a page takes this share of it: 1.5 in a or b on nothing but white looks pink. Lightness between which a page's greys become white. */
const PAGE = { share: 0.25, lightness: [75, 90] } as const;
/**
 * A page in dim light: this share of the picture is grey and at least `near` times as light as its lights (P95), which are at `dim` to `lit`. Asphalt has
 * 40 to 54 and is no page. Its greys take the casts of a white of lightness `white`.
 */
const DIM_PAGE = {
  share: [0.25, 0.4],
  near: 0.85,
  lights: 0.95,
  dim: [52, 60],
  lit: [75, 80],
  white: 85,
} as const;
/** The limit times this along the line, warm and blue: evening light on white is no fault. With the limits of 0315 the casts along the line are about as large as before it. */
const ALONG = [2, 1.7] as const;
/** Colors of less chroma are grey. */
const GREY = 10;
/** Largest share of its chroma that an opposite color loses. With .9 skies became grey; from .5 to .9 as many clips are recognized within 1 %. */
const LARGEST_LOSS = 0.6;
/** Chroma (CIELAB) between which colors lose less: strong ones keep their own. */
const STRONG = [20, 38] as const;

/**
 * Cool colors keep at least this share of their chroma under a warm cast: without it a sea became brown, a turquoise box and a blue sky grey.
 * From .4 to .7 as many clips are recognized. Warm wood and walls lose their chroma: without that, cool looks are not recognized.
 */
const KEPT_COOL = 0.6;
/** Hues in degrees (CIELAB) between which colors become cool, and cease to be: water had 173 to 253, a sky 220 to 234, a turquoise box 210. */
const COOL_HUES = { from: [140, 175], to: [290, 315] } as const;
/** Chroma (CIELAB) between which a grey in the shade becomes a color. From 6 to 14 neighboring chromas were torn apart under strong casts. */
const COOL_CHROMA = [4, 16] as const;

/** Factor of lightness by which the casts on greys of a dim page are limited; 1 for other pictures. `cloud`: (L, a, b) triples, ascending in lightness. */
export function whiteScaleOf(cloud: Float64Array): number {
  const count = cloud.length / 3;
  const lights = cloud[3 * Math.floor(DIM_PAGE.lights * count)] ?? 0;
  let page = 0;
  for (let at = 0; at < cloud.length; at += 3)
    if (cloud[at] >= DIM_PAGE.near * lights && Math.hypot(cloud[at + 1], cloud[at + 2]) < GREY) page++;
  const isDim = smoothstep(...DIM_PAGE.dim, lights) * (1 - smoothstep(...DIM_PAGE.lit, lights));
  const share = isDim * smoothstep(...DIM_PAGE.share, page / Math.max(1, count));
  return between(1, DIM_PAGE.white / Math.max(1, lights), share);
}

/** How far a picture shows casts: how far its ground is white, and how far it is protected, 0..1. */
export interface NeutralSurfaces {
  readonly whiteGround: number;
  /** See `whiteScaleOf`. */
  readonly whiteScale: number;
  readonly caution: number;
}

/** The part of a cast that a grey takes, as far as `caution` requests. */
export function castOnGrey(
  [a, b]: Pair,
  sourceLightness: number,
  { whiteGround, whiteScale, caution }: NeutralSurfaces,
): [number, number] {
  const lightness = Math.min(100, whiteScale * sourceLightness);
  const length = Math.hypot(a, b);
  if (length < 1e-6) return [a, b];
  const limit =
    polylineAt(LARGEST, lightness) *
    between(1, PAGE.share, whiteGround * smoothstep(...PAGE.lightness, lightness)) *
    byDaylight(DEGREES * Math.atan2(b, a), 1, ALONG);
  const share = between(1, (limit * Math.tanh(length / limit)) / length, caution);
  return [share * a, share * b];
}

/** A color after the loss of chroma by a cast that greys do not take; `chroma` is that of the source, `guard` protects strong colors. */
export function fadedBy([castA, castB]: Pair, [a, b]: Pair, chroma: number, guard: number): [number, number] {
  const [length, own] = [Math.hypot(castA, castB), Math.hypot(a, b)];
  if (length < 1e-6 || own < 1e-6) return [a, b];
  const opposite = Math.max(0, -(a * castA + b * castB) / (own * length));
  const weak = 1 - guard * smoothstep(...STRONG, chroma);
  const left = 1 - weak * LARGEST_LOSS * Math.tanh((opposite ** 2 * length) / own);
  return [left * a, left * b];
}

/**
 * A color `under` a cast, moved less where it is cool, so that it keeps its chroma. `own` is the color before the cast; `guard` protects it.
 * The whole move is reduced: with its part along the color alone, neighboring hues would change places.
 */
export function keepingCool(own: Pair, under: Pair, guard: number): [number, number] {
  const size = Math.hypot(...own);
  const [a, b] = [under[0] - own[0], under[1] - own[1]];
  const lost = -(a * own[0] + b * own[1]) / Math.max(1e-6, size);
  if (lost <= 0) return [...under];
  const hue = (DEGREES * Math.atan2(own[1], own[0]) + 360) % 360;
  const cool = smoothstep(...COOL_HUES.from, hue) * (1 - smoothstep(...COOL_HUES.to, hue));
  const weight = guard * cool * smoothstep(...COOL_CHROMA, size);
  const share = between(1, 1 / Math.hypot(1, lost / ((1 - KEPT_COOL) * size)), weight);
  return [own[0] + share * a, own[1] + share * b];
}
