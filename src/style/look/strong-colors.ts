/**
 * Preserves strong colors: a cast tints greys and turns strong colors little, a paler palette takes less chroma from them than
 * from others, and a lighter or darker one moves them less. Smooth, so that neighbouring colors stay neighbours.
 */
import { oklabToRgb, rgbToOklab } from '../../signal/color-space.ts';
import { between, clamp, polylineAt, smoothstep } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';
import type { ColorAndGrey } from './gamut.ts';
import { skinWeight } from './skin.ts';

type Pair = readonly [number, number];
type StrongGrade = Pick<
  Grade,
  'chroma' | 'paleness' | 'strongChroma' | 'colorGuard' | 'whiteGuard' | 'skinLightnessGuard'
>;

const DEGREES = 180 / Math.PI;
/** Chroma between which colors become strong: skin has 20 to 44, neon, flames and brand colors 50 to 130. */
const STRONG = [15, 45] as const;
/** A cast moves a strong color across its hue by at most this share of its chroma in CIELAB. Of .15, .3 and .5 the last is recognized most often. */
const LARGEST_SHARE = 0.5;
/** Chroma from which that share holds. Below, the limit rises with this power: wood and skin of chroma 30 are 17 times as free. */
const FULL_CHROMA = 45;
const FREEDOM = 7;
/** Chroma (CIELAB) between which hue and chroma become protected in Oklab, whose lines of one hue are straight where those of CIELAB bend. */
const PROTECTED = [25, 42] as const;
/** A strong color turns by less than this. The limit of the design, 10 degrees, includes what 8 bits of 4:2:0 add. */
const LARGEST_TURN = 4 / DEGREES;
/** Share of the lost chroma that a strong color gets back, and how soon: .8 of its chroma remains at least. */
const RETURNED = { share: 0.9, power: 1.3 } as const;
/** Protection from which a color loses all of its negative channels before hues are compared. Below, a part: neighbors stay neighbors. */
const FULLY_MIXED = 0.1;
/** Share of a raise and of a loss in lightness that a strong color does not follow, and the chroma (CIELAB) between which: wood has up to 45, red letters 80. */
const [UNRAISED, UNLOWERED] = [0.6, 0.5];
const STEADY_CHROMA = [40, 65] as const;
/** Chroma over lightness (CIELAB), after over before: soil of chroma 36 that lost 12 of 41 and gained 9 of chroma (1.8) was refused as blood-red. */
const MOST_SATURATED = 1.25;
/**
 * White loses at most `loss` of lightness: the first up to the first lightness of `brightest` (with 7, mattresses of 82 were grey, 0291), the second, which
 * is paper, from the second on (with 7, cards and white walls became grey). As far as `lift` suffices (with 15 to 20, a sky was torn into
 * white and blue), and moves at most `move` in (a, b) (with 3, white goods were mauve). It has at least this lightness (in dim light white has 60), and at
 * most this chroma (CIELAB).
 */
const WHITE = {
  loss: [4, 2],
  brightest: [88, 98],
  lift: 9,
  move: 2,
  lightness: [50, 66],
  chroma: [18, 5],
} as const;
/**
 * Pale colors are neutral to a viewer: walls, concrete, rope, white in warm light. Below the second chroma of `fade` (CIELAB), a cast moves them by at most `move`, which
 * depends on their lightness, and their chroma grows at most `chroma` times, so that changes of a source's white balance stay small. Above the first chroma there is no
 * limit. A beige wall that moved by 7 was mauve; pale mid-tones of 23 videos move by 2.1 in the mean (0315).
 */
const PALE = {
  fade: [26, 10],
  move: [
    [0, 6],
    [40, 5],
    [60, 3.2],
    [100, 2.2],
  ],
  chroma: 1.1,
} as const;
/**
 * Skin loses at most `loss` of lightness, as far as `lift` suffices: a face loses up to 3 more, because hair, shadows and lips have no skin's color.
 * Faces that lost 4 were "darker" to a strict eye, more than 8 looks ill; as many known looks are found as with 4. With a lift without limit, a cube of 33 steps missed the grade by .75 instead of .3.
 */
const SKIN = { loss: 2, lift: 10 } as const;

/** Share of the cast that greys do not take, and chroma (CIELAB) between which colors begin to take it. With 0, .4 and .8, 31, 33 and 35 % of the line-up are recognized. */
const FREED = { share: 0.4, chroma: [14, 34] } as const;

