import { joinedSpans } from '../../domain/spans.ts';
import { clamp } from '../../signal/interpolation.ts';
import { median, quantile } from '../../signal/statistics.ts';
import type { VideoFacts } from '../facts.ts';
import type { PictureFacts } from '../picture-facts.ts';
import type { CameraCurves } from './camera-curves.ts';
import { middleOf, nearestTo, STEP_SECONDS, spansWhere } from './steps.ts';
import type { FaultSpan, TakeFault } from './take-material.ts';

/** Quantiles of a take's clear moments: of detail that is good for this take, and of its light. */
const BEST = 0.75;
const BRIGHTEST = 0.9;
/** A take's own shot of at least so many steps (8 s) is compared with itself: other shots may have other light. */
const OWN_STEPS = 40;
/**
 * A take with fewer steps is a trimmed shot (.3 to 3 s), not a recording: its own best second is no reference, and a person has chosen its
 * content. 39 of 43 shots of four edits are shorter, 10 of 135 fresh takes.
 */
const MIN_RECORDED_STEPS = 15;

export const LIMITS = {
  /** Sharpness in any take: blurs of .4 % of the width leave .3 to .43, soft but usable sources .46 and more. */
  blurred: 0.45,
  /** Share of the take's own sharpness: the same blur leaves .4 to .7. */
  softer: 0.76,
  /** Steps of a run that is no slow change, and what sharpness falls to at the border of a longer one. */
  shortRun: 5,
  jump: 0.88,
  /** Widths from end to end over half a second: steady hands stay below .018, a sway of 3 % to both sides gives .037 and more. */
  shaken: 0.025,
  /** Share of the picture that the measured camera explains; below, a picture without structure may shake unseen (an empty road). */
  unmeasured: 0.2,
  /** Diagonals per second of the camera: pans stay below .5. */
  swinging: 0.9,
  /** Mean lightness and highlights (luma) below which nothing can be seen: concerts at night have 5 and 60. */
  dark: { lightness: 4, highlight: 50 },
  /**
   * Shares of the lightness and the highlights of the take's brightest tenth: .35 off luma leaves .1 to .5 and .65. A lighter picture is
   * never dim. In takes by night, whose brightest tenth is below `night`, lights go on and off: dim is what is darker still and turns black,
   * as if its exposure was less.
   */
  dimmer: { lightness: 0.6, highlight: 0.8, atMost: 33, night: 35, byNight: 0.4, blackRise: 0.25 },
  /** Share of white pixels, and lightness of the others: behind white bars or before a white ground, the rest is darker than mid-grey. */
  overexposed: { white: 0.4, rest: 50 },
  covered: { contrast: 0.04, detail: 0.004, sharpness: 0.3 },
  /** Change over white noise: 1.3 to 2.3 where a frozen picture has such noise, above 30 in nearly all moving ones. */
  frozen: 2.6,
  /**
   * Frozen under a codec's noise: no motion is measured (diagonals per second), and the picture changes by little of its contrast, .02 to
   * .07; where anything moves, by .4 and more.
   */
  frozenUnderNoise: { difference: 0.08, speed: 0.002 },
  /** Diagonals per second, and change over noise: encoded slides reach 18 where the encoder refreshes them. */
  motionless: { speed: 0.0005, change: 25 },
  /** Seconds between spans of one fault: planted faults lose a step or two, good moments between real ones last longer. */
  recovery: 0.5,
  cutSeconds: 0.25,
} as const;

/** Faults of a fast camera. */
const TOLERATED: readonly TakeFault[] = ['blurred', 'shaken', 'swinging'];

/** Noise that halves the quality: standard deviation at 160 pixels of width, grey levels. Phones by night have 1 to 2. */
const HALVING_NOISE = 4;

export interface TakeQuality {
  /** Neither the camera nor anything else moves in the whole take: a picture as a video. */
  readonly isMotionless: boolean;
  /** Ascending by start. */
  readonly faults: readonly FaultSpan[];
  /** See `MaterialCurves.quality`. */
  readonly quality: readonly number[];
}

/** Whether a take is no trimmed shot. @param steps Of its curves. */
export function hasRecordedLength(steps: number): boolean {
  return steps >= MIN_RECORDED_STEPS;
}

