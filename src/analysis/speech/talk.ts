/**
 * Stretches of voice and the pauses between them, by the recording's own floor: decision 0268. Limits without a range beside them were set on
 * 17 recordings of 16 voices in four languages.
 */
import { powerDb, powerOfDb } from '../../signal/decibels.ts';
import { clamp } from '../../signal/interpolation.ts';
import { rounded } from '../../signal/rounding.ts';
import { median, quantile, slidingMean } from '../../signal/statistics.ts';
import type { Span } from '../facts.ts';
import type { TalkFacts, VoiceCurve } from '../talk-facts.ts';
import { ENVELOPE_FRAMES_PER_SECOND as FPS } from './phrases.ts';
import { BANDS, type BandLevels, STEP_DB } from './voice-bands.ts';
import { riseAboveFloor } from './voice-floor.ts';

/** Voice begins where the rise exceeds this share of the separation, and continues while it exceeds the lower share. */
const ONSET_SHARE = 0.38;
const DECAY_SHARE = 0.2;
/** A shorter gap, in frames, is the closure of a plosive. */
const MIN_GAP_FRAMES = 7;
/** A shorter isolated rise, in frames, is a click. */
const MIN_RUN_FRAMES = 5;
/** Below this separation, dB, quiet ends of words begin to vanish in the floor. */
const CLEAR_DB = 27;
/** From this separation down, dB, runs are widened by the whole margins. */
const UNCLEAR_DB = 12;
const MARGIN_SECONDS = { before: 0.05, after: 0.1 } as const;
/**
 * Search for quiet consonants. `after`, `before`: frames beyond a run; `smoothing`: radius, frames; `beside`: frames that belong to the next run;
 * `share` of the pauses' frames that are quieter than a consonant; `minFrames` of pauses.
 */
const QUIET_END = { after: 25, before: 15, smoothing: 2, beside: 8, share: 0.99, minFrames: 100 } as const;
/** Fewer frames have no distribution to compare. */
const MIN_FRAMES = 2 * FPS;
/** Frames at the borders of a pause that belong to decays. */
const DECAY_FRAMES = 5;
/** Least frames of all pauses without their borders, to judge by. */
const MIN_PAUSE_FRAMES = 50;
/** The drawn curve has at most as many steps as a page has columns. */
const CURVE = { minStepFrames: 5, maxSteps: 1200 } as const;
/** Radius, in frames. */
const SMOOTHING = 1;

/** Null: too short, or without sound. */
export function findTalk(levels: BandLevels): TalkFacts | null {
  if (levels.frames < MIN_FRAMES) return null;
  const { voice, hiss } = riseAboveFloor(levels);
  const rise = slidingMean(voice, SMOOTHING);
  const classes = quietAndLoud(rise);
  if (classes === null) return null;
  const { quietDb, separationDb } = classes;
  const onsetDb = quietDb + ONSET_SHARE * separationDb;
  const decayDb = quietDb + DECAY_SHARE * separationDb;
  const voiced = joinedRuns(voicedRuns(rise, onsetDb, decayDb));
  const extended = withQuietEnds(voiced, [voice, hiss]);
  /** 0..1: share of the margins by which runs are widened. */
  const unclear = clamp((CLEAR_DB - separationDb) / (CLEAR_DB - UNCLEAR_DB), 0, 1);
  const runs = widened(joinedRuns(extended ?? voiced), unclear, levels.frames);
  const pauseDb = pauseLevel(levels, voiced);
  // Without quiet ends, cuts keep the rest of the margins.
  const cutMargin = {
    beforeSeconds: (1 - unclear) * MARGIN_SECONDS.before,
    afterSeconds: (1 - unclear) * MARGIN_SECONDS.after,
  };
  return {
    separationDb,
    certainty: certaintyOf(rise, voiced),
    marginSeconds: unclear * (MARGIN_SECONDS.before + MARGIN_SECONDS.after),
    runs: runs.map(spanOf),
    curve: curveOf(rise),
    ...(pauseDb !== null && { pauseDb }),
    ...(extended === null && { cutMargin }),
  };
}

function curveOf(rise: Float32Array): VoiceCurve {
  const step = Math.max(CURVE.minStepFrames, Math.ceil(rise.length / CURVE.maxSteps));
  const most = rise.reduce((largest, one) => Math.max(largest, one), 1);
  const percents = Array.from({ length: Math.ceil(rise.length / step) }, (_, at) => {
    const part = rise.subarray(at * step, (at + 1) * step);
    return Math.round((100 * part.reduce((largest, one) => Math.max(largest, one), 0)) / most);
  });
  return { stepSeconds: step / FPS, percents };
}

/** Frames of voice, `to` exclusive. */
interface Run {
  readonly from: number;
  readonly to: number;
}

function spanOf({ from, to }: Run): Span {
  return { startSeconds: from / FPS, endSeconds: to / FPS };
}

