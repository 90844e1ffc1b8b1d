/** What many clips scored together. */

import { MIN_CONFIDENCE } from '../../src/analysis/confident-facts.ts';
import { median } from '../../src/signal/statistics.ts';
import { labelRates } from '../score/camera.ts';
import { captionTotals } from '../score/captions.ts';
import { DIALS, type GradeScore, scoreGrades } from '../score/color.ts';
import { addHits, fMeasure, type Hits } from '../score/transitions.ts';
import type { ClipScore } from './clip-score.ts';

/** A value, its target and the comparison; null: nothing to score. */
export interface Figure {
  readonly name: string;
  readonly must: string;
  readonly value: number | null;
  readonly meets: boolean | null;
  readonly count: number;
}

const TEMPO_TOLERANCE = 0.01;
const OCTAVE_TOLERANCE = 0.04;
const STEADY_TOLERANCE = 0.002;

type Limit = readonly ['≥' | '≤', number];

export function figuresOf(scores: readonly ClipScore[]): Figure[] {
  return [
    ...transitionFigures(scores),
    ...cameraFigures(scores),
    ...captionFigures(scores),
    ...gradeFigures(gradesOf(scores)),
    ...audioFigures(scores),
  ].filter(({ count }) => count > 0);
}

function figure(name: string, limit: Limit | null, value: number | null, count: number): Figure {
  if (limit === null) return { name, must: '', value, meets: null, count };
  const [operator, bound] = limit;
  const meets = value === null ? null : operator === '≥' ? value >= bound : value <= bound;
  return { name, must: `${operator} ${bound}`, value, meets, count };
}

function transitionFigures(scores: readonly ClipScore[]): Figure[] {
  const clips = scores.flatMap(({ transitions }) => transitions ?? []);
  const sum = (of: (clip: (typeof clips)[number]) => Hits) => addHits(clips.map(of));
  const [cuts, gradual] = [sum((clip) => clip.cuts), sum((clip) => clip.gradual)];
  const types = new Set(clips.flatMap((clip) => Object.keys(clip.types)));
  const typeScores = [...types].map(
    (type) => fMeasure(sum((clip) => clip.types[type as keyof typeof clip.types] ?? NOTHING)) ?? 0,
  );
  const errors = clips.flatMap(({ durationErrorsFrames }) => durationErrorsFrames);
  const eased = clips.reduce((all, { easings }) => all + easings.wanted, 0);
  const easedRight = clips.reduce((all, { easings }) => all + easings.right, 0);
  const minutes = clips.reduce((all, clip) => all + clip.minutes, 0);
  const falseOnes = clips.reduce((all, clip) => all + clip.falseCount, 0);
  // Their false cuts and false gradual transitions both count: cuts alone are what traps lie among.
  const quiet = clips.filter((clip) => wantedOf(clip.gradual) === 0);
  const quietMinutes = quiet.reduce((all, clip) => all + clip.minutes, 0);
  const quietFalse = quiet.reduce((all, clip) => all + clip.falseCount, 0);
  return [
    figure('hard cuts, F at ±1 frame', ['≥', 0.95], fMeasure(cuts), wantedOf(cuts)),
    figure('gradual transitions, F', ['≥', 0.85], fMeasure(gradual), wantedOf(gradual)),
    figure('their types, macro F', ['≥', 0.85], mean(typeScores), wantedOf(gradual)),
    figure('their lengths, median error in frames', ['≤', 2], middle(errors), errors.length),
    figure('their easing, share right', null, share(easedRight, eased), eased),
    figure('false transitions a minute, all clips', null, share(falseOnes, minutes), clips.length),
    figure(
      'false transitions a minute, clips without gradual ones',
      ['≤', 0.2],
      share(quietFalse, quietMinutes),
      quiet.length,
    ),
  ];
}

const NOTHING: Hits = { right: 0, wrong: 0, missed: 0 };
const wantedOf = ({ right, missed }: Hits) => right + missed;

