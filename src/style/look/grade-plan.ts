import type { ColorStatistics } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { labToRgb } from '../../signal/color-space.ts';
import { between, clamp, smoothstep } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import { lookOfDials } from '../model/color-dials.ts';
import { type Look, lookAt, partOfLook } from '../model/look.ts';
import type { Style } from '../model/schema.ts';
import { levelShareOf, moodShareOf, protectionAt } from '../model/strength.ts';
import type { Grade } from '../model/timeline.ts';
import { type ColorMap, mapBetween, mappedCloud, mapThrough } from './color-map.ts';
import { castOnGrey, type NeutralSurfaces, whiteScaleOf } from './content-casts.ts';
import { gradeLab } from './grade.ts';
import { cloudOfStyle } from './grade-cloud.ts';
import { castWithin, whiteGroundOf } from './lights.ts';
import { developedGrade, developmentOf, isRecordingSize, logarithmicShare } from './logarithmic.ts';
import { SPREAD } from './monochrome.ts';
import { moodMap } from './mood.ts';
import { visibleShare } from './near-black.ts';
import { bearableCastShare, withPartOfCasts } from './skin-casts.ts';
import { eigenvalues, type Symmetric } from './symmetric.ts';
import { DARKS, LIGHTS, watchableTone } from './watchable-tone.ts';

/** A source's colors and look. */
export interface GradeSource {
  readonly statistics: ColorStatistics;
  /** (L, a, b) triples, ascending in lightness. */
  readonly cloud: Float64Array;
  readonly look: Look;
  /** In pixels; left out: unknown, so that it may be a logarithmic recording. */
  readonly size?: Size | undefined;
  /** 0..1: how far it is black and white, or toned in one color; default: 0. */
  readonly monochrome?: number | undefined;
  /** A page, a screen or a cartoon, whose plain surfaces show any cast and loss; default: no. */
  readonly isDrawn?: boolean | undefined;
  /** How far skin is guarded, 0..1: see `peopleShare`. */
  readonly people: number;
  /** Lightness of skin in faces; left out: no face was found. */
  readonly faceLightness?: number | undefined;
}

/** The fields of a style that a grade follows. */
export interface GradeStyle extends Pick<Style, 'color_grade' | 'color_statistics'> {
  /** Left out: the look of `color_grade`. */
  readonly look?: Look | undefined;
}

export interface PlannedGrade {
  readonly grade: Grade;
  /** Whether the template requests a picture darker, lighter or flatter than one can watch. */
  readonly isToneHeldBack: boolean;
  /** Whether it requests casts in which people would look pasted into the picture. */
  readonly areCastsHeldBack: boolean;
  /** Whether it requests casts in which white walls would have a color. */
  readonly isWhiteKept: boolean;
  /** Whether it requests casts on a source in black and white, or toned in one color. */
  readonly isMonochromeKept: boolean;
  /** Whether the source counts as a logarithmic recording. */
  readonly isDeveloped: boolean;
}

/**
 * How much of the source's own estimated look is undone first: what looks like a look is as often the content. On natural
 * pictures as they are the best was .3, on such with a look of their own .6 and more.
 */
const UNDONE = 0.4;
/** Strong colors keep this share of their chroma under a palette that is paler than its look. */
const KEPT_CHROMA = 0.9;
/** They lose only this power of the chroma that a look leaves: with all of .5, red cars and dresses became brick and salmon. */
const PALE_STRONG = 0.3;
/**
 * Power of a factor of chroma below 1 that all colors keep: two reels whose takes kept .33 to .63 of their chroma were refused as faded and drained. With 1, .6 and .4, 23, 23
 * and 21 % of the known looks are harmful (0319).
 */
