import { mean } from '../../signal/statistics.ts';
import { AUDIBLE, ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear } from './onset-curve.ts';
import { TEMPO_BPM } from './tempo.ts';

/** One interpretation of a tracked grid: its positions as beats at another metrical level or phase. */
export interface MetricalHypothesis {
  /** Frames, ascending. */
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
}

/** Evidence for and against a hypothesis, by name, about -3..3 each. */
export type Evidence = Readonly<Record<string, number>>;

/** Largest distance of the first beat before the sound begins. */
const EDGE_FRAMES = 2;
/** Positions with less than this share of their neighbors' level are silent. */
const SILENT_SHARE = 0.1;
/** Parts of a beat: its quarters and triplets. */
export const PARTS_BETWEEN = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4] as const;
/**
 * Tempi of metronomes, with tolerance for the accuracy of a grid. Isolated clicks have no half or double
 * time.
 */
const CLICK_BPM = { slowest: 39, fastest: 245 } as const;
/**
 * Least level of the weakest beat of a metronome's cycle over the strongest: accents of 2 to 4 times the
 * amplitude leave .4 to .8.
 */
const MIN_CLICK_SHARE = 0.25;
/** Beats per bar of a metronome. */
const CLICK_CYCLES = [1, 2, 3, 4, 5, 6, 7] as const;
const ACCENT_CYCLES = [2, 3, 4] as const;
/**
 * Rendered metronomes of 40 to 240 BPM vary by up to .15, eighths of music without onsets between them by .16
 * to .6.
 */
const MAX_CLICK_SCATTER = 0.155;
/** Of clicks that may be halves of beats: up to .23 with accents of twice the amplitude. */
const MAX_HALVED_SCATTER = 0.24;
/** Beats whose neighbors differ by less, in every band, are equal. */
const EVEN_SHARE = 0.95;
/**
 * Faster alternating strong and weak beats may be one beat and its half, like the two sounds of a heart: .28
 * to .36 s apart.
 */
const SLOWEST_PAIR_FRAMES = 0.43 * FPS;
/** Cycles of beats in which one position may be silent: halves, and thirds as in a heartbeat. */
const GAP_CYCLES = [2, 3] as const;
/**
 * Halves may be silent only if a hypothesis repeats exactly: rendered heartbeats vary by up to .05; above .1
 * is also music with rests.
 */
const MAX_EXACT_SCATTER = 0.06;

/**
 * Steps between beats and their starts, in positions of the grid: the grid itself, half-way positions, double and
 * half tempo. Shifts by a quarter or third of a beat occur where a tracker follows decaying sixteenths or triplets.
 */
const STEPS_AND_STARTS = [
  [1, 0],
  [1, 1 / 2],
  [1 / 2, 0],
  [2, 0],
  [2, 1],
  [2, 1 / 2],
  [2, 3 / 2],
  [1, 1 / 4],
  [1, 3 / 4],
  [1, 1 / 3],
  [1, 2 / 3],
  [1 / 2, 1 / 4],
] as const;

/** Every third position as a beat: only for grids of which every third position is silent. */
const TRIPLE_STEPS = [
  [3, 0],
  [3, 1],
  [3, 2],
] as const;

/**
 * The hypotheses of a beat grid within 50..215 BPM, or the grid itself if there is none. Excludes beats on
 * silence, and grids of which every second or third position is silent if a slower one has none. Isolated
 * clicks are beats themselves, at 40..240 BPM.
 */
export function hypothesesOf(grid: MetricalHypothesis, curve: OnsetCurve): readonly MetricalHypothesis[] {
  const steps = hasGap(grid, curve.full, 3) ? [...STEPS_AND_STARTS, ...TRIPLE_STEPS] : STEPS_AND_STARTS;
  const all = steps
    .map(([step, start]) => ({ beats: placesOf(grid, step, start), interval: grid.interval * step }))
    .filter((hypothesis) => hypothesis.beats.length > 1 && isWithin(hypothesis, CLICK_BPM));
  const clicks = all.filter((hypothesis) => isMetronome(hypothesis, curve));
  if (clicks.length > 0) return clicks;
  const sounding = withoutSilentBeats(
    all.filter((hypothesis) => isWithin(hypothesis, TEMPO_BPM)),
    curve.full,
  );
  const exact = sounding.some((hypothesis) => cycleScatter(hypothesis.beats, curve.full) < MAX_EXACT_SCATTER);
  const gapless = sounding.filter((hypothesis) =>
    GAP_CYCLES.every((length) => (length === 2 && !exact) || !hasGap(hypothesis, curve.full, length)),
  );
  if (gapless.length > 0) return gapless;
  return sounding.length === 0 ? [grid] : sounding;
}

export function isWithin(
  { interval }: MetricalHypothesis,
  { slowest, fastest }: { readonly slowest: number; readonly fastest: number },
) {
  const bpm = (60 * FPS) / interval;
  return bpm >= slowest && bpm <= fastest;
}