/** Median of the quiet frames, and its distance to that of the loud ones. They are split where their variance is least (N. Otsu, IEEE Trans. SMC 9, 1979). */
function quietAndLoud(
  rise: Float32Array,
): { readonly quietDb: number; readonly separationDb: number } | null {
  const sorted = Float64Array.from(rise).sort();
  const border = otsu(sorted);
  const first = sorted.findIndex((value) => value > border);
  if (first <= 0) return null;
  const [quiet, loud] = [sorted.subarray(0, first), sorted.subarray(first)];
  const quietDb = median(quiet);
  const separationDb = median(loud) - quietDb;
  return { quietDb, separationDb };
}

/** Values of pauses without their borders. */
function inPauses(values: Float32Array, runs: readonly Run[]): number[] {
  return runs
    .slice(1)
    .flatMap(({ from }, at) => Array.from(values.subarray(runs[at].to + DECAY_FRAMES, from - DECAY_FRAMES)));
}

/** Median level of the pauses, all bands together, dB; null: they are too short. */
function pauseLevel(levels: BandLevels, runs: readonly Run[]): number | null {
  const db = Float32Array.from({ length: levels.frames }, (_, frame) => {
    let power = 0;
    for (let band = 0; band < BANDS; band++) power += powerOfDb(levels.at(frame, band));
    return powerDb(power);
  });
  const pauses = inPauses(db, runs);
  return pauses.length < MIN_PAUSE_FRAMES ? null : rounded(median(pauses), 1);
}

/** Median rise of voice above that of pauses, over the spread of the pauses. */
function certaintyOf(rise: Float32Array, runs: readonly Run[]): number {
  const pauses = inPauses(rise, runs);
  if (pauses.length < MIN_PAUSE_FRAMES) return 0;
  const voiced = runs.flatMap(({ from, to }) => Array.from(rise.subarray(from, to)));
  // A step of the levels keeps digital silence from an infinite certainty.
  const spread = Math.max(STEP_DB, quantile(pauses, 0.9) - quantile(pauses, 0.1));
  return (median(voiced) - median(pauses)) / spread;
}

/** Largest value of the quiet class. `sorted`: ascending. */
function otsu(sorted: Float64Array): number {
  let total = 0;
  for (const value of sorted) total += value;
  let below = 0;
  let largest = -1;
  let border = sorted[0];
  for (let at = 0; at + 1 < sorted.length; at++) {
    below += sorted[at];
    const count = at + 1;
    const distance = below / count - (total - below) / (sorted.length - count);
    const variance = count * (sorted.length - count) * distance * distance;
    if (variance <= largest) continue;
    largest = variance;
    border = sorted[at];
  }
  return border;
}

/** Runs above `decay` that reach `onset`. */
function voicedRuns(rise: Float32Array, onset: number, decay: number): Run[] {
  const runs: Run[] = [];
  let from = -1;
  let isVoice = false;
  for (let t = 0; t <= rise.length; t++) {
    if (t < rise.length && rise[t] > decay) {
      if (from < 0) from = t;
      isVoice ||= rise[t] > onset;
      continue;
    }
    if (isVoice) runs.push({ from, to: t });
    from = -1;
    isVoice = false;
  }
  return runs;
}

/** Runs with the gaps of plosives closed, without clicks. */
function joinedRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && run.from - last.to < MIN_GAP_FRAMES)
      joined[joined.length - 1] = { from: last.from, to: run.to };
    else joined.push(run);
  }
  return joined.filter(({ from, to }) => to - from >= MIN_RUN_FRAMES);
}

/** Runs with the consonants at their ends, which rise just above the pauses; null: the pauses are too short to judge them. */
function withQuietEnds(runs: readonly Run[], curves: readonly Float32Array[]): Run[] | null {
  const extended = runs.map(({ from, to }) => ({ from, to }));
  for (const curve of curves) {
    const smooth = slidingMean(curve, QUIET_END.smoothing);
    const pauses = runs.flatMap(({ to }, at) =>
      Array.from(smooth.subarray(to + QUIET_END.after, (runs[at + 1]?.from ?? to) - QUIET_END.before)),
    );
    if (pauses.length < QUIET_END.minFrames) return null;
    const limit = quantile(pauses, QUIET_END.share);
    for (const [at, run] of extended.entries()) {
      // Frames beside a neighbor belong to it.
      const end = (runs[at + 1]?.from ?? smooth.length) - QUIET_END.beside;
      const start = (runs[at - 1]?.to ?? 0) + QUIET_END.beside;
      for (let t = run.to; t < Math.min(end, runs[at].to + QUIET_END.after); t++)
        if (smooth[t] > limit) run.to = t + 1;
      for (let t = run.from - 1; t >= Math.max(start, runs[at].from - QUIET_END.before); t--)
        if (smooth[t] > limit) run.from = t;
    }
  }
  return extended;
}

/** Runs with a share of the margins, within a recording of `frames`. */
function widened(runs: readonly Run[], share: number, frames: number): Run[] {
  const wider = runs.map(({ from, to }) => ({
    from: Math.max(0, from - share * MARGIN_SECONDS.before * FPS),
    to: Math.min(frames, to + share * MARGIN_SECONDS.after * FPS),
  }));
  return joinedRuns(wider);
}
