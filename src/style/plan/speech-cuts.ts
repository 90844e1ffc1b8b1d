/** Where cuts may fall while somebody speaks: decision 0126. */
import type { AudioFacts, ClipFacts, Span, SpeechOnset } from '../../analysis/facts.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { clamp } from '../../signal/interpolation.ts';
import { quantile } from '../../signal/statistics.ts';
import type { Candidate } from './cut-placement.ts';
import { type FrameGrid, secondsAt } from './segments.ts';

/** Most cuts a second in speech: one every 2.5 s. */
export const MAX_SPEECH_CUTS = 0.4;
/** Two cuts within one phrase lie at least this far apart. */
const MIN_GAP_SECONDS = 1.5;
/** A dip of the level this deep ends a word: of synthesized speech .93 of the onsets after it are no word's first 120 ms. */
const CLEAR_DIP_DB = 25;
/** The level falls at least this far in a clear pause. */
const PAUSE_DIP_DB = 40;
const MIN_PAUSE_SECONDS = 0.08;
/** Share of the clearest dips that is used where music fills all dips. */
const CLEAREST_SHARE = 0.4;
/** A syllable at least this far above the median of its phrase is stressed. */
const STRESS_DB = 6;
/** Costs of an onset that follows no clear pause, in squared mean shot lengths. Of six clips .15 of the cuts in speech hide a beginning with 4, .21 with 1; chance .34. */
const UNCLEAR_COST = 4;
const UNSTRESSED_COST = 0.1;

/** Candidates for cuts inside speech, ascending: after a pause, at a phrase's first word, before a clear or stressed syllable. */
export function speechCandidates({ audio }: ClipFacts, grid: FrameGrid): Candidate[] {
  const onsets = audio?.speech.onsets ?? [];
  const minDip = Math.min(
    CLEAR_DIP_DB,
    quantile(
      onsets.map(({ dipDb }) => dipDb),
      1 - CLEAREST_SHARE,
    ),
  );
  return onsets
    .filter(({ dipDb, pauseSeconds }) => dipDb >= minDip || pauseSeconds >= MIN_PAUSE_SECONDS)
    .map((onset) => ({
      // The frame before: a rounded time could lie inside the word.
      frame: Math.max(0, Math.floor(onset.timeSeconds * framesPerSecond(grid.rate))),
      cost: costOf(onset),
    }));
}

function costOf({ pauseSeconds, dipDb, stressDb }: SpeechOnset): number {
  const unclear = clamp((PAUSE_DIP_DB - dipDb) / PAUSE_DIP_DB, 0, 1);
  if (pauseSeconds >= MIN_PAUSE_SECONDS) return (unclear * UNCLEAR_COST) / 2;
  return UNCLEAR_COST * unclear + UNSTRESSED_COST * clamp(1 - stressDb / STRESS_DB, 0, 1);
}

/** Frames that must lie between two cuts: more within one phrase than elsewhere. */
export function minGap(
  audio: AudioFacts | null,
  grid: FrameGrid,
  minFrames: number,
): (from: number, to: number) => number {
  const phrases = audio?.speech.spans ?? [];
  const speechFrames = Math.max(minFrames, Math.ceil(MIN_GAP_SECONDS * framesPerSecond(grid.rate)));
  return (from, to) => {
    const [start, end] = [secondsAt(grid, from), secondsAt(grid, to)];
    const isWithin = ({ startSeconds, endSeconds }: Span) => startSeconds < start && end < endSeconds;
    return to - from >= speechFrames || !phrases.some(isWithin) ? minFrames : speechFrames;
  };
}

/** The part 0..1 of a run of time in which somebody speaks. */
export function spokenShare(audio: AudioFacts | null, { startSeconds, endSeconds }: Span): number {
  let spoken = 0;
  for (const span of audio?.speech.spans ?? [])
    spoken += Math.max(0, Math.min(endSeconds, span.endSeconds) - Math.max(startSeconds, span.startSeconds));
  return endSeconds > startSeconds ? spoken / (endSeconds - startSeconds) : 0;
}
