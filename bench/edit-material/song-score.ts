/** How far downbeats and sections of a song are right. */
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { songOf } from '../../src/analysis/music/song-of.ts';

/** As for beats. */
const NEAR_SECONDS = 0.07;
/** A border of a section, in bars. */
const NEAR_BARS = 1;

export interface SongTruth {
  readonly name: string;
  readonly audio: AudioFacts;
  readonly beatsPerBar: number;
  readonly downbeatsSeconds: readonly number[];
  /** Beginnings of sections after the first; null: not known. */
  readonly bordersSeconds: readonly number[] | null;
}

export interface SongScore {
  readonly name: string;
  /** Beats of a bar that were claimed; 1: none. */
  readonly beatsPerBar: number;
  readonly confidence: number;
  /** Share of the claimed first beats that are some; null: none was claimed. */
  readonly precision: number | null;
  readonly recall: number;
  readonly sections: { readonly hits: number; readonly found: number; readonly wanted: number } | null;
  /** Share of the phrases that begin every fourth bar from a section's beginning. */
  readonly phrases: { readonly hits: number; readonly found: number } | null;
}

export function scoreSong({ name, audio, ...truth }: SongTruth): SongScore {
  const song = songOf(audio);
  const claimed =
    song.beatsPerBar === 1
      ? []
      : song.beats.filter((beat) => beat.isDownbeat).map((beat) => beat.timeSeconds);
  const wanted = truth.downbeatsSeconds;
  const near = (times: readonly number[], at: number, reach: number) =>
    times.some((time) => Math.abs(time - at) <= reach);
  const right = claimed.filter((at) => near(wanted, at, NEAR_SECONDS)).length;
  const barSeconds = (wanted.at(-1)! - wanted[0]) / Math.max(1, wanted.length - 1);
  const borders = song.sections.slice(1).map(({ startSeconds }) => startSeconds);
  const known = truth.bordersSeconds;
  const starts = [wanted[0], ...(known ?? [])];
  const phraseTimes = wanted.filter((at) => {
    const start = starts.findLast((one) => one <= at + NEAR_SECONDS) ?? wanted[0];
    return Math.round((at - start) / barSeconds) % 4 === 0;
  });
  const phrases = song.beats.filter((beat) => beat.isPhraseStart).map((beat) => beat.timeSeconds);
  return {
    name,
    beatsPerBar: song.beatsPerBar,
    confidence: song.confidence,
    precision: claimed.length === 0 ? null : right / claimed.length,
    recall: right / Math.max(1, wanted.length),
    sections: known && {
      hits: known.filter((at) => near(borders, at, NEAR_BARS * barSeconds * 1.01)).length,
      found: borders.length,
      wanted: known.length,
    },
    phrases: known && {
      hits: phrases.filter((at) => near(phraseTimes, at, NEAR_SECONDS)).length,
      found: phrases.length,
    },
  };
}