/** Faults of each moment by absolute limits and by the take's own best, and the quality of the rest. */
export function judgeTake(video: VideoFacts, camera: CameraCurves): TakeQuality {
  const { picture, durationSeconds } = video;
  const count = camera.motion.length;
  const at = nearestTo(picture.timesSeconds, count);
  const sampled = (values: readonly number[]) => Array.from(at, (sample) => values[sample] ?? 0);
  const [sharpness, lightness] = [sampled(picture.sharpness), sampled(picture.lightness)];
  const isMotionless = isWithoutMotion(picture, camera);
  const frozen = isMotionless ? [] : frozenSpans(picture, camera);
  const shotAt = shotPerStep(video, count);
  const isRecording = hasRecordedLength(count);
  const brightest = perShot(lightness, shotAt, BRIGHTEST, () => true);
  const isDim = dimSteps(video, at, shotAt);
  const isDarkAt = (step: number) => isBlack(picture, at[step]) || (isRecording && isDim(step));
  const isBlurredAt = (step: number) => sharpness[step] < LIMITS.blurred;
  const isFrozenAt = (step: number) => frozen.some((span) => isWithin(span, middleOf(step)));
  const isUnmeasuredAt = (step: number) =>
    !isMotionless &&
    camera.support[step] < LIMITS.unmeasured &&
    picture.detail[at[step]] < LIMITS.covered.detail;
  // Noise in dark and frozen pictures looks sharp.
  const isClear = (step: number) => !isDarkAt(step) && !isBlurredAt(step) && !isFrozenAt(step);
  const best = perShot(sharpness, shotAt, BEST, isClear);
  const isSoft = softSteps(sharpness.map((value, step) => value / Math.max(1e-3, best[step])));
  const holds: Readonly<Partial<Record<TakeFault, (step: number) => boolean>>> = {
    blurred: (step) => isBlurredAt(step) || (isRecording && isSoft[step] === 1),
    shaken: (step) => camera.jitter[step] > LIMITS.shaken || isUnmeasuredAt(step),
    swinging: (step) => camera.motion[step] > LIMITS.swinging,
    dark: isDarkAt,
    overexposed: (step) => isOverexposed(picture.white[at[step]], lightness[step]),
    covered: (step) =>
      picture.contrast[at[step]] < LIMITS.covered.contrast &&
      picture.detail[at[step]] < LIMITS.covered.detail &&
      sharpness[step] < LIMITS.covered.sharpness,
  };
  const found = Object.entries(holds).flatMap(([fault, isAt]) =>
    joinedSpans(spansWhere(count, isAt), LIMITS.recovery).map((span) => ({
      ...span,
      fault: fault as TakeFault,
    })),
  );
  const fixed = [...frozen, ...ownCuts(video), ...sidewaysSpans(video)];
  const gated = isRecording
    ? found
    : found.filter((span) => !isTolerated(span, [...found, ...fixed], durationSeconds));
  const faults = [...gated, ...fixed]
    .map((span) => ({
      ...span,
      startSeconds: Math.max(0, span.startSeconds),
      endSeconds: Math.min(durationSeconds, span.endSeconds),
    }))
    .filter((span) => span.endSeconds > span.startSeconds)
    .sort((a, b) => a.startSeconds - b.startSeconds);
  const quality = sharpness.map((value, step) => {
    if (!isRecording) return 1;
    const steady = clamp(1 - camera.jitter[step] / (2 * LIMITS.shaken), 0, 1);
    const light = clamp(lightness[step] / Math.max(1, brightest[step]), 0, 1);
    const clean = 1 / (1 + ((picture.noise[at[step]] ?? 0) / HALVING_NOISE) ** 2);
    return Math.min(1, value / Math.max(1e-3, best[step])) * Math.sqrt(steady) * light * clean;
  });
  return { isMotionless, faults, quality };
}

function isWithoutMotion({ change }: PictureFacts, { motion, activity }: CameraCurves): boolean {
  return (
    [...motion, ...activity].every((value) => value < LIMITS.motionless.speed) &&
    change.every((value) => value === null || value < LIMITS.motionless.change)
  );
}

