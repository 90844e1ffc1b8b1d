import type { Easing } from '../facts.ts';
import type { FrameSketch } from '../frames/sketch.ts';
import { armOf, type Bottom, isColorReached, MAX_RAMP_ERROR } from './fade-arm.ts';
import { FADE_ENDS, type FadeArm, type FadeLevels } from './fade-ends.ts';
import { BLACK, type FadeType, WHITE } from './ground.ts';
import { fitProgress } from './progress.ts';

/** Largest distance from the fade's color at its bottom, of 255. */
const MAX_BOTTOM_LEVEL = 70;
/** Noise of a level, of 255 and as a share of it. */
const NOISE = { level: 2, share: 0.015 } as const;
/** Samples for which a fade may stay near its color without reaching it. */
const MAX_PASSING_SAMPLES = 2;
/** Least length of a fade with one side. */
const MIN_LONE_SECONDS = 0.15;

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

/** The run of lowest levels that begins at `at`; null if a neighbor is lower. */
function bottomAt(levels: Float64Array, at: number): Bottom | null {
  const level = levels[at];
  if (level > MAX_BOTTOM_LEVEL) return null;
  const noise = NOISE.level + NOISE.share * level;
  let last = at;
  while (last + 1 < levels.length && Math.abs(levels[last + 1] - level) <= noise) last += 1;
  const isLowerBefore = at > 0 && levels[at - 1] < level;
  const isLowerAfter = last + 1 < levels.length && levels[last + 1] < level;
  return isLowerBefore || isLowerAfter ? null : { first: at, last, level };
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
  const isPlain = isColorReached(bottom);
  // A dark scene is not black: a long bottom must be the color itself.
  if (bottom.last - bottom.first > MAX_PASSING_SAMPLES && !isPlain) return null;
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
  if (error > MAX_RAMP_ERROR || seconds < MIN_LONE_SECONDS) return null;
  return { bottomStart, bottomEnd, out: left, in: right, easing: 'linear', confidence: confidence(error) };
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
  return fit !== null && fit.error <= MAX_RAMP_ERROR
    ? { easing: fit.easing, confidence: confidence(fit.error) }
    : { easing: 'linear', confidence: confidence(Math.max(left.error, right.error)) };
}

function confidence(error: number): number {
  return Math.exp(-3 * error);
}
