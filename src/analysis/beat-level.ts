import { mean } from '../signal/statistics.ts';
import type { HarmonicChange } from './chroma.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear } from './onset-curve.ts';
import type { TempoVote } from './tempo.ts';

/** A reading of the metre: every place, every other or twice as many of a tracked grid, on it or half-way between. */
export interface MetricalReading {
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
  /** 0..1 among the readings of the grid. */
  readonly share: number;
}

const SLOWEST_BPM = 50;
const FASTEST_BPM = 215;
const BAR_BEATS = 4;
/** Two beats in quarters. */
const PLACES = 8;
const CENTRE_BPM = 115;
/** Onsets below this, in the unit of the curve, are none. */
const LEAST_LEVEL = 0.5;
const LEAST_BEATS = 4;
/** Every other beat with less than this share of the bass and of the middle of its neighbours is an eighth. */
const EMPTY_SHARE = 0.2;
const EIGHTHS_FROM_BPM = 100;
/** Beats whose neighbours differ by less, in every band, give no reason to leave every other one out. */
const EVEN_SHARE = 0.95;

/**
 * What speaks for a reading, per unit of its logarithmic odds: the level of bass, middle and treble onsets at the
 * eight places of two beats against their mean (the beat with more bass first), the strongest place of a bar against
 * the strongest half-way place (bass, middle, treble, all), how much more the harmony changes on the beats (strongest
 * place, mean), octaves from 115 BPM and their square, and the vote of the second estimator. Fitted once by
 * conditional logit on the tuning seeds of the generator `bench/generate/sounds.ts`; a hand-set rule was right for
 * 60 % of those files, this for 92 %, and for 81 % of the files of a kind that was left out of the fit.
 */
const WEIGHTS = {
  low: [0.63, 0.04, -0.25, -0.19, 0.26, -0.84, -0.36, 0.1],
  mid: [0.28, -0.67, 0.36, 0.62, 0.48, 0.51, 0.52, 0.6],
  high: [0.09, 0.47, 1.29, 0.26, 1.22, -0.47, -0.15, 0.35],
  strongest: { low: -0.1, mid: -0.36, high: 0.37, full: 0.14 },
  harmony: { strongest: 10.6, mean: -9.5 },
  octaves: 0.25,
  octavesSquared: -2.2,
  vote: 8.09,
};

/** The likeliest reading of a grid of beats (frames, ascending) and its interval. */
export function chooseReading(
  grid: { readonly beats: readonly number[]; readonly interval: number },
  curve: OnsetCurve,
  harmony: HarmonicChange,
  votes: readonly TempoVote[],
): MetricalReading {
  const readings = plausible(readingsOf(grid.beats, grid.interval), curve);
  const scores = readings.map(({ beats, interval }) => scoreOf(beats, interval, curve, harmony, votes));
  const best = scores.indexOf(Math.max(...scores));
  const total = scores.reduce((sum, score) => sum + Math.exp(score - scores[best]), 0);
  return { ...readings[best], share: 1 / total };
}

function readingsOf(grid: readonly number[], interval: number): Omit<MetricalReading, 'share'>[] {
  const halves = grid.map((frame, i) => (frame + (grid[i + 1] ?? frame + interval)) / 2);
  const everyOther = (frames: readonly number[], parity: number) => frames.filter((_, i) => i % 2 === parity);
  const others = [
    { beats: grid.flatMap((frame, i) => [frame, halves[i]]), interval: interval / 2 },
    ...[grid, halves].flatMap((frames) =>
      [0, 1].map((parity) => ({ beats: everyOther(frames, parity), interval: interval * 2 })),
    ),
  ].filter(({ beats, interval: step }) => {
    const bpm = (60 * FPS) / step;
    return bpm >= SLOWEST_BPM && bpm <= FASTEST_BPM && beats.length >= LEAST_BEATS;
  });
  return [{ beats: grid, interval }, { beats: halves, interval }, ...others];
}