/** Without those whose beats are silent relative to the loudest hypothesis. */
export function withoutSilentBeats<Kind extends MetricalHypothesis>(
  hypotheses: readonly Kind[],
  full: Float32Array,
): readonly Kind[] {
  const levels = hypotheses.map(({ beats }) => mean(beats.map((beat) => peakNear(full, beat))));
  const least = SILENT_SHARE * Math.max(0, ...levels);
  return hypotheses.filter((_, i) => levels[i] >= least);
}

/**
 * Whether these are metronome clicks: beats without onsets between them that are all equal, or repeat exactly
 * from bar to bar with accents.
 */
function isMetronome(hypothesis: MetricalHypothesis, curve: OnsetCurve): boolean {
  const { beats, interval } = hypothesis;
  const bands = [curve.low, curve.mid, curve.high];
  if (!areIsolated(hypothesis, curve.full) || !eachSounds(beats, curve.full)) return false;
  return (
    (isWithin(hypothesis, TEMPO_BPM) && bands.every((band) => alternationOf(beats, band) > EVEN_SHARE)) ||
    ((interval > SLOWEST_PAIR_FRAMES || !isAlternating(beats, curve.full)) &&
      cycleScatter(beats, curve.full) < MAX_CLICK_SCATTER &&
      bands.every((band) => eachSounds(beats, band)))
  );
}

/**
 * Whether a sound has only clicks on these beats, or on them and half-way. Such a sound does not show which clicks
 * are beats. Accents may differ in all bands but the bass, which drums have on some beats only.
 */
export function isOnlyClicks(hypothesis: MetricalHypothesis, curve: OnsetCurve): boolean {
  const { full, low } = curve;
  const halves = { beats: placesOf(hypothesis, 1 / 2, 0), interval: hypothesis.interval / 2 };
  return (
    isMetronome(hypothesis, curve) ||
    (areIsolated(halves, full) &&
      cycleScatter(halves.beats, full) < MAX_HALVED_SCATTER &&
      [full, low].every((band) => eachSounds(halves.beats, band)))
  );
}

/** Whether nothing sounds between the beats. */
function areIsolated({ beats, interval }: MetricalHypothesis, full: Float32Array): boolean {
  const levelAside = (part: number) => mean(beats.map((beat) => peakNear(full, beat + part * interval)));
  const most = SILENT_SHARE * levelAside(0);
  return PARTS_BETWEEN.every((part) => levelAside(part) < most);
}

function eachSounds(beats: readonly number[], band: Float32Array): boolean {
  return ACCENT_CYCLES.every((length) => evennessOf(beats, band, length) > MIN_CLICK_SHARE);
}

/** Whether strong and weak beats alternate, and nothing else differs. */
function isAlternating(beats: readonly number[], full: Float32Array): boolean {
  const everyOther = [0, 1].map((parity) => beats.filter((_, i) => i % 2 === parity));
  return (
    alternationOf(beats, full) <= EVEN_SHARE &&
    everyOther.every((part) => alternationOf(part, full) > EVEN_SHARE)
  );
}

/**
 * Deviation of the levels from the means of each position of a cycle, over the mean of all; 0 if they repeat
 * exactly after some cycle.
 */
function cycleScatter(beats: readonly number[], full: Float32Array): number {
  const levels = beats.map((beat) => peakNear(full, beat));
  const scatters = CLICK_CYCLES.map((length) => {
    const places = placeMeans(levels, length);
    return Math.sqrt(mean(levels.map((level, i) => (level - places[i % length]) ** 2)));
  });
  return Math.min(...scatters) / mean(levels);
}

function placeMeans(levels: readonly number[], length: number): number[] {
  return Array.from({ length }, (_, place) => mean(levels.filter((_, i) => i % length === place)));
}

/** Whether a position of each cycle of beats is silent. */
function hasGap({ beats }: MetricalHypothesis, full: Float32Array, length: number): boolean {
  return beats.length >= 2 * length && evennessOf(beats, full, length) < SILENT_SHARE;
}

/** Level of the weakest position of a cycle over the strongest; 1 if all are silent. */
function evennessOf(beats: readonly number[], band: Float32Array, length: number): number {
  const levels = beats.map((beat) => peakNear(band, beat));
  const places = placeMeans(levels, length);
  const most = Math.max(...places);
  return most < AUDIBLE ? 1 : Math.min(...places) / most;
}

/** Level of the weaker of every other beat over the stronger; 1 if both are silent. */
export function alternationOf(beats: readonly number[], band: Float32Array): number {
  return evennessOf(beats, band, 2);
}

/**
 * Every `step`-th position of a grid from `start` on, fractions too. Positions before the grid's first count
 * only at the very beginning.
 */
export function placesOf({ beats, interval }: MetricalHypothesis, step: number, start: number): number[] {
  const places: number[] = [];
  const earlier = beats[0] + (start - step) * interval;
  if (earlier >= -EDGE_FRAMES) places.push(Math.max(0, earlier));
  for (let place = start; place < beats.length; place += step) {
    const whole = Math.floor(place);
    const next = beats[whole + 1] ?? beats[whole] + interval;
    places.push(beats[whole] + (place - whole) * (next - beats[whole]));
  }
  return places;
}
