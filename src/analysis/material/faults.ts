import { quantile } from '../../signal/statistics.ts';
import type { VideoFacts } from '../facts.ts';
import type { PictureFacts } from '../picture-facts.ts';
import type { CameraCurves } from './camera-curves.ts';
import { middleOf, nearestTo, STEP_SECONDS, spansWhere } from './steps.ts';
import type { FaultSpan, TakeFault } from './take-material.ts';

export const LIMITS = {
  /** Structure of medium scale, in any take: blurs of 12 pixels of 1080p leave .24 to .43, soft but usable sources .38 and more. */
  blurred: 0.36,
  /** Share of the sharpness of the take's own best tenth. */
  softer: 0.66,
  /** Widths from end to end over half a second: steady hands stay below .03, a sway of 3 % gives .05 and more. */
  shaken: 0.042,
  /** Diagonals per second of the camera: pans stay below .5. */
  swinging: 0.9,
  /** Mean lightness and highlights (luma) below which nothing can be seen: concerts at night have 5 and 60. */
  dark: { lightness: 4, highlight: 50 },
  /** Of the lightness of the take's own brightest tenth. */
  dimmer: 0.6,
  /** Share of white pixels. */
  overexposed: 0.4,
  covered: { contrast: 0.04, detail: 0.004 },
  /** Change over noise: 1.3 to 2.3 where a frozen picture has noise, above 30 in nearly all moving ones. */
  frozen: 2.6,
  cutSeconds: 0.25,
} as const;

/** Absolute sharpness, 0..1: neither the finest nor the medium scale lacks structure. */
export function sharpnessOf({ fine, medium }: PictureFacts, sample: number): number {
  return Math.min(1, fine[sample]) * Math.min(1, medium[sample]);
}

/** Faults of each moment by absolute limits and by the take's own best. */
export function faultsOf(
  video: VideoFacts,
  camera: CameraCurves,
  sharpness: readonly number[],
  count: number,
): FaultSpan[] {
  const { picture } = video;
  const at = nearestTo(picture.timesSeconds, count);
  const frozen = frozenSpans(picture);
  const brightest = picture.lightness.length === 0 ? 0 : quantile(picture.lightness, 0.9);
  const isDarkAt = (step: number) => isDark(picture, at[step], brightest);
  const isBlurredAt = (step: number) => picture.medium[at[step]] < LIMITS.blurred;
  // Noise in dark and frozen pictures looks sharp.
  const clear = sharpness.filter(
    (_, step) =>
      !isDarkAt(step) && !isBlurredAt(step) && !frozen.some((span) => isWithin(span, middleOf(step))),
  );
  const best = clear.length === 0 ? 0 : quantile(clear, 0.9);
  const isOf: Readonly<Partial<Record<TakeFault, (step: number) => boolean>>> = {
    blurred: (step) => isBlurredAt(step) || sharpness[step] < LIMITS.softer * best,
    shaken: (step) => camera.jitter[step] > LIMITS.shaken,
    swinging: (step) => camera.motion[step] > LIMITS.swinging,
    dark: isDarkAt,
    overexposed: (step) => picture.white[at[step]] > LIMITS.overexposed,
    covered: (step) =>
      picture.contrast[at[step]] < LIMITS.covered.contrast &&
      picture.detail[at[step]] < LIMITS.covered.detail,
  };
  const found = Object.entries(isOf).flatMap(([fault, holds]) =>
    spansWhere(count, holds).map((span) => ({ ...span, fault: fault as TakeFault })),
  );
  return [...found, ...frozen, ...ownCuts(video)]
    .map((span) => ({
      ...span,
      startSeconds: Math.max(0, span.startSeconds),
      endSeconds: Math.min(video.durationSeconds, span.endSeconds),
    }))
    .filter((span) => span.endSeconds > span.startSeconds)
    .sort((a, b) => a.startSeconds - b.startSeconds);
}

function isWithin({ startSeconds, endSeconds }: FaultSpan, at: number): boolean {
  return startSeconds <= at && at < endSeconds;
}

function isDark({ lightness, highlight }: PictureFacts, sample: number, brightest: number): boolean {
  const { dark, dimmer } = LIMITS;
  if (lightness[sample] < dark.lightness && highlight[sample] < dark.highlight) return true;
  return lightness[sample] < dimmer * brightest;
}

/** A sample's change compares the windows on both sides of the sample before it. */
function frozenSpans({ timesSeconds, change }: PictureFacts): FaultSpan[] {
  const spans: FaultSpan[] = [];
  for (let i = 2; i < change.length; i++) {
    const value = change[i];
    if (value === null || value >= LIMITS.frozen) continue;
    const [startSeconds, endSeconds] = [timesSeconds[i - 2], timesSeconds[i] + STEP_SECONDS / 2];
    const last = spans.at(-1);
    if (last !== undefined && last.endSeconds >= startSeconds)
      spans[spans.length - 1] = { ...last, endSeconds };
    else spans.push({ fault: 'frozen', startSeconds, endSeconds });
  }
  return spans;
}

function ownCuts({ transitions }: VideoFacts): FaultSpan[] {
  return transitions.map(({ startSeconds, endSeconds }) => ({
    fault: 'own_cut',
    startSeconds: startSeconds - LIMITS.cutSeconds,
    endSeconds: endSeconds + LIMITS.cutSeconds,
  }));
}