/**
 * Whether a fault of a trimmed shot is tolerated: one of a fast camera, in less than half of the shot. Fades and black pictures, which have no
 * structure either, do not count.
 */
function isTolerated({ fault }: FaultSpan, found: readonly FaultSpan[], durationSeconds: number): boolean {
  if (!TOLERATED.includes(fault)) return false;
  const own = found.filter((span) => span.fault === fault);
  const others = found.filter((span) => !TOLERATED.includes(span.fault));
  const steps = Math.max(1, Math.round(durationSeconds / STEP_SECONDS));
  const at = Array.from({ length: steps }, (_, step) => middleOf(step));
  const isIn = (spans: readonly FaultSpan[], time: number) => spans.some((span) => isWithin(span, time));
  const faulty = at.filter((time) => isIn(own, time) && !isIn(others, time));
  return faulty.length < steps / 2;
}

/** Number of the own shot that each step is in. */
function shotPerStep({ shots }: VideoFacts, count: number): Int32Array {
  let shot = 0;
  return Int32Array.from({ length: count }, (_, step) => {
    while (shot + 1 < shots.length && shots[shot + 1].startSeconds <= middleOf(step)) shot += 1;
    return shot;
  });
}

/** For each step, a quantile over the counted steps of its shot, or of the take if the shot has too few. */
function perShot(
  values: readonly number[],
  shotAt: Int32Array,
  share: number,
  counts: (step: number) => boolean,
): number[] {
  const of = (shot: number | null) =>
    values.filter((_, step) => counts(step) && (shot === null || shotAt[step] === shot));
  const ofTake = quantileOr(of(null), share);
  const byShot = new Map<number, number>();
  for (const shot of new Set(shotAt)) {
    const own = of(shot);
    byShot.set(shot, own.length < OWN_STEPS ? ofTake : quantileOr(own, share));
  }
  return values.map((_, step) => byShot.get(shotAt[step])!);
}

function quantileOr(values: readonly number[], share: number): number {
  return values.length === 0 ? 1 : quantile(values, share);
}

/**
 * Steps below the limit. Long runs count only if the sharpness falls or rises at once at one of their ends.
 * Where it changes slowly, the camera approaches something with less texture.
 */
function softSteps(sharpness: readonly number[]): Uint8Array {
  const soft = new Uint8Array(sharpness.length);
  for (const { startSeconds, endSeconds } of spansWhere(
    sharpness.length,
    (step) => sharpness[step] < LIMITS.softer,
  )) {
    const from = Math.round(startSeconds / STEP_SECONDS);
    const to = Math.round(endSeconds / STEP_SECONDS);
    const isShort = to - from <= LIMITS.shortRun;
    if (isShort || isJump(sharpness, from) || isJump(sharpness, to)) soft.fill(1, from, to);
  }
  return soft;
}

/** Compares half a second before and after a border between steps. */
function isJump(sharpness: readonly number[], border: number): boolean {
  const before = sharpness.slice(Math.max(0, border - 4), Math.max(0, border - 1));
  const after = sharpness.slice(border + 1, border + 4);
  if (before.length === 0 || after.length === 0) return false;
  const [one, other] = [median(before), median(after)];
  return Math.min(one, other) < LIMITS.jump * Math.max(one, other);
}

function isWithin({ startSeconds, endSeconds }: FaultSpan, at: number): boolean {
  return startSeconds <= at && at < endSeconds;
}

function isBlack({ lightness, highlight }: PictureFacts, sample: number): boolean {
  const { dark } = LIMITS;
  return lightness[sample] < dark.lightness && highlight[sample] < dark.highlight;
}

/** More light makes all of a picture lighter. */
function isOverexposed(white: number, lightness: number): boolean {
  const { overexposed } = LIMITS;
  return white > overexposed.white && lightness - 100 * white >= overexposed.rest * (1 - white);
}