/** Without the readings that the weights were not fitted to judge: where next to nothing sounds between clear beats. */
function plausible<Reading extends Omit<MetricalReading, 'share'>>(
  readings: readonly Reading[],
  curve: OnsetCurve,
): readonly Reading[] {
  const bands = [curve.low, curve.mid, curve.high];
  const [low, mid, high] = bands.map((band) => alternationOf(readings[0].beats, band));
  const even = Math.min(low, mid, high) > EVEN_SHARE;
  const kept = readings.filter(({ beats, interval }) => {
    if (even && interval > readings[0].interval) return false;
    const bpm = (60 * FPS) / interval;
    return (
      bpm < EIGHTHS_FROM_BPM || bands.slice(0, 2).some((band) => alternationOf(beats, band) > EMPTY_SHARE)
    );
  });
  return kept.length === 0 ? readings : kept;
}

/** Level of the weaker of every other beat over that of the stronger; 1 where neither sounds. */
function alternationOf(beats: readonly number[], band: Float32Array): number {
  const levels = beats.map((beat) => peakNear(band, beat));
  const [a, b] = [0, 1].map((parity) => mean(levels.filter((_, i) => i % 2 === parity)));
  return Math.max(a, b) < LEAST_LEVEL ? 1 : Math.min(a, b) / Math.max(a, b);
}

function scoreOf(
  beats: readonly number[],
  interval: number,
  curve: OnsetCurve,
  harmony: HarmonicChange,
  votes: readonly TempoVote[],
): number {
  const names = ['low', 'mid', 'high'] as const;
  const profiles = bassFirst(names.map((name) => profileOf(beats, interval, curve[name])));
  let score = 0;
  names.forEach((name, band) => {
    const usual = mean(profiles[band]);
    profiles[band].forEach((level, place) => {
      score += WEIGHTS[name][place] * logRatio(level, usual, usual);
    });
  });
  for (const name of [...names, 'full'] as const) {
    const on = strongestPlace(beats.map((beat) => peakNear(curve[name], beat)));
    const off = strongestPlace(
      beats.map((beat, i) => peakNear(curve[name], beat + stepAt(beats, i, interval) / 2)),
    );
    score += WEIGHTS.strongest[name] * logRatio(on, off, (on + off) / 2);
  }
  const reach = (interval / FPS) * 0.5;
  const changes = beats.map((beat) => harmony.at(beat / FPS, reach));
  const between = beats.map((beat) => harmony.at((beat + interval / 2) / FPS, reach));
  score += WEIGHTS.harmony.strongest * (strongestPlace(changes) - strongestPlace(between));
  score += WEIGHTS.harmony.mean * (mean(changes) - mean(between));
  const octaves = Math.log2((60 * FPS) / interval / CENTRE_BPM);
  const vote = votes.find((one) => Math.abs(one.interval / interval - 1) < 0.02)?.weight ?? 0;
  return score + WEIGHTS.octaves * octaves + WEIGHTS.octavesSquared * octaves ** 2 + WEIGHTS.vote * vote;
}

function stepAt(beats: readonly number[], index: number, interval: number): number {
  return (beats[index + 1] ?? beats[index] + interval) - beats[index];
}

/** Mean level of a band at the quarters of two beats. */
function profileOf(beats: readonly number[], interval: number, band: Float32Array): number[] {
  const sums = new Array<number>(PLACES).fill(0);
  beats.forEach((beat, i) => {
    const step = stepAt(beats, i, interval);
    for (let quarter = 0; quarter < 4; quarter++) {
      sums[(i % 2) * 4 + quarter] += peakNear(band, beat + (step * quarter) / 4);
    }
  });
  const firsts = Math.ceil(beats.length / 2);
  return sums.map((sum, place) => sum / Math.max(1, place < 4 ? firsts : beats.length - firsts));
}

/** Of the two beats the one with more bass, or less of a snare, leads. */
function bassFirst(profiles: readonly number[][]): readonly number[][] {
  const [low, mid] = profiles;
  const lead = (place: number) => low[place] / (mean(low) + 1e-3) - mid[place] / (mean(mid) + 1e-3);
  return lead(4) > lead(0) ? profiles.map((levels) => [...levels.slice(4), ...levels.slice(0, 4)]) : profiles;
}

function strongestPlace(values: readonly number[]): number {
  return Math.max(
    ...Array.from({ length: BAR_BEATS }, (_, place) =>
      mean(values.filter((_, i) => i % BAR_BEATS === place)),
    ),
  );
}

/** Softened by a tenth of the usual level, so that one empty place does not outvote the others. */
function logRatio(a: number, b: number, usual: number): number {
  const floor = 0.1 * usual + 1e-3;
  return Math.log((a + floor) / (b + floor));
}