function cameraFigures(scores: readonly ClipScore[]): Figure[] {
  const paths = scores.flatMap(({ cameraPath }) => cameraPath ?? []);
  const shifts = paths.flatMap(({ shiftPixels }) => shiftPixels);
  const scales = paths.flatMap(({ logScale }) => logScale);
  const verdicts = scores.flatMap(({ camera }) => camera);
  const { precision, recall } = labelRates(verdicts, MIN_CONFIDENCE.camera);
  const punchIns = addHits(scores.flatMap((one) => one.punchIns ?? []));
  const centres = scores.flatMap((one) => one.subjects?.centreErrors ?? []);
  return [
    figure('camera shift, median error in pixels of 160×90', ['≤', 0.5], middle(shifts), shifts.length),
    figure('camera shift, 95th percentile', null, quantile(shifts, 0.95), shifts.length),
    figure('camera scale, median error in %', ['≤', 0.2], percent(middle(scales)), scales.length),
    figure('camera scale, 95th percentile in %', null, percent(quantile(scales, 0.95)), scales.length),
    figure('camera labels stated, precision', ['≥', 0.92], precision, verdicts.length),
    figure('camera labels stated, recall', ['≥', 0.8], recall, verdicts.length),
    figure('punch-ins, F', null, fMeasure(punchIns), wantedOf(punchIns)),
    figure(
      'subjects, median error of the middle, % of the picture',
      null,
      percent(middle(centres)),
      centres.length,
    ),
  ];
}

function captionFigures(scores: readonly ClipScore[]): Figure[] {
  const clips = scores.flatMap(({ captions }) => captions ?? []);
  const { precision, recall } = captionTotals(clips);
  const wanted = clips.filter((clip) => clip.wanted).length;
  const spans = clips.flatMap((clip) => clip.spans ?? []);
  return [
    figure('captions or none, precision', ['≥', 0.95], precision, clips.length),
    figure('captions or none, recall', ['≥', 0.95], recall, wanted),
    figure('caption time found, share', null, mean(spans.map((one) => one.recall)), spans.length),
    figure(
      'time wrongly called captioned, share of it',
      null,
      mean(spans.map((one) => one.excess)),
      spans.length,
    ),
  ];
}

export function gradesOf(scores: readonly ClipScore[]): GradeScore | null {
  const clips = scores.flatMap(({ made, dials }) => (dials === null ? [] : [{ made, ...dials }]));
  return clips.length === 0 ? null : scoreGrades(clips);
}

function gradeFigures(grades: GradeScore | null): Figure[] {
  if (grades === null) return [];
  const bases = grades.dials.reduce((sum, dial) => sum + dial.bases, 0);
  const signs = grades.dials.reduce((sum, dial) => sum + dial.signs, 0);
  const right = grades.dials.reduce((sum, dial) => sum + dial.signsRight, 0);
  const least = DIALS.map((name) => grades.dials.find(({ dial }) => dial === name)!.rankMean ?? 1);
  return [
    figure('grade dials, rank correlation of the worst dial', ['≥', 0.95], Math.min(...least), bases),
    figure('grade dials, sign right', ['≥', 1], share(right, signs), signs),
  ];
}