/** Whether a step is darker than the take's own bright moments because of its exposure. */
function dimSteps({ picture }: VideoFacts, at: Int32Array, shotAt: Int32Array): (step: number) => boolean {
  const [lightness, highlight, black] = [picture.lightness, picture.highlight, picture.black].map((values) =>
    Array.from(at, (sample) => values[sample] ?? 0),
  );
  const { dimmer } = LIMITS;
  const brightest = perShot(lightness, shotAt, BRIGHTEST, () => true);
  const highest = perShot(highlight, shotAt, BRIGHTEST, () => true);
  const usualBlack = perShot(black, shotAt, 0.5, (step) => lightness[step] >= brightest[step]);
  return (step) =>
    lightness[step] < Math.min(dimmer.lightness * brightest[step], dimmer.atMost) &&
    highlight[step] < dimmer.highlight * highest[step] &&
    (brightest[step] >= dimmer.night ||
      (lightness[step] < dimmer.byNight * brightest[step] &&
        black[step] > usualBlack[step] + dimmer.blackRise));
}

/** A sample's change compares the windows on both sides of the sample before it. */
function frozenSpans(picture: PictureFacts, camera: CameraCurves): FaultSpan[] {
  const { timesSeconds } = picture;
  const spans: FaultSpan[] = [];
  for (let i = 2; i < timesSeconds.length; i++) {
    const [startSeconds, endSeconds] = [timesSeconds[i - 2], timesSeconds[i] + STEP_SECONDS / 2];
    if (!isFrozen(picture, i, speedWithin(camera, startSeconds, timesSeconds[i]))) continue;
    const last = spans.at(-1);
    if (last !== undefined && last.endSeconds >= startSeconds)
      spans[spans.length - 1] = { ...last, endSeconds };
    else
      spans.push({
        fault: 'frozen',
        startSeconds: stillSince(camera, timesSeconds[i - 3] ?? 0, startSeconds),
        endSeconds,
      });
  }
  return spans;
}

/** A picture may freeze within the window before the first frozen one: the beginning of the steps without motion, not before `earliest`. */
function stillSince({ motion, activity }: CameraCurves, earliest: number, startSeconds: number): number {
  const { speed } = LIMITS.frozenUnderNoise;
  let start = startSeconds;
  for (let step = Math.floor(startSeconds / STEP_SECONDS); step >= 0; step--) {
    if (motion[step] + activity[step] >= speed) break;
    start = Math.min(start, step * STEP_SECONDS);
  }
  return Math.max(earliest, start);
}

function isFrozen({ change, difference, contrast }: PictureFacts, sample: number, speed: number): boolean {
  const [ratio, share] = [change[sample], difference[sample]];
  if (ratio === null) return false;
  const { frozen, frozenUnderNoise: noisy } = LIMITS;
  if (ratio < frozen) return true;
  return share !== null && speed < noisy.speed && share < noisy.difference * contrast[sample];
}

/** Mean of all motion, in diagonals per second. */
function speedWithin({ motion, activity }: CameraCurves, startSeconds: number, endSeconds: number): number {
  const from = Math.floor(startSeconds / STEP_SECONDS);
  const to = Math.max(from + 1, Math.ceil(endSeconds / STEP_SECONDS));
  const speeds = motion.slice(from, to).map((speed, at) => speed + activity[from + at]);
  return speeds.reduce((sum, speed) => sum + speed, 0) / Math.max(1, speeds.length);
}

/** The whole take: nobody turns a phone's stored rotation while it records. */
function sidewaysSpans({ sidewaysConfidence, durationSeconds }: VideoFacts): FaultSpan[] {
  if (sidewaysConfidence === undefined) return [];
  return [{ fault: 'sideways', startSeconds: 0, endSeconds: durationSeconds }];
}

/** With a margin for pictures of the other shot; at a fade from or to the end of the take there is none. */
function ownCuts({ transitions, durationSeconds }: VideoFacts): FaultSpan[] {
  const { cutSeconds } = LIMITS;
  return transitions.map(({ type, startSeconds, endSeconds }) => {
    const isFade = type !== 'cut';
    const isFirst = isFade && startSeconds <= cutSeconds;
    const isLast = isFade && endSeconds >= durationSeconds - cutSeconds;
    return {
      fault: 'own_cut',
      startSeconds: isFirst ? 0 : startSeconds - (isLast ? 0 : cutSeconds),
      endSeconds: isLast ? durationSeconds : endSeconds + (isFirst ? 0 : cutSeconds),
    };
  });
}
