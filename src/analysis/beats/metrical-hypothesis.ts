import { mean } from '../../signal/statistics.ts';
import { AUDIBLE, ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear } from './onset-curve.ts';
import { TEMPO_BPM } from './tempo.ts';

/** One way to hear a tracked grid: its places taken as beats at another level or phase. */
export interface MetricalHypothesis {
  /** Frames, ascending. */
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
}

/** What speaks for and against a hypothesis, by name, about -3..3 each. */
export type Evidence = Readonly<Record<string, number>>;

/** A beat that would lie so little before the sound begins is its first. */
const EDGE_FRAMES = 2;
/** What has less than this share of the sound of its neighbours is silent beside them. */
const SILENT_SHARE = 0.1;
/** Of a beat: its quarters and triplets. */
export const PARTS_BETWEEN = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4] as const;
/** Tempi of metronomes, and a little for how exactly a grid is found: isolated clicks have no half or double time to be confused with. */
const CLICK_BPM = { slowest: 39, fastest: 245 } as const;
/** Level of the weakest beat of a metronome's cycle over that of the strongest: accents of 2 to 4 times the amplitude leave .4 to .8. */
const MIN_CLICK_SHARE = 0.25;
/** Beats to a bar of a metronome. */
const CLICK_CYCLES = [1, 2, 3, 4, 5, 6, 7] as const;
const ACCENT_CYCLES = [2, 3, 4] as const;
/** Drawn metronomes of 40 to 240 BPM scatter by up to .15, eighths of music with nothing between them by .16 to .6. */
const MAX_CLICK_SCATTER = 0.155;
/** Beats whose neighbours differ by less, in every band, are all alike. */
const EVEN_SHARE = 0.95;
/** Faster strong and weak beats in turn may be one beat and its half, as the two sounds of a heart: .28 to .36 s apart. */
const SLOWEST_PAIR_FRAMES = 0.43 * FPS;
/** Cycles of beats in which one place may be silent: halves, and thirds as of a heartbeat. */
const GAP_CYCLES = [2, 3] as const;
/** Halves may be so only where a hypothesis repeats exactly: drawn heartbeats scatter by up to .05, at .1 music with rests counts too. */
const MAX_EXACT_SCATTER = 0.06;

/**
 * Beats every so many places of the grid, from which place on: the grid itself, its half-way places, twice and half as
 * many; and a quarter or third of a beat aside, where a tracker hangs on to sixteenths or triplets that ring out.
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

/** One beat to three places of the grid: only for a grid of which every third place is silent. */
const TRIPLE_STEPS = [
  [3, 0],
  [3, 1],
  [3, 2],
] as const;

/**
 * The hypotheses of a grid of beats within 50..215 BPM, the grid itself when there is none. Beats on silence are left out, and grids
 * of which every second or third place is silent where a slower one has none. Isolated clicks are beats themselves, at 40..240 BPM.
 */
export function hypothesesOf(grid: MetricalHypothesis, curve: OnsetCurve): readonly MetricalHypothesis[] {
  const steps = hasGap(grid, curve.full, 3) ? [...STEPS_AND_STARTS, ...TRIPLE_STEPS] : STEPS_AND_STARTS;
  const all = steps
    .map(([step, start]) => ({ beats: placesOf(grid, step, start), interval: grid.interval * step }))
    .filter((hypothesis) => hypothesis.beats.length > 1 && isWithin(hypothesis, CLICK_BPM));
  const clicks = all.filter((hypothesis) => areClicks(hypothesis, curve));
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

function isWithin(
  { interval }: MetricalHypothesis,
  { slowest, fastest }: typeof CLICK_BPM | typeof TEMPO_BPM,
) {
  const bpm = (60 * FPS) / interval;
  return bpm >= slowest && bpm <= fastest;
}

/** Without those whose beats are silent beside the loudest hypothesis. */
function withoutSilentBeats(
  hypotheses: readonly MetricalHypothesis[],
  full: Float32Array,
): readonly MetricalHypothesis[] {
  const levels = hypotheses.map(({ beats }) => mean(beats.map((beat) => peakNear(full, beat))));
  const least = SILENT_SHARE * Math.max(0, ...levels);
  return hypotheses.filter((_, i) => levels[i] >= least);
}

/** Beats with nothing between them that are all alike, or repeat exactly from bar to bar as a metronome with accents does. */
function areClicks({ beats, interval }: MetricalHypothesis, curve: OnsetCurve): boolean {
  const levelAside = (part: number) =>
    mean(beats.map((beat) => peakNear(curve.full, beat + part * interval)));
  const most = SILENT_SHARE * levelAside(0);
  if (PARTS_BETWEEN.some((part) => levelAside(part) >= most)) return false;
  const bands = [curve.low, curve.mid, curve.high];
  const eachSounds = (band: Float32Array) =>
    ACCENT_CYCLES.every((length) => evennessOf(beats, band, length) > MIN_CLICK_SHARE);
  if (!eachSounds(curve.full)) return false;
  return (
    (isWithin({ beats, interval }, TEMPO_BPM) &&
      bands.every((band) => alternationOf(beats, band) > EVEN_SHARE)) ||
    (cycleScatter(beats, curve.full) < MAX_CLICK_SCATTER &&
      (interval > SLOWEST_PAIR_FRAMES || !comeInPairs(beats, curve.full)) &&
      bands.every(eachSounds))
  );
}

/** Whether strong and weak beats take turns, and nothing else differs. */
function comeInPairs(beats: readonly number[], full: Float32Array): boolean {
  const everyOther = [0, 1].map((parity) => beats.filter((_, i) => i % 2 === parity));
  return (
    alternationOf(beats, full) <= EVEN_SHARE &&
    everyOther.every((part) => alternationOf(part, full) > EVEN_SHARE)
  );
}

/** 0 when the levels repeat exactly after some cycle of beats: scatter about the mean of each place, over the mean of all. */
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

/** Whether a place of each cycle of beats is silent. */
function hasGap({ beats }: MetricalHypothesis, full: Float32Array, length: number): boolean {
  return beats.length >= 2 * length && evennessOf(beats, full, length) < SILENT_SHARE;
}

/** Level of the weakest place of a cycle over that of the strongest; 1 where none sounds. */
function evennessOf(beats: readonly number[], band: Float32Array, length: number): number {
  const levels = beats.map((beat) => peakNear(band, beat));
  const places = placeMeans(levels, length);
  const most = Math.max(...places);
  return most < AUDIBLE ? 1 : Math.min(...places) / most;
}

/** Level of the weaker of every other beat over that of the stronger; 1 where neither sounds. */
export function alternationOf(beats: readonly number[], band: Float32Array): number {
  return evennessOf(beats, band, 2);
}

/** Places before the grid's first are kept when they fall on the very beginning. */
function placesOf({ beats, interval }: MetricalHypothesis, step: number, start: number): number[] {
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