/** (a, b) through the factor of chroma of `grade`, before any cast. */
export function mappedColor(grade: StrongGrade, a: number, b: number): [number, number] {
  let [x, y] = [grade.chroma * a, grade.chroma * b];
  const { paleness = 1, strongChroma } = grade;
  if (strongChroma !== undefined) {
    const strong = smoothstep(...STRONG, paleness * Math.hypot(a, b));
    x += strong * (strongChroma * a - x);
    y += strong * (strongChroma * b - y);
  }
  return [x, y];
}

/**
 * The part of a cast that a color receives: all of it where it is grey or where the cast has its hue, little of it where it is strong.
 * `mapped` is the color without the cast, `chroma` that of the source.
 */
export function castOn(mapped: Pair, chroma: number, [castA, castB]: Pair, guard: number): [number, number] {
  const length = Math.hypot(castA, castB);
  const mappedChroma = Math.hypot(...mapped);
  if (guard === 0 || mappedChroma < 1e-6 || length < 1e-6) return [castA, castB];
  const across = 1 - (mapped[0] * castA + mapped[1] * castB) / (mappedChroma * length);
  const limit = LARGEST_SHARE * mappedChroma * Math.max(1, (FULL_CHROMA / chroma) ** FREEDOM);
  const share = 1 / Math.hypot(1, (guard * across * length) / limit);
  return [share * castA, share * castB];
}

/**
 * The part that a color takes of a cast that greys do not take: none in a color of its hue, which would become stronger. `mapped` is the color without
 * casts, `chroma` that of the source.
 */
export function freedCast(
  mapped: Pair,
  chroma: number,
  [castA, castB]: Pair,
  guard: number,
): [number, number] {
  const [length, own] = [Math.hypot(castA, castB), Math.hypot(...mapped)];
  if (length < 1e-6 || own < 1e-6) return [0, 0];
  const along = Math.max(0, (mapped[0] * castA + mapped[1] * castB) / (own * length));
  const share = guard * FREED.share * smoothstep(...FREED.chroma, chroma) * (1 - along);
  return [share * castA, share * castB];
}

/** Lightness of the color (a, b) after the grade; `toned` is that of a grey of the same `lightness`. */
export function keptLightness(
  { paleness = 1, colorGuard = 0, whiteGuard = 0, skinLightnessGuard = 0 }: StrongGrade,
  [a, b]: Pair,
  lightness: number,
  toned: number,
): number {
  const chroma = Math.hypot(a, b);
  const white = whiteWeight(lightness, paleness * chroma);
  const loss = between(...WHITE.loss, smoothstep(...WHITE.brightest, lightness));
  const skin = skinLightnessGuard * skinWeight(paleness * a, paleness * b);
  const lit = Math.max(
    toned + whiteGuard * white * clamp(lightness - loss - toned, 0, WHITE.lift),
    toned + skin * clamp(lightness - SKIN.loss - toned, 0, SKIN.lift),
  );
  const share = lit > lightness ? UNRAISED : UNLOWERED;
  return lit - share * colorGuard * smoothstep(...STEADY_CHROMA, paleness * chroma) * (lit - lightness);
}

/** Scales the graded Lab color in place where it is darker than its source and its saturation grew by more than `MOST_SATURATED`. */
export function keepSaturation(
  grade: StrongGrade,
  { lightness, chroma }: { readonly lightness: number; readonly chroma: number },
  graded: Float64Array,
): void {
  const now = Math.hypot(graded[1], graded[2]);
  const most = (MOST_SATURATED * chroma * graded[0]) / Math.max(1, lightness);
  if (graded[0] >= lightness || now <= most) return;
  const scale = between(1, most / now, guardOf(grade, chroma));
  graded[1] *= scale;
  graded[2] *= scale;
}

/** White `under` a cast, (a, b), no further from its `source` than white may move. What the look takes of its chroma (`mapped`) does not count. */
export function keptWhite(
  { paleness = 1, whiteGuard = 0 }: StrongGrade,
  { source, mapped, lightness }: { readonly source: Pair; readonly mapped: Pair; readonly lightness: number },
  under: Pair,
): [number, number] {
  const [a, b] = [under[0] - source[0], under[1] - source[1]];
  const limit = Math.max(WHITE.move, Math.hypot(mapped[0] - source[0], mapped[1] - source[1]));
  const white = whiteGuard * whiteWeight(lightness, paleness * Math.hypot(...source));
  const share = between(1, Math.min(1, limit / Math.max(1e-6, Math.hypot(a, b))), white);
  return [source[0] + share * a, source[1] + share * b];
}

