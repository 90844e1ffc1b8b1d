/** Examples of texts in one place with their class, in whole clips and in windows of them. */

import type { TextPiece } from '../../src/analysis/captions/judge.ts';
import { findSeries, type Series } from '../../src/analysis/captions/series.ts';
import type { SeriesEvidence } from '../../src/analysis/captions/series-evidence.ts';
import type { Span } from '../../src/analysis/facts.ts';
import type { Random } from '../generate/random.ts';
import type { Truth } from '../lib/truth.ts';
import { overlapOf } from '../score/box-overlap.ts';
import type { ClipExamples } from './logistic.ts';

/** Windows simulate shorter clips: seconds, and number for each clip. */
const WINDOW_SECONDS = [3, 9] as const;
const WINDOWS = 6;
/** Share of its time from which a text is the caption that is known there, and from which a series is of captions. */
const MIN_SHARE = 0.5;
/** Intersection over union from which it is in the caption's place: of two lines one may have been found. */
const MIN_OVERLAP = 0.2;

export function seriesExamples(
  { pieces, clip }: { readonly pieces: readonly TextPiece[]; readonly clip: Span },
  truth: Truth,
  random: Random,
): ClipExamples<keyof SeriesEvidence> {
  const spans = truth.captions === true ? truth.made.caption_spans : [];
  if (spans === undefined || truth.captions === null) return [];
  const seconds = clip.endSeconds - clip.startSeconds;
  const windows = Array.from({ length: WINDOWS }, () => {
    const startSeconds = clip.startSeconds + random.between(0, Math.max(0, seconds - WINDOW_SECONDS[0]));
    const endSeconds = Math.min(clip.endSeconds, startSeconds + random.between(...WINDOW_SECONDS));
    return { startSeconds, endSeconds };
  });
  const isCaptions = ({ texts }: Series) => {
    let known = 0;
    let all = 0;
    for (const { startSeconds, endSeconds, box } of texts) {
      all += endSeconds - startSeconds;
      for (const span of spans) {
        if (overlapOf(span.box, box) < MIN_OVERLAP) continue;
        known += Math.max(0, Math.min(span.end_s, endSeconds) - Math.max(span.start_s, startSeconds));
      }
    }
    return known >= MIN_SHARE * all;
  };
  return [clip, ...windows].flatMap((window) =>
    findSeries(within(pieces, window), window).series.map((series) => ({
      evidence: series.evidence,
      isWanted: isCaptions(series),
    })),
  );
}

/** The pieces that would be detected in a clip that is this window. */
function within(pieces: readonly TextPiece[], { startSeconds, endSeconds }: Span): TextPiece[] {
  return pieces
    .filter((piece) => piece.startSeconds < endSeconds && (piece.endSeconds ?? endSeconds) > startSeconds)
    .map((piece) => ({
      ...piece,
      startSeconds: Math.max(startSeconds, piece.startSeconds),
      endSeconds: piece.endSeconds !== null && piece.endSeconds < endSeconds ? piece.endSeconds : null,
    }));
}
