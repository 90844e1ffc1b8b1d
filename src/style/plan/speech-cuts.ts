/** Allowed cuts during speech: decision 0040. */

import type { AudioFacts, ClipFacts, Span, SpeechOnset } from '../../analysis/facts.ts';
import { lengthOf, sharedSeconds, totalSeconds } from '../../domain/spans.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { between, clamp } from '../../signal/interpolation.ts';
import { quantile } from '../../signal/statistics.ts';
import type { Candidate } from './cut-placement.ts';
import { type FrameGrid, secondsAt } from './segments.ts';

/** Most cuts a second in speech: one every 2.5 s. */
export const MAX_SPEECH_CUTS = 0.4;
/** Minimum distance of two cuts within one phrase. */
const MIN_GAP_SECONDS = 1.5;
/**
 * A dip of this depth ends a word: in synthesized speech .93 of the onsets after it are not within a word's first 120
 * ms.
 */
const CLEAR_DIP_DB = 25;
const MIN_PAUSE_SECONDS = 0.11;
/**
 * A cut is placed before the end of its pause by this share of the pause, within a limit. Quiet starts of
 * words look like pauses. Of 47 recorded pauses .13 ended within a word's first 120 ms, and .02 with this
 * offset.
 */
const INTO_PAUSE = { share: 0.7, mostSeconds: 0.15 } as const;
/**
 * Speech with a pause every so many seconds is cut in pauses only. Of 128 other onsets in recordings .33 hide a word's beginning, chance .36
 * (decision 0040).
 */
const PAUSED_SPEECH_SECONDS = 5;
/** Share of the deepest dips that is used if music fills all dips. */
const CLEAREST_SHARE = 0.3;
/** A syllable at least this far above the median of its phrase is stressed. */
const STRESS_DB = 6;
/**
 * Costs of an onset without a pause, for the deepest and the shallowest dip, in squared mean shot lengths.
 * They are about that of omitting a cut, which is 4. .27 of such onsets cut a word's start; chance: .34.
 */
const UNCLEAR_COST = [3, 6] as const;
/** From this depth a dip has the least cost. */
const DEEP_DIP_DB = 40;
const UNSTRESSED_COST = 0.1;

/**
 * Candidates for cuts in speech, ascending: after a pause, at a phrase's first word, before a clear or stressed
 * syllable.
 */
export function speechCandidates({ audio }: ClipFacts, grid: FrameGrid): Candidate[] {
  const onsets = usedOnsets(audio);
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
      // Rounded down: a later frame could be inside the word.
      frame: Math.max(0, Math.floor(cutSeconds(onset) * framesPerSecond(grid.rate))),
      cost: costOf(onset),
    }));
}

/** Onsets after pauses if pauses are frequent, else all onsets. */
function usedOnsets(audio: AudioFacts | null): readonly SpeechOnset[] {
  const { onsets = [], spans = [] } = audio?.speech ?? {};
  const paused = onsets.filter(({ pauseSeconds }) => pauseSeconds >= MIN_PAUSE_SECONDS);
  const spoken = totalSeconds(spans);
  return paused.length * PAUSED_SPEECH_SECONDS >= spoken ? paused : onsets;
}

function cutSeconds({ timeSeconds, pauseSeconds }: SpeechOnset): number {
  const lead = Math.min(INTO_PAUSE.mostSeconds, INTO_PAUSE.share * pauseSeconds);
  return pauseSeconds >= MIN_PAUSE_SECONDS ? timeSeconds - lead : timeSeconds;
}

function costOf({ pauseSeconds, dipDb, stressDb }: SpeechOnset): number {
  if (pauseSeconds >= MIN_PAUSE_SECONDS) return 0;
  const unclear = clamp((DEEP_DIP_DB - dipDb) / DEEP_DIP_DB, 0, 1);
  return between(...UNCLEAR_COST, unclear) + UNSTRESSED_COST * clamp(1 - stressDb / STRESS_DB, 0, 1);
}

/** Least number of frames between two cuts: more if both are within one phrase. */
export function minGap(
  audio: AudioFacts | null,
  grid: FrameGrid,
  minFrames: number,
): (from: number, to: number) => number {
  const phrases = audio?.speech.spans ?? [];
  const speechFrames = Math.max(minFrames, Math.ceil(MIN_GAP_SECONDS * framesPerSecond(grid.rate)));
  return (from, to) => {
    // Cuts so far apart satisfy both limits: saves the search through the phrases.
    if (to - from >= speechFrames) return minFrames;
    const [start, end] = [secondsAt(grid, from), secondsAt(grid, to)];
    const isWithin = ({ startSeconds, endSeconds }: Span) => startSeconds < start && end < endSeconds;
    return phrases.some(isWithin) ? speechFrames : minFrames;
  };
}

/** Share 0..1 of a time range with speech. */
export function spokenShare(audio: AudioFacts | null, part: Span): number {
  const seconds = lengthOf(part);
  return seconds > 0 ? sharedSeconds(part, audio?.speech.spans ?? []) / seconds : 0;
}