const PALE = 0.5;
/** Factor of chroma of a look: below the first it is black and white or toned for all colors, above the second strong ones keep theirs. */
const COLORED = [0.05, 0.18] as const;
/** The same factor: below the first no color is protected from casts, above the second strong ones are in full. */
const PROTECTED = [0.08, 0.25] as const;
/** More draws the chroma noise of walls and skies out. */
const MAX_CHROMA = 1.4;
/** Casts of which less is left than this are reported as limited: it is the most visible difference to the template. */
const REPORTED_CAST_SHARE = 0.7;
/** Casts on greys from this lightness on that are reduced by so much in (a, b) are reported as limited. */
const LIGHT_GREY = 60;
const REPORTED_HELD_CAST = 15;
/** A source that is black and white to this extent, and casts that it loses, at these lightnesses, of this length in (a, b). Not fitted. */
const REPORTED_MONOCHROME = { share: 0.5, lightness: [25, 50, 75], cast: 5 } as const;
/** From this share on a development is visible. */
const REPORTED_DEVELOPMENT = 0.2;
/** Below, a look is black and white. */
const MONOCHROME = [0.12, 0.05] as const;
/** Skin's hue turns by less than this: the targets allow 12 degrees, and 8 bits of 4:2:0 add up to three. With 8 a strict eye named red or yellow faces in 4 of 11 videos. */
const SKIN_GUARD_DEGREES = 6;
/** Visible share of a template between which a pale look becomes none: near-black pixels make it pale. Night clips have .35 to .6. */
const MOSTLY_BLACK = [0.65, 0.4] as const;
/** Below this visible share a picture is almost entirely black: a logo or a title has no look. */
export const MIN_VISIBLE = 0.2;
/** Factor of chroma below which no hue is left that could be guarded. */
const TONED = 0.2;
/** Lightness at which casts are written down; between them they go linearly. */
const CAST_STEP = 5;
/**
 * Share of a cast that black and white themselves receive: tinted ends look like a fault. All of it arrives from this lightness
 * on, and from as far below white.
 */
const [BLACK_SHARE, WHITE_SHARE] = [0.4, 0.5];
const [BLACK_END, WHITE_END] = [20, 15];
/** Share of the picture that may leave the gamut: `gradeLut` eases it back, so that it loses chroma, never detail. */
const MAX_OUT_OF_GAMUT = 0.2;
const BACK_OFF_ROUNDS = 30;
/** Loss by compression into the gamut that is not visible. */
const GAMUT_SLACK = 0.08;

/**
 * The grade that takes a source out of its own look, as far as that is known, and into the style's; with more strength, part of
 * the template's palette on top. A logarithmic recording is developed first, and the result is graded. Null for no strength.
 */
export function planGrade(source: GradeSource, style: GradeStyle, strength: number): PlannedGrade | null {
  if (strength <= 0) return null;
  const { lightnessPercentiles: lightness, meanA, meanB, covariance } = source.statistics;
  const isRecorded = source.size === undefined || isRecordingSize(source.size);
  const logarithmic = isRecorded ? logarithmicShare({ lightness, mean: [meanA, meanB], covariance }) : 0;
  if (logarithmic === 0) return { ...gradeOfNatural(source, style, strength), isDeveloped: false };
  const development = developmentOf(lightness, levelShareOf(strength) * logarithmic);
  const planned = gradeOfNatural(developed(source, development, logarithmic), style, strength);
  return {
    ...planned,
    grade: developedGrade(planned.grade, development),
    isDeveloped: logarithmic > REPORTED_DEVELOPMENT,
  };
}

/** The developed recording. Its own look was that of the curve. */
function developed(source: GradeSource, development: ColorMap, logarithmic: number): GradeSource {
  const { statistics } = source;
  return {
    ...source,
    statistics: {
      ...statistics,
      lightnessPercentiles: statistics.lightnessPercentiles.map(development.lightness),
      meanA: development.chroma * statistics.meanA,
      meanB: development.chroma * statistics.meanB,
    },
    cloud: mappedCloud(source.cloud, development),
    look: partOfLook(source.look, 1 - logarithmic),
  };
}

/**
 * The grade of a recording that looks natural, as every one does that is not logarithmic or has been developed. Where too much of the picture would leave the
 * gamut, added chroma goes first, then the rest step by step.
 */
