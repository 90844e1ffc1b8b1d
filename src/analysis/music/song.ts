/** The properties of a song that an edit needs. Plain JSON; times in seconds from the file's start. */
import type { Span } from '../facts.ts';

export interface SongBeat {
  readonly timeSeconds: number;
  /** First beat of a bar. */
  readonly isDownbeat: boolean;
  /** First beat of a phrase, usually of four or eight bars. */
  readonly isPhraseStart: boolean;
}

export interface SongSection extends Span {
  /** Mean loudness relative to the song's loudest section, 0..1. */
  readonly energy: number;
}

export interface Song {
  readonly durationSeconds: number;
  /** Ascending; empty: no beat was found. */
  readonly beats: readonly SongBeat[];
  /** 1 if no meter was found. */
  readonly beatsPerBar: number;
  readonly confidence: number;
  /** In order, without gaps. */
  readonly sections: readonly SongSection[];
  /** Energy once per `energyStepSeconds`, 0..1 within the song. */
  readonly energyStepSeconds: number;
  readonly energy: readonly number[];
  /** End of the sound, before trailing silence. */
  readonly soundEndSeconds: number;
}
