import type { TransitionType } from '../src/analysis/facts.ts';
import type { Cost } from './cost.ts';
import { median, table } from './report.ts';
import type { CameraVerdict } from './score-camera.ts';
import type { BeatScore } from './score-sound.ts';
import { addHits, fMeasure, type Hits, type TransitionScore } from './score-transitions.ts';

const TEMPO_TOLERANCE = 0.01;
const OCTAVE_TOLERANCE = 0.04;

/** What one clip scored; null: not asked of it. */
export interface ClipScore {
  readonly name: string;
  readonly transitions: TransitionScore | null;
  readonly beats: BeatScore | null;
  readonly captions: { readonly wanted: boolean; readonly share: number; readonly found: boolean } | null;
  readonly camera: readonly CameraVerdict[];
  readonly cost: {
    readonly seconds: number;
    readonly soundOnly: boolean;
    readonly analysis: Cost;
    readonly decoding: Cost;
  } | null;
}

/** One table per clip, one of the totals; `totals` holds the same figures for machines. */
export function accuracyTables(scores: readonly ClipScore[]) {
  const totals = { ...pictureTotals(scores), ...soundTotals(scores), ...costTotals(scores) };
  const rows = Object.entries(totals).map(([name, value]) => [name, value === null ? '–' : String(value)]);
  return { text: `${clipTable(scores)}\n\n${table(['totals', ''], rows)}`, totals };
}

function clipTable(scores: readonly ClipScore[]): string {
  const head = [
    'clip',
    'cuts',
    'gradual',
    'types',
    'Δ frames',
    'beats F',
    'BPM',
    'captions',
    'camera',
    '× decoding',
  ];
  const rows = scores.map(({ name, transitions, beats, captions, camera, cost }) => [
    name,
    transitions === null ? '' : hitsInWords(transitions.cuts),
    transitions === null ? '' : hitsInWords(transitions.gradual),
    transitions === null ? '' : typesInWords(transitions.types),
    transitions === null ? '' : transitions.durationErrorsFrames.map((error) => error.toFixed(0)).join(' '),
    beats === null ? '' : beats.beatF.toFixed(2),
    beats === null ? '' : (beats.bpm?.toFixed(1) ?? 'none'),
    captions === null
      ? ''
      : `${captions.found === captions.wanted ? 'right' : 'WRONG'} ${captions.share.toFixed(2)}`,
    cameraInWords(camera),
    cost === null ? '' : (cost.analysis.cpuSeconds / cost.decoding.cpuSeconds).toFixed(1),
  ]);
  return table(head, rows);
}

/** `right/wanted`, and what was found besides. */
function hitsInWords({ right, wrong, missed }: Hits): string {
  const found = right + missed === 0 ? '' : `${right}/${right + missed}`;
  return `${found}${wrong === 0 ? '' : ` +${wrong}`}`.trim();
}

function typesInWords(types: Readonly<Partial<Record<TransitionType, Hits>>>): string {
  const wrong = Object.entries(types).flatMap(([type, hits]) => [
    ...(hits.wrong > 0 ? [`+${type}`] : []),
    ...(hits.missed > 0 ? [`−${type}`] : []),
  ]);
  return wrong.join(' ');
}

/** Right of all, and the labels given where another was right. */
function cameraInWords(verdicts: readonly CameraVerdict[]): string {
  if (verdicts.length === 0) return '';
  const wrong = verdicts.filter(({ right }) => !right).map(({ found }) => found);
  return [`${verdicts.length - wrong.length}/${verdicts.length}`, ...wrong].join(' ');
}

function pictureTotals(scores: readonly ClipScore[]) {
  const clips = scores.flatMap(({ transitions }) => transitions ?? []);
  const types = new Set(clips.flatMap((clip) => Object.keys(clip.types) as TransitionType[]));
  const typeScores = [...types].map((type) =>
    fMeasure(addHits(clips.map((clip) => clip.types[type]!).filter(Boolean))),
  );
  const durations = clips.flatMap(({ durationErrorsFrames }) => durationErrorsFrames);
  const minutes = clips.reduce((sum, clip) => sum + clip.minutes, 0);
  const falseCount = clips.reduce((sum, clip) => sum + clip.falseCount, 0);
  const captions = scores.flatMap((one) => one.captions ?? []);
  const camera = scores.flatMap((one) => one.camera);
  return {
    'hard cuts F': rounded(fMeasure(addHits(clips.map(({ cuts }) => cuts)))),
    'gradual transitions F': rounded(fMeasure(addHits(clips.map(({ gradual }) => gradual)))),
    'gradual types, macro F': rounded(mean(typeScores.map((score) => score ?? 0))),
    'length of gradual transitions, median error in frames':
      durations.length === 0 ? null : rounded(median(durations)),
    'false transitions per minute': minutes === 0 ? null : rounded(falseCount / minutes),
    'captions told right': `${captions.filter(({ found, wanted }) => found === wanted).length}/${captions.length}`,
    'camera labels told right': `${camera.filter(({ right }) => right).length}/${camera.length}`,
  };
}

function soundTotals(scores: readonly ClipScore[]) {
  const songs = scores.flatMap(({ beats }) => beats ?? []);
  const within = (test: (song: (typeof songs)[number]) => boolean) =>
    songs.length === 0 ? null : `${songs.filter(test).length}/${songs.length}`;
  return {
    'beats F, mean': rounded(mean(songs.map(({ beatF }) => beatF))),
    'tempo within 1 %': within(({ tempoError }) => tempoError <= TEMPO_TOLERANCE),
    'tempo within 4 %, half and double allowed': within(({ octaveError }) => octaveError <= OCTAVE_TOLERANCE),
  };
}

function costTotals(scores: readonly ClipScore[]) {
  const costs = scores.flatMap(({ cost }) => cost ?? []);
  const sumOf = (soundOnly: boolean, value: (cost: (typeof costs)[number]) => number) =>
    costs.filter((cost) => cost.soundOnly === soundOnly).reduce((sum, cost) => sum + value(cost), 0);
  const clips = sumOf(false, ({ analysis }) => analysis.cpuSeconds);
  const decoding = sumOf(false, ({ decoding }) => decoding.cpuSeconds);
  const music = sumOf(true, ({ analysis }) => analysis.cpuSeconds);
  const musicMinutes = sumOf(true, ({ seconds }) => seconds) / 60;
  return {
    'clips: CPU seconds of the analysis, decoding included': rounded(clips),
    'clips: CPU seconds of decoding alone': rounded(decoding),
    'clips: analysis / decoding alone': decoding === 0 ? null : rounded(clips / decoding),
    'music: CPU seconds of the analysis per minute':
      musicMinutes === 0 ? null : rounded(music / musicMinutes),
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toFixed(3));
}