function gradeOfNatural(
  source: GradeSource,
  style: GradeStyle,
  strength: number,
): Omit<PlannedGrade, 'isDeveloped'> {
  // An authored look is applied as it is.
  const caution = style.color_statistics === undefined ? 0 : protectionAt(strength);
  const wanted = { look: lookOfStyle(style, caution), caution, statistics: style.color_statistics };
  const colored = smoothstep(...COLORED, wanted.look.chroma);
  const requested = withKeptChroma(wantedMap(source, wanted, strength), caution * colored);
  const monochrome = caution * (source.monochrome ?? 0);
  const map = withoutColor(requested, monochrome);
  const { lightnessPercentiles: percentiles } = source.statistics;
  const whiteGround = source.isDrawn === true ? 1 : whiteGroundOf(percentiles);
  const tone = watchableTone(
    { percentiles, whiteGround, faceLightness: source.faceLightness },
    {
      black: lookAt(wanted.look, 0).out,
      darks: wanted.statistics?.lightness_percentiles[DARKS],
      lights: wanted.statistics?.lightness_percentiles[LIGHTS] ?? 0,
      caution,
    },
    map.lightness,
  );
  const surfaces = { whiteGround, whiteScale: whiteScaleOf(source.cloud), caution };
  const centre = [source.statistics.meanA, source.statistics.meanB] as const;
  let [reach, boost] = [1, 1];
  for (let round = 0; ; round++) {
    const part = partOfMap(map, { reach, boost, centre });
    const plain = gradeOf(part, tone.knots, reach, { ...surfaces, people: source.people });
    const guards = {
      whiteGuard: rounded(caution, 4),
      skinLightnessGuard: rounded(caution * source.people, 4),
    };
    const full = withStrongColors({ ...plain, ...guards }, wanted.look, strength);
    const castShare = source.people === 1 ? bearableCastShare(full) : 1;
    const grade = withPartOfCasts(full, castShare);
    if (round === BACK_OFF_ROUNDS || outOfGamutShare(grade, source.cloud) <= MAX_OUT_OF_GAMUT)
      return {
        grade,
        isToneHeldBack: tone.isHeldBack,
        areCastsHeldBack: castShare < REPORTED_CAST_SHARE,
        isWhiteKept: isCastHeld(grade.heldCasts ?? []),
        isMonochromeKept: monochrome >= REPORTED_MONOCHROME.share && isTinting(requested),
      };
    if (map.chroma > 1 && boost > 0.1) boost *= 0.6;
    else reach *= 0.9;
  }
}

/** A style's look, and the statistics of the template when it was measured. */
interface Wanted {
  readonly look: Look;
  /** 0..1: how far harmful parts of it are left out. */
  readonly caution: number;
  readonly statistics: Style['color_statistics'];
}

/** The map with its loss of chroma reduced to the power `PALE`, by `share` (0..1). */
function withKeptChroma(map: ColorMap, share: number): ColorMap {
  const { chroma } = map;
  return chroma >= 1 ? map : { ...map, chroma: between(chroma, chroma ** PALE, share) };
}

/** The map without the part `share` of its casts and of its gain in chroma: on black and white both are a tint, or noise in color. */
function withoutColor({ lightness, chroma, cast }: ColorMap, share: number): ColorMap {
  return {
    lightness,
    chroma: between(chroma, Math.min(1, chroma), share),
    cast: (at) => {
      const [a, b] = cast(at);
      return [(1 - share) * a, (1 - share) * b];
    },
  };
}

/** Whether a map's casts are visible. */
function isTinting({ cast }: ColorMap): boolean {
  return REPORTED_MONOCHROME.lightness.some((at) => Math.hypot(...cast(at)) >= REPORTED_MONOCHROME.cast);
}

/** The full move from the source's look to the template's, before any limit. */
function wantedMap(
  { cloud, look: own }: GradeSource,
  { look, caution, statistics: measured }: Wanted,
  strength: number,
): ColorMap {
  const share = levelShareOf(strength);
  // An authored look is applied to the source unchanged.
  const undone = measured === undefined ? 0 : UNDONE;
  // Chroma is limited before the palette is matched: matched against a more colorful source, vivid templates turned warm rooms blue.
  const map = mapBetween(partOfLook(own, share * undone), partOfLook(look, share), MAX_CHROMA);
  if (measured === undefined) return map;
  const template = cloudOfStyle(measured);
  const reach = { share: moodShareOf(strength), caution };
  return mapThrough(map, moodMap(mappedCloud(cloud, map), template, reach));
}

/** The look of a style; if it is nearly black and white, all color is removed. */
function lookOfStyle(style: GradeStyle, caution: number): Look {
  const look = style.look ?? lookOfDials(style.color_grade);
  const measured = style.color_statistics;
  const visible = measured === undefined ? 1 : visibleShare(measured.lightness_percentiles);
  const ofStatistics = measured === undefined ? 0 : flatness(measured.covariance_ab, visible);
  const monochrome = Math.max(ofStatistics, smoothstep(...MONOCHROME, look.chroma));
  const paleness = caution * smoothstep(...MOSTLY_BLACK, visible);
  const chroma = between(look.chroma, Math.max(1, look.chroma), paleness);
  return { ...look, chroma: chroma * (1 - monochrome) };
}

/** A grade that protects strong colors as far as the strength and the template's look allow. */
function withStrongColors(grade: Grade, look: Look, strength: number): Grade {
  const { chroma } = grade;
  const left = Math.min(1, partOfLook(look, levelShareOf(strength)).chroma);
  const guarded = protectionAt(strength) * smoothstep(...COLORED, look.chroma);
  const strong = Math.max(chroma, KEPT_CHROMA * between(left, left ** PALE_STRONG, guarded));
  return {
    ...grade,
    ...(strong > chroma && { strongChroma: rounded(strong, 4) }),
    colorGuard: rounded(protectionAt(strength) * smoothstep(...PROTECTED, look.chroma), 4),
  };
}

