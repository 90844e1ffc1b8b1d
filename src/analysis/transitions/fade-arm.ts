/** One side of a fade: the samples on which a picture disappears or appears. */
import { mean } from '../../signal/statistics.ts';
import { type FrameSketch, SKETCH } from '../frames/sketch.ts';
import { FADE_ENDS, type FadeArm, type FadeLevels, refineEnds, visibleRatio } from './fade-ends.ts';
import { fitProgress } from './progress.ts';

const ARM = {
  /** Longest side of a fade. */
  MAX_SECONDS: 3,
  MIN_SAMPLES: 2,
  /** Largest distance from the fade's color at its bottom, relative to the picture on this side. */
  MAX_BOTTOM_SHARE: 0.35,
  /** Noise, as a share of a level or a rise. */
  NOISE_SHARE: 0.015,
  /** Lengths tried, in samples: 5, 7, 9 … */
  SHORTEST_SEGMENT: 5,
  SEGMENT_STEP: 1.25,
  /**
   * Least correlation of a half-faded picture with the whole one, or with the next if the fade reaches its
   * color. Also of the two sides of a steep fade that looks like a hard cut.
   */
  MIN_LIKENESS: 0.7,
  /**
   * Light that flares up and goes out is no fade. Its level falls below this share of the rise within this
   * time, or this share of the arm's time, beyond the brightest sample. Shots between two fades last longer.
   */
  FLARE_SECONDS: 0.25,
  FLARE_LENGTH: 0.75,
  FLARE_SHARE: 0.5,
  /** An arm continues while its slope is at least this share of its mean. */
  TAIL_SLOPE: 0.12,
} as const satisfies Readonly<Record<string, number>>;
/**
 * Largest deviation of a side from an eased ramp. One-sided fades have .02 to .045 over .4 s or more. Light
 * that goes out, as in fireworks and strobes, has .04 or more, mostly under .1 s.
 */
export const MAX_RAMP_ERROR = 0.07;
/**
 * Least time for which a picture is whole before it fades out or another transition begins. Light that decays
 * from a cut or from the clip's first frame has 0; fades out have .5 and more, others .4.
 */
export const MIN_WHOLE_SECONDS = 0.1;

/** Samples at which a fade is closest to its color. */
export interface Bottom {
  readonly first: number;
  readonly last: number;
  readonly level: number;
}

/** Whether the bottom is the color itself. */
export function isColorReached({ level }: Bottom): boolean {
  return level <= SKETCH.PLAIN_LEVEL;
}

/** The side of a fade on which a picture disappears (step −1) or appears (step 1); null if it does so in one step, or if it is only light. */
export function armOf(
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
  if (fit === null || Math.abs(fit.whole - fit.hidden) < ARM.MIN_SAMPLES) return null;
  if (fit.level < SKETCH.PLAIN_LEVEL || bottom.level > ARM.MAX_BOTTOM_SHARE * fit.level) return null;
  if (!resemblesItself(samples, fit, of, isColorReached(bottom))) return null;
  if (!of.ground.mixesWith(samples, fit.whole, fit.hidden)) return null;
  const arm = widened(levels, fit, bottom.level, origin, far);
  const first = step < 0 ? bottom.last : bottom.first;
  const refined = refineEnds(samples, arm, { first, last: far }, of);
  if (step < 0 && beginsFading(samples, refined.whole, jumps)) return null;
  return isFlare(samples, levels, refined, bottom.level) ? null : refined;
}

/** Whether a cut or the first sample is just before this one: the picture was not whole for any time. */
function beginsFading(samples: readonly FrameSketch[], whole: number, jumps: ReadonlySet<number>): boolean {
  let first = whole;
  while (first > 0 && !jumps.has(first)) {
    if (samples[whole].timeSeconds - samples[first].timeSeconds >= MIN_WHOLE_SECONDS) return false;
    first -= 1;
  }
  return samples[whole].timeSeconds - samples[first].timeSeconds < MIN_WHOLE_SECONDS;
}

/** Whether the picture beyond the whole one is near the fade's color too: no shot was there, only light. */
function isFlare(samples: readonly FrameSketch[], levels: Float64Array, arm: FadeArm, low: number): boolean {
  const step = Math.sign(arm.whole - arm.hidden);
  const limit = low + ARM.FLARE_SHARE * (levels[arm.whole] - low);
  const seconds = samples[arm.whole].timeSeconds;
  const length = Math.abs(seconds - samples[arm.hidden].timeSeconds);
  const within = Math.max(ARM.FLARE_SECONDS, ARM.FLARE_LENGTH * length);
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
  while (whole !== far && levels[whole + step] - levels[whole] >= ARM.TAIL_SLOPE * slope) whole += step;
  while (hidden !== origin && levels[hidden] - low > ARM.NOISE_SHARE * rise) hidden -= step;
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
    let length: number = ARM.SHORTEST_SEGMENT;
    length < most;
    length = Math.ceil(length * ARM.SEGMENT_STEP)
  ) {
    let fit: FadeArm | null = null;
    let high = levels[origin + step * length];
    for (let round = 0; round < 2; round++) {
      fit = fitArm(samples, levels, origin, origin + step * length, low, high);
      if (fit === null) break;
      high = meanLevel(levels, fit.whole, origin + step * length);
    }
    if (fit === null || fit.error > MAX_RAMP_ERROR) continue;
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
    if (Math.abs(samples[i].timeSeconds - samples[origin].timeSeconds) > ARM.MAX_SECONDS) break;
    shown = levels[i] > high ? 1 : Math.min(1, shown * visibleRatio(samples, i, i - step, of));
    if (Math.max(levels[i], shown * high) < high * (1 - ARM.NOISE_SHARE) - 1) break;
    const jumped = jumps.has(step < 0 ? i + 1 : i);
    // A steep fade can look like a cut, but the picture resembles itself across it.
    if (jumped && of.ground.likeness(samples[i].coarse, samples[i - step].coarse) < ARM.MIN_LIKENESS) break;
    high = Math.max(high, levels[i]);
    far = i;
  }
  return far;
}

/** A ramp between the levels `low` at `origin` and `high` at `far`; null if the levels do not rise. */
function fitArm(
  samples: readonly FrameSketch[],
  levels: Float64Array,
  origin: number,
  far: number,
  low: number,
  high: number,
): FadeArm | null {
  const [first, last] = [Math.min(origin, far), Math.max(origin, far)];
  const isLeaving = far < origin;
  const times: number[] = [];
  const shares: number[] = [];
  for (let i = first; i <= last; i++) {
    times.push(samples[i].timeSeconds);
    const share = (levels[i] - low) / (high - low);
    shares.push(isLeaving ? 1 - share : share);
  }
  const fit = fitProgress(times, shares);
  if (fit === null) return null;
  const whole = first + (isLeaving ? fit.start : fit.end);
  const hidden = first + (isLeaving ? fit.end : fit.start);
  return { whole, hidden, error: fit.error, level: levels[whole] };
}

/** Mean level between two samples, in any order. */
function meanLevel(levels: Float64Array, from: number, to: number): number {
  return mean(levels.subarray(Math.min(from, to), Math.max(from, to) + 1));
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
  if (count === 0 || likeWhole >= ARM.MIN_LIKENESS * count) return true;
  return isReached && likeNext >= ARM.MIN_LIKENESS * count;
}