function audioFigures(scores: readonly ClipScore[]): Figure[] {
  const tracks = scores.flatMap(({ beats, madeAudio }) => [
    ...(beats === null
      ? []
      : [
          {
            f: beats.beatF,
            right: beats.tempoError <= TEMPO_TOLERANCE,
            octave: beats.octaveError,
            steady: beats.tempoError,
          },
        ]),
    ...(madeAudio?.beats == null
      ? []
      : [
          {
            f: madeAudio.beats.f,
            right: madeAudio.beats.tempoRight,
            octave: madeAudio.beats.octaveError,
            steady: madeAudio.beats.steady ? madeAudio.beats.tempoError : null,
          },
        ]),
  ]);
  const of = (test: (track: (typeof tracks)[number]) => boolean) =>
    share(tracks.filter(test).length, tracks.length);
  const steady = tracks.filter((track) => track.steady !== null && track.steady <= TEMPO_TOLERANCE);
  const heard = scores.flatMap(({ peers }) => peers.aubio ?? []);
  const made = scores.flatMap(({ madeAudio }) => madeAudio ?? []);
  const continuous = made.flatMap(({ beats }) => beats ?? []);
  const none = made.flatMap(({ falseBeatsPerMinute }) => falseBeatsPerMinute ?? []);
  const speech = made.flatMap((one) => one.speech ?? []);
  const genres = made.flatMap(({ genre }) => (genre === null || genre.found === 'unknown' ? [] : [genre]));
  const gain = heard.length === 0 ? null : mean(tracks.map(({ f }) => f))! - mean(heard.map(({ f }) => f))!;
  return [
    figure('beats, F at ±70 ms, mean', ['≥', 0.9], mean(tracks.map(({ f }) => f)), tracks.length),
    figure("beats, F above aubio's", ['≥', 0.15], gain, heard.length),
    figure(
      'beats, continuity at the right level (CMLt)',
      null,
      mean(continuous.map(({ cmlt }) => cmlt)),
      continuous.length,
    ),
    figure(
      'beats, continuity at any level (AMLt)',
      null,
      mean(continuous.map(({ amlt }) => amlt)),
      continuous.length,
    ),
    figure(
      'tempo within 1 %',
      ['≥', 0.85],
      of(({ right }) => right),
      tracks.length,
    ),
    figure(
      'tempo within 4 %, halves and doubles allowed',
      ['≥', 0.95],
      of(({ octave }) => octave <= OCTAVE_TOLERANCE),
      tracks.length,
    ),
    figure(
      'steady tempo found, within 0.2 %',
      ['≥', 1],
      share(steady.filter((track) => track.steady! <= STEADY_TOLERANCE).length, steady.length),
      steady.length,
    ),
    figure('beats a minute where there are none', null, mean(none), none.length),
    figure(
      'speech share, mean error',
      null,
      mean(speech.map(({ shareError }) => Math.abs(shareError))),
      speech.length,
    ),
    figure(
      'genres said, share right',
      null,
      share(genres.filter(({ wanted, found }) => wanted === found).length, genres.length),
      genres.length,
    ),
  ];
}

export interface CostTotals {
  readonly clipsCpuSeconds: number;
  readonly decodingCpuSeconds: number;
  readonly musicCpuSecondsPerMinute: number | null;
}

export function costTotals(scores: readonly ClipScore[]): CostTotals {
  const costs = scores.flatMap(({ cost }) => cost ?? []);
  const sumOf = (audioOnly: boolean, value: (cost: (typeof costs)[number]) => number) =>
    costs.filter((cost) => cost.audioOnly === audioOnly).reduce((sum, cost) => sum + value(cost), 0);
  return {
    clipsCpuSeconds: sumOf(false, ({ analysis }) => analysis.cpuSeconds),
    decodingCpuSeconds: sumOf(false, ({ decoding }) => decoding.cpuSeconds),
    musicCpuSecondsPerMinute: share(
      sumOf(true, ({ analysis }) => analysis.cpuSeconds),
      sumOf(true, ({ seconds }) => seconds) / 60,
    ),
  };
}

/** Hard cuts by both, on the clips that the peer processed. */
export function cutPeers(scores: readonly ClipScore[]) {
  const both = scores.filter(({ peers }) => peers.scdet !== null);
  const cpu = both.reduce((sum, { peers }) => sum + peers.scdet!.cost.cpuSeconds, 0);
  return {
    clips: both.length,
    ours: addHits(both.map(({ transitions }) => transitions!.cuts)),
    theirs: addHits(both.map(({ peers }) => peers.scdet!.cuts)),
    ourCpuSeconds: both.reduce((sum, { cost }) => sum + (cost?.analysis.cpuSeconds ?? 0), 0),
    theirCpuSeconds: cpu,
  };
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function middle(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values);
}

function quantile(values: readonly number[], part: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
const percent = (value: number | null) => (value === null ? null : 100 * value);
