import type { Easing } from '../facts.ts';
import { type FrameSketch, SKETCH } from '../frames/sketch.ts';
import { FADE_ENDS, type FadeArm, type FadeLevels, refineEnds, visibleRatio } from './fade-ends.ts';
import { isPlainButMark } from './fade-mark.ts';
import { BLACK, type FadeType, WHITE } from './ground.ts';
import { fitProgress } from './progress.ts';

export const FADE = {
  /** Longest side of a fade. */
  ARM_SECONDS: 3,
  MIN_ARM_SAMPLES: 2,
  /** Largest distance from the fade's color at its bottom, of 255, and relative to the pictures on its sides. */
  BOTTOM_LEVEL: 70,
  BOTTOM_SHARE: 0.35,
  /** Samples for which a fade may stay near its color without reaching it. */
  MAX_PASSING_SAMPLES: 2,
  /**
   * Largest deviation of a side from an eased ramp. One-sided fades have .02 to .045 over .4 s or more. Light
   * that goes out, as in fireworks and strobes, has .04 or more, mostly under .1 s.
   */
  GOOD_ERROR: 0.07,
  LONE_SECONDS: 0.15,
  /** Noise, as a share of a level or a rise. */
  SLACK: 0.015,
  /** Tried lengths, in samples: 5, 7, 9 … */
  SHORTEST_SEGMENT: 5,
  SEGMENT_STEP: 1.25,
  /**
   * Least correlation of a half-faded picture with the whole one, or with the next if the fade reaches its
   * color. Also of the two sides of a steep fade that looks like a hard cut.
   */
  LIKENESS: 0.7,
  /**
   * Light that flares up and goes out is no fade. Its level falls below this share of the rise within this
   * time, or this share of the arm's time, beyond the brightest sample. Shots between two fades last longer.
   */
  FLARE_SECONDS: 0.25,
  FLARE_LENGTH: 0.75,
  FLARE_SHARE: 0.5,
  /**
   * Least time for which a picture is whole before it fades out or another transition begins. Light that decays
   * from a cut or from the clip's first frame has 0; fades out have .5 and more, others .4.
   */
  MIN_WHOLE_SECONDS: 0.1,
  /** An arm continues while its slope is at least this share of its mean. */
  TAIL_SLOPE: 0.12,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

/** A fade through a plain color; at least one side is not null. */
export interface Fade {
  readonly type: FadeType;
  /** `#rrggbb` of `fade_color`. */
  readonly color?: string;
  /** The old picture disappears; null if it cuts away or there is none. */
  readonly out: FadeArm | null;
  /** The new picture appears; null if it cuts in or there is none. */
  readonly in: FadeArm | null;
  /** First and last sample at the bottom: black or white, or the closest samples. */
  readonly bottomStart: number;
  readonly bottomEnd: number;
  readonly easing: Easing;
  readonly confidence: number;
}

/**
 * Fades through black and white: the picture's distance from that color falls to a bottom and rises again, while
 * the remaining picture resembles itself. One side may be a cut (`jumps`: samples that begin with a hard cut) or
 * the end of the samples.
 */
export function findFades(samples: readonly FrameSketch[], jumps: ReadonlySet<number>): Fade[] {
  const fades: Fade[] = [];
  for (const ground of [BLACK, WHITE]) {
    const levels = Float64Array.from(samples, (sample) => ground.distanceOf(sample));
    let at = 0;
    while (at < samples.length) {
      const bottom = bottomAt(levels, at);
      if (bottom === null) {
        at += 1;
        continue;
      }
      const fade = fadeAround(samples, { ground, levels, low: bottom.level }, bottom, jumps);
      if (fade !== null) fades.push({ type: ground.type, ...fade });
      at = Math.max(bottom.last, fade?.in?.whole ?? 0) + 1;
    }
  }
  return fades.sort((a, b) => a.bottomStart - b.bottomStart);
}

/** Samples at which a fade is closest to its color. */
export interface Bottom {
  readonly first: number;
  readonly last: number;
  readonly level: number;
}

/** The run of lowest levels that begins at `at`; null if a neighbour is lower. */
function bottomAt(levels: Float64Array, at: number): Bottom | null {
  const level = levels[at];
  if (level > FADE.BOTTOM_LEVEL) return null;
  const slack = 2 + FADE.SLACK * level;
  let last = at;
  while (last + 1 < levels.length && Math.abs(levels[last + 1] - level) <= slack) last += 1;
  const falls = at > 0 && levels[at - 1] < level;
  const fallsOn = last + 1 < levels.length && levels[last + 1] < level;
  return falls || fallsOn ? null : { first: at, last, level };
}

/** The fade with this bottom; null if no side of it is a ramp. */
export function fadeAround(
  samples: readonly FrameSketch[],
  of: FadeLevels,
  bottom: Bottom,
  jumps: ReadonlySet<number>,
): Omit<Fade, 'type' | 'color'> | null {
  const left = armOf(samples, of, bottom, -1, jumps);
  const right = armOf(samples, of, bottom, 1, jumps);
  if (left === null && right === null) return null;
  const { first: bottomStart, last: bottomEnd } = bottom;
  const isPlain = [left, right].some((arm) => arm !== null && isColorReached(samples, of, bottom, arm));
  // A dark scene is not black: a long bottom must be the color itself.
  if (bottom.last - bottom.first > FADE.MAX_PASSING_SAMPLES && !isPlain) return null;
  if (left !== null && right !== null) {
    return {
      bottomStart,
      bottomEnd,
      out: left,
      in: right,
      ...asSingleCurve(samples, of.levels, bottom, left, right),
    };
  }
  if (!isPlain) return null;
  const { whole, hidden, error } = (left ?? right)!;
  const seconds = Math.abs(samples[whole].timeSeconds - samples[hidden].timeSeconds);
  if (error > FADE.GOOD_ERROR || seconds < FADE.LONE_SECONDS) return null;
  return { bottomStart, bottomEnd, out: left, in: right, easing: 'linear', confidence: confidence(error) };
}

/** Whether the bottom is the color itself, but for a mark that stays. */
function isColorReached(
  samples: readonly FrameSketch[],
  { ground }: FadeLevels,
  bottom: Bottom,
  { whole }: FadeArm,
): boolean {
  return bottom.level <= SKETCH.PLAIN_LEVEL || isPlainButMark(ground, samples[bottom.first], samples[whole]);
}

/** Fits both sides as one eased curve whose middle is the bottom: half of a curve matches no curve. */
function asSingleCurve(
  samples: readonly FrameSketch[],
  levels: Float64Array,
  bottom: Bottom,
  left: FadeArm,
  right: FadeArm,
): Pick<Fade, 'easing' | 'confidence'> {
  const margin = Math.max(2, Math.round((right.whole - left.whole) * FADE_ENDS.MARGIN_SHARE));
  const from = Math.max(0, left.whole - margin);
  const to = Math.min(samples.length - 1, right.whole + margin);
  const middle = (bottom.first + bottom.last) / 2;
  const times: number[] = [];
  const progress: number[] = [];
  for (let i = from; i <= to; i++) {
    times.push(samples[i].timeSeconds);
    progress.push(i <= middle ? 0.5 - (0.5 * levels[i]) / left.level : 0.5 + (0.5 * levels[i]) / right.level);
  }
  const fit = fitProgress(times, progress);
  return fit !== null && fit.error <= FADE.GOOD_ERROR
    ? { easing: fit.easing, confidence: confidence(fit.error) }
    : { easing: 'linear', confidence: confidence(Math.max(left.error, right.error)) };
}

function confidence(error: number): number {
  return Math.exp(-3 * error);
}

/** The side of a fade on which a picture disappears (step −1) or appears (step 1); null if it does so in one step. */
function armOf(
  samples: readonly FrameSketch[],
  of: FadeLevels,
  bottom: Bottom,
  step: 1 | -1,
  jumps: ReadonlySet<number>,
): FadeArm | null {
  const origin = step < 0 ? bottom.first : bottom.last;
  const { levels } = of;
  const far = reachOf(samples, of, origin, step, jumps);
  const fit = bestArm(samples, levels, origin, far, bottom.level);
  if (fit === null || Math.abs(fit.whole - fit.hidden) < FADE.MIN_ARM_SAMPLES) return null;
  if (fit.level < SKETCH.PLAIN_LEVEL || bottom.level > FADE.BOTTOM_SHARE * fit.level) return null;
  if (!resemblesItself(samples, fit, of, isColorReached(samples, of, bottom, fit))) return null;
  if (!of.ground.mixesWith(samples, fit.whole, fit.hidden)) return null;
  const arm = widened(levels, fit, bottom.level, origin, far);
  const inner = step < 0 ? bottom.last : bottom.first;
  const refined = refineEnds(samples, arm, [inner, far], of);
  if (step < 0 && beginsFading(samples, refined.whole, jumps)) return null;
  return isFlare(samples, levels, refined, bottom.level) ? null : refined;
}

/** Whether a cut or the first sample is just before this one: the picture was not whole for any time. */
function beginsFading(samples: readonly FrameSketch[], whole: number, jumps: ReadonlySet<number>): boolean {
  let first = whole;
  while (first > 0 && !jumps.has(first)) {
    if (samples[whole].timeSeconds - samples[first].timeSeconds >= FADE.MIN_WHOLE_SECONDS) return false;
    first -= 1;
  }
  return samples[whole].timeSeconds - samples[first].timeSeconds < FADE.MIN_WHOLE_SECONDS;
}

/** Whether the picture beyond the whole one is near the fade's color too: no shot was there, only light. */
function isFlare(samples: readonly FrameSketch[], levels: Float64Array, arm: FadeArm, low: number): boolean {
  const step = Math.sign(arm.whole - arm.hidden);
  const limit = low + FADE.FLARE_SHARE * (levels[arm.whole] - low);
  const seconds = samples[arm.whole].timeSeconds;
  const length = Math.abs(seconds - samples[arm.hidden].timeSeconds);
  const within = Math.max(FADE.FLARE_SECONDS, FADE.FLARE_LENGTH * length);
  for (let i = arm.whole + step; i >= 0 && i < samples.length; i += step) {
    if (Math.abs(samples[i].timeSeconds - seconds) > within) return false;
    if (levels[i] <= limit) return true;
  }
  return false;
}

/** Ends that a straight ramp cuts off: an eased fade starts and ends slowly. */
function widened(levels: Float64Array, arm: FadeArm, low: number, origin: number, far: number): FadeArm {
  const step = Math.sign(arm.whole - arm.hidden);
  const rise = arm.level - low;
  const slope = rise / Math.abs(arm.whole - arm.hidden);
  let { whole, hidden } = arm;
  while (whole !== far && levels[whole + step] - levels[whole] >= FADE.TAIL_SLOPE * slope) whole += step;
  while (hidden !== origin && levels[hidden] - low > FADE.SLACK * rise) hidden -= step;
  return { ...arm, whole, hidden, level: levels[whole] };
}

/**
 * The shortest segment after the bottom with a ramp and the level after it. Later changes, such as another
 * fade or a brighter scene, do not belong to this fade.
 */
function bestArm(
  samples: readonly FrameSketch[],
  levels: Float64Array,
  origin: number,
  far: number,
  low: number,
): FadeArm | null {
  const step = far < origin ? -1 : 1;
  const most = Math.abs(far - origin);
  for (
    let length: number = FADE.SHORTEST_SEGMENT;
    length < most;
    length = Math.ceil(length * FADE.SEGMENT_STEP)
  ) {
    let fit: FadeArm | null = null;
    let high = levels[origin + step * length];
    for (let round = 0; round < 2; round++) {
      fit = fitArm(samples, levels, origin, origin + step * length, low, high);
      if (fit === null) break;
      high = mean(levels, fit.whole, origin + step * length);
    }
    if (fit === null || fit.error > FADE.GOOD_ERROR) continue;
    const plateau = length - Math.abs(fit.whole - origin);
    if (plateau >= Math.max(2, FADE_ENDS.MARGIN_SHARE * Math.abs(fit.whole - fit.hidden))) return fit;
  }
  return fitArm(samples, levels, origin, far, low, levels[far]);
}

/** The sample up to which the level, or the visible share of the picture, rises from `origin` by `step`. */
function reachOf(
  samples: readonly FrameSketch[],
  of: FadeLevels,
  origin: number,
  step: 1 | -1,
  jumps: ReadonlySet<number>,
): number {
  const { levels } = of;
  let far = origin;
  let high = levels[origin];
  // Visible share of the picture relative to the highest level.
  let shown = 1;
  for (let i = origin + step; i >= 0 && i < samples.length; i += step) {
    if (Math.abs(samples[i].timeSeconds - samples[origin].timeSeconds) > FADE.ARM_SECONDS) break;
    shown = levels[i] > high ? 1 : Math.min(1, shown * visibleRatio(samples, i, i - step, of));
    if (Math.max(levels[i], shown * high) < high * (1 - FADE.SLACK) - 1) break;
    const jumped = jumps.has(step < 0 ? i + 1 : i);
    // A steep fade can look like a cut, but the picture resembles itself across it.
    if (jumped && of.ground.likeness(samples[i].coarse, samples[i - step].coarse) < FADE.LIKENESS) break;
    high = Math.max(high, levels[i]);
    far = i;
  }
  return far;
}

function fitArm(
  samples: readonly FrameSketch[],
  levels: Float64Array,
  origin: number,
  far: number,
  low: number,
  high: number,
): FadeArm | null {
  const lo = Math.min(origin, far);
  const hi = Math.max(origin, far);
  const leaves = far < origin;
  const times: number[] = [];
  const shares: number[] = [];
  for (let i = lo; i <= hi; i++) {
    times.push(samples[i].timeSeconds);
    const share = (levels[i] - low) / (high - low);
    shares.push(leaves ? 1 - share : share);
  }
  const fit = fitProgress(times, shares);
  if (fit === null) return null;
  const whole = lo + (leaves ? fit.start : fit.end);
  const hidden = lo + (leaves ? fit.end : fit.start);
  return { whole, hidden, error: fit.error, level: levels[whole] };
}

function mean(levels: Float64Array, from: number, to: number): number {
  let sum = 0;
  const lo = Math.min(from, to);
  const hi = Math.max(from, to);
  for (let i = lo; i <= hi; i++) sum += levels[i];
  return sum / (hi - lo + 1);
}

/**
 * Whether half-faded pictures resemble the whole one, by correlation of the coarse pictures. If the color
 * itself is `isReached`, things may move until then, so each picture need only resemble the next.
 */
function resemblesItself(
  samples: readonly FrameSketch[],
  { whole, hidden }: FadeArm,
  { ground }: FadeLevels,
  isReached: boolean,
): boolean {
  const step = Math.sign(hidden - whole);
  let likeWhole = 0;
  let likeNext = 0;
  let count = 0;
  for (let i = whole + step; i !== hidden; i += step) {
    likeWhole += ground.likeness(samples[i].coarse, samples[whole].coarse);
    likeNext += ground.likeness(samples[i].coarse, samples[i - step].coarse);
    count += 1;
  }
  if (count === 0 || likeWhole >= FADE.LIKENESS * count) return true;
  return isReached && likeNext >= FADE.LIKENESS * count;
}
