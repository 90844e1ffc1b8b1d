import type { AudioFacts } from '../../src/analysis/facts.ts';
import type { MadeTruth, TrueBeats } from '../lib/truth.ts';
import { beatContinuity, beatFMeasure } from './beats.ts';

export interface BeatScore {
  /** F-measure within ±70 ms, as in MIREX audio beat tracking. */
  readonly beatF: number;
  /** Null: no tempo was found. */
  readonly bpm: number | null;
  /** Relative; 1 where no tempo was found. */
  readonly tempoError: number;
  /** The same, to the nearest of half, once and twice the true tempo. */
  readonly octaveError: number;
}

/** Scores tempo and beats against a constant beat. */
export function scoreBeats(facts: AudioFacts, truth: TrueBeats): BeatScore {
  const found = facts.beats.map(({ timeSeconds }) => timeSeconds);
  const step = 60 / truth.bpm;
  const gridAt = (offset: number) => {
    const first = offset - Math.floor(offset / step) * step;
    return Array.from(
      { length: Math.max(0, Math.ceil((facts.durationSeconds - first) / step - 1e-6)) },
      (_, beat) => first + beat * step,
    );
  };
  const { offsetSeconds, phaseFree } = truth;
  const offsets = phaseFree ? [offsetSeconds, offsetSeconds + step / 2] : [offsetSeconds];
  const bpm = facts.tempo?.bpm ?? null;
  const errorTo = (wanted: number) => (bpm === null ? 1 : Math.abs(bpm / wanted - 1));
  return {
    beatF: Math.max(...offsets.map((offset) => beatFMeasure(found, gridAt(offset)))),
    bpm,
    tempoError: errorTo(truth.bpm),
    octaveError: Math.min(...[0.5, 1, 2].map((factor) => errorTo(truth.bpm * factor))),
  };
}

/** How sound alone with full truth was understood. */
export interface MadeAudioScore {
  /** Null where there is no beat to find. */
  readonly beats: BeatTrack | null;
  /** Beats found where there are none, per minute; null where there are some. */
  readonly falseBeatsPerMinute: number | null;
  /** Null where the truth names no speech. Found less true share of the running time, and of overlap to union. */
  readonly speech: { readonly shareError: number; readonly overlap: number } | null;
  /** Null where the truth names no genre. */
  readonly genre: { readonly wanted: string; readonly found: string } | null;
  readonly confidence: { readonly tempo: number; readonly beats: number; readonly genre: number };
}

export interface BeatTrack {
  readonly f: number;
  readonly cmlt: number;
  readonly amlt: number;
  /** Relative error to the nearest right tempo, and that to the nearest of half, once, twice; 1: none found. */
  readonly tempoError: number;
  readonly octaveError: number;
  /** Within 1 %, or as far as the truth allows where the tempo drifts. */
  readonly tempoRight: boolean;
  readonly steady: boolean;
}

/** Beats of any tracker against those of a generated file. */
export function scoreBeatTrack(
  found: readonly number[],
  foundBpm: number | null,
  truth: MadeTruth & { readonly bpm?: number; readonly beat_phase_free?: boolean },
): BeatTrack {
  const wanted = truth.beat_times_s!;
  const half = wanted.slice(1).map((time, i) => (time + wanted[i]) / 2);
  const tempi = truth.tempi_bpm ?? [truth.bpm!];
  const errorTo = (factors: readonly number[]) =>
    foundBpm === null
      ? 1
      : Math.min(...tempi.flatMap((bpm) => factors.map((factor) => Math.abs(foundBpm / (bpm * factor) - 1))));
  const grids = truth.beat_phase_free === true ? [wanted, half] : [wanted];
  const continuities = grids.map((grid) => beatContinuity(found, grid));
  const tempoError = errorTo([1]);
  return {
    f: Math.max(...grids.map((grid) => beatFMeasure(found, grid))),
    cmlt: Math.max(...continuities.map(({ cmlt }) => cmlt)),
    amlt: Math.max(...continuities.map(({ amlt }) => amlt)),
    tempoError,
    octaveError: errorTo([0.5, 1, 2]),
    tempoRight: tempoError <= (truth.tempo_tolerance ?? 0.01),
    steady: truth.tempo_steady === true,
  };
}

export function scoreMadeAudio(
  facts: AudioFacts,
  truth: MadeTruth & { readonly bpm?: number },
): MadeAudioScore {
  const found = facts.beats.map(({ timeSeconds }) => timeSeconds);
  const { speech_spans_s: spans, genre } = truth;
  const beatConfidences = facts.beats.map(({ confidence }) => confidence);
  return {
    beats: truth.beat_times_s === undefined ? null : scoreBeatTrack(found, facts.tempo?.bpm ?? null, truth),
    falseBeatsPerMinute: truth.no_beat === true ? (60 * found.length) / facts.durationSeconds : null,
    speech: truth.no_beat === true || spans !== undefined ? scoreSpeech(facts, spans ?? []) : null,
    genre: genre === undefined ? null : { wanted: genre, found: facts.genre.name },
    confidence: {
      tempo: facts.tempo?.confidence ?? 0,
      beats: beatConfidences.reduce((sum, value) => sum + value, 0) / Math.max(1, beatConfidences.length),
      genre: facts.genre.confidence,
    },
  };
}

function scoreSpeech(
  { speech, durationSeconds }: AudioFacts,
  wanted: readonly (readonly [number, number])[],
) {
  const found = speech.spans.map((span) => [span.startSeconds, span.endSeconds] as const);
  const lengthOf = (spans: readonly (readonly [number, number])[]) =>
    spans.reduce((sum, [from, to]) => sum + to - from, 0);
  let shared = 0;
  for (const [from, to] of found) {
    for (const [start, end] of wanted) shared += Math.max(0, Math.min(to, end) - Math.max(from, start));
  }
  const union = lengthOf(found) + lengthOf(wanted) - shared;
  return {
    shareError: (lengthOf(found) - lengthOf(wanted)) / durationSeconds,
    overlap: union === 0 ? 1 : shared / union,
  };
}