/** The part `reach` of a map's color, and of its added chroma the part `boost`; `centre` stays where it goes. */
function partOfMap(
  { lightness, chroma, cast }: ColorMap,
  {
    reach,
    boost,
    centre,
  }: { readonly reach: number; readonly boost: number; readonly centre: readonly [number, number] },
): ColorMap {
  const limited = chroma > 1 ? 1 + boost * (Math.min(chroma, MAX_CHROMA) - 1) : chroma;
  return {
    lightness,
    chroma: 1 + reach * (limited - 1),
    cast: (at) => {
      const [a, b] = cast(at);
      return [reach * (a + (chroma - limited) * centre[0]), reach * (b + (chroma - limited) * centre[1])];
    },
  };
}

function gradeOf(
  { chroma, cast }: ColorMap,
  knots: Grade['lightness'],
  reach: number,
  { people, ...surfaces }: NeutralSurfaces & { readonly people: number },
): Grade {
  const levels = Array.from({ length: 100 / CAST_STEP + 1 }, (_, index) => {
    const at = index * CAST_STEP;
    const full = castWithin(cast(at), at);
    return { at, full, onGrey: castOnGrey(full, at, surfaces) };
  });
  const offsets = levels.map(({ at, onGrey: [a, b] }) => {
    const share = endShare(at);
    return { at, a: rounded(share * a, 4), b: rounded(share * b, 4) };
  });
  const heldCasts = levels.map(({ at, full, onGrey }) => ({
    at,
    a: rounded(full[0] - onGrey[0], 4),
    b: rounded(full[1] - onGrey[1], 4),
  }));
  return {
    lightness: knots.map((knot) => ({
      in: knot.in,
      out: rounded(knot.in + reach * (knot.out - knot.in), 4),
    })),
    chroma: rounded(chroma, 4),
    offsets,
    ...(heldCasts.some(({ a, b }) => a !== 0 || b !== 0) && { heldCasts }),
    // Without people there is wood, sand and stone in skin's colors; black and white has no hue to guard.
    skinGuardDegrees: people > 0 && chroma >= TONED ? SKIN_GUARD_DEGREES : 180,
    ...(people > 0 && people < 1 && { skinShare: people }),
  };
}

/** Whether casts on light greys are reduced visibly. */
function isCastHeld(heldCasts: NonNullable<Grade['heldCasts']>): boolean {
  return heldCasts.some(({ at, a, b }) => at >= LIGHT_GREY && Math.hypot(a, b) > REPORTED_HELD_CAST);
}

function endShare(lightness: number): number {
  return Math.min(
    BLACK_SHARE + (1 - BLACK_SHARE) * clamp(lightness / BLACK_END, 0, 1),
    WHITE_SHARE + (1 - WHITE_SHARE) * clamp((100 - lightness) / WHITE_END, 0, 1),
  );
}

/** Share of the colors of a cloud that `grade` moves out of the RGB gamut. */
export function outOfGamutShare(grade: Grade, cloud: Float64Array): number {
  const [lab, rgb] = [new Float64Array(3), new Float64Array(3)];
  let [samples, outsiders] = [0, 0];
  for (let at = 0; at < cloud.length; at += 3) {
    labToRgb(cloud[at], cloud[at + 1], cloud[at + 2], rgb);
    if (isOutside(rgb)) continue;
    samples++;
    gradeLab(grade, cloud[at], cloud[at + 1], cloud[at + 2], lab);
    labToRgb(lab[0], lab[1], lab[2], rgb);
    if (isOutside(rgb)) outsiders++;
  }
  return samples === 0 ? 0 : outsiders / samples;
}

/** 1 when (a, b) hardly varies in the visible share (black and white, or toned), 0 from a faintly colored picture on. */
function flatness(covariance: Symmetric, visible: number): number {
  const largest = Math.max(0, eigenvalues(covariance)[0]) / Math.max(MIN_VISIBLE, visible);
  return smoothstep(SPREAD.colored, SPREAD.toned, Math.sqrt(largest));
}

function isOutside(rgb: Float64Array): boolean {
  return (
    Math.min(rgb[0], rgb[1], rgb[2]) < -GAMUT_SLACK || Math.max(rgb[0], rgb[1], rgb[2]) > 1 + GAMUT_SLACK
  );
}