/** A pale color `under` a cast, moved only so far that a viewer sees the same color; `mapped` is the color without the cast. */
export function keptPale(
  { paleness = 1, whiteGuard = 0 }: StrongGrade,
  { source, mapped, lightness }: { readonly source: Pair; readonly mapped: Pair; readonly lightness: number },
  under: Pair,
): [number, number] {
  const chroma = Math.hypot(...source);
  const pale = whiteGuard * smoothstep(...PALE.fade, paleness * chroma);
  if (pale === 0) return [...under];
  const own = Math.min(1, (PALE.chroma * chroma) / Math.max(1e-6, Math.hypot(...mapped)));
  const [a, b] = [under[0] - mapped[0], under[1] - mapped[1]];
  const length = Math.hypot(a, b);
  const limit = polylineAt(PALE.move, lightness);
  const share = (limit * Math.tanh(length / limit)) / Math.max(1e-6, length);
  return [
    between(under[0], own * mapped[0] + share * a, pale),
    between(under[1], own * mapped[1] + share * b, pale),
  ];
}

/** 0..1: how far a color is white. */
function whiteWeight(lightness: number, chroma: number): number {
  return smoothstep(...WHITE.lightness, lightness) * smoothstep(...WHITE.chroma, chroma);
}

const [SOURCE, GRADED] = [new Float64Array(3), new Float64Array(3)];

/**
 * Turns a graded color in place towards the hue of its source where that is strong, and gives chroma back that the grade took and
 * the look does not. Colors are gamma-encoded RGB; `chroma` is that of the source in CIELAB.
 */
export function keepStrongColor(
  grade: StrongGrade,
  source: Float64Array,
  graded: ColorAndGrey,
  chroma: number,
): void {
  const looked = Math.min(1, grade.strongChroma ?? grade.chroma);
  const guard = guardOf(grade, chroma);
  mixOutNegatives(graded, Math.min(1, guard / FULLY_MIXED));
  holdInOklab(guard, source, graded.rgb, looked);
}

/** Like `keepStrongColor`, for the hue alone. */
export function keepHue(
  grade: StrongGrade,
  source: Float64Array,
  graded: Float64Array,
  chroma: number,
): void {
  holdInOklab(guardOf(grade, chroma), source, graded, 0);
}

/** 0..1: how far a color of this chroma is protected. */
function guardOf({ paleness = 1, colorGuard = 0 }: StrongGrade, chroma: number): number {
  return colorGuard * smoothstep(...PROTECTED, paleness * chroma);
}

/** `looked`: share of the chroma that the look leaves; 0: chroma stays as it is graded. */
function holdInOklab(guard: number, source: Float64Array, graded: Float64Array, looked: number): void {
  if (guard === 0) return;
  rgbToOklab(source[0], source[1], source[2], SOURCE);
  rgbToOklab(graded[0], graded[1], graded[2], GRADED);
  const [lightness, a, b] = GRADED;
  const turn = Math.atan2(SOURCE[1] * b - SOURCE[2] * a, SOURCE[1] * a + SOURCE[2] * b);
  const [x, y] = turned([a, b], guard * (LARGEST_TURN * Math.tanh(turn / LARGEST_TURN) - turn));
  const now = Math.hypot(a, b);
  const lost = Math.max(0, 1 - now / (looked * Math.hypot(SOURCE[1], SOURCE[2]) || now));
  const returned = RETURNED.share * lost ** RETURNED.power;
  const scale = lost === 0 || now < 1e-6 ? 1 : 1 + (guard * returned) / (1 - lost);
  oklabToRgb(lightness, scale * x, scale * y, graded);
}

/**
 * Mixes a color in place with its grey until no channel is negative, or by the part `share` of that. Oklab's hue of dark colors outside
 * the gamut is wrong: 99 instead of 55 degrees for a dark orange at lightness 12.
 */
function mixOutNegatives({ rgb, grey }: ColorAndGrey, share: number): void {
  const lowest = Math.min(rgb[0], rgb[1], rgb[2]);
  if (lowest >= 0) return;
  const mixed = (share * lowest) / (lowest - grey);
  for (let axis = 0; axis < 3; axis++) rgb[axis] += mixed * (grey - rgb[axis]);
}

function turned([a, b]: Pair, radians: number): [number, number] {
  const [cosine, sine] = [Math.cos(radians), Math.sin(radians)];
  return [a * cosine - b * sine, a * sine + b * cosine];
}
