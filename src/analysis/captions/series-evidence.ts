import { median } from '../../signal/statistics.ts';
import type { Span } from '../facts.ts';
import { LINE_ADVANCE, type Text } from './join.ts';
import { detectionsOf } from './words.ts';

/** Shorter times count as this long, seconds: a text may appear in the last sample. */
const MIN_SECONDS = 0.1;

/**
 * Evidence that separates captions from logos, clocks, signs, pages and cloth: texts that alternate in one place.
 * Positions are shares of the picture's width or height.
 */
export interface SeriesEvidence {
  readonly bias: 1;
  /**
   * Logarithms: of the number of texts, and of one plus the number that certainly are overlays and do not move.
   * Repeated detections of a text count once.
   */
  readonly texts: number;
  readonly isOverlay: number;
  /** 1 if there is one text only, however often it is detected. */
  readonly lone: number;
  /** Share of the texts that were also detected nearby. */
  readonly hasMoved: number;
  /**
   * Mean logarithms of numbers of lines (plus one): of other texts around each text, and of the texts
   * themselves.
   */
  readonly crowd: number;
  readonly lines: number;
  /** Mean distance of their middles from the picture's middle, and from its top. */
  readonly offCentre: number;
  readonly height: number;
  /** Logarithm of the line height over the picture's. */
  readonly lineHeight: number;
  readonly likeness: number;
  /** Share of the clip with a text, and the logarithm of its seconds. */
  readonly ofClip: number;
  readonly clip: number;
}

/** `texts`: at least one, in order of time; `crowds`: lines of other texts around each. */
export function seriesEvidence(
  texts: readonly Text[],
  crowds: readonly number[],
  clipSeconds: number,
): SeriesEvidence {
  const mean = (value: (text: Text, index: number) => number) =>
    texts.reduce((sum, text, index) => sum + value(text, index), 0) / texts.length;
  const seconds = Math.max(MIN_SECONDS, clipSeconds);
  const each = detectionsOf(texts);
  return {
    bias: 1,
    texts: Math.log(each.length),
    isOverlay: Math.log1p(
      each.filter((detections) => detections.some(({ isOverlay, hasMoved }) => isOverlay && !hasMoved))
        .length,
    ),
    lone: each.length === 1 ? 1 : 0,
    hasMoved: mean(({ hasMoved }) => (hasMoved ? 1 : 0)),
    crowd: mean((_, index) => Math.log1p(crowds[index])),
    lines: mean((text) => Math.log(linesOf(text))),
    offCentre: mean(({ box }) => Math.abs(box.x + box.width / 2 - 0.5)),
    height: mean(({ box }) => box.y + box.height / 2),
    lineHeight: Math.log(median(texts.map(({ piece }) => piece.lineHeight))),
    likeness: mean(({ piece }) => piece.likeness),
    ofClip: unionSeconds(texts) / seconds,
    clip: Math.log(seconds),
  };
}

export function linesOf({ box, piece }: Pick<Text, 'box' | 'piece'>): number {
  return Math.max(1, Math.round(box.height / (LINE_ADVANCE * piece.lineHeight)));
}

/** Time with at least one text; spans in order of their starts. */
export function unionSeconds(spans: readonly Span[]): number {
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    total += Math.max(0, span.endSeconds - Math.max(until, span.startSeconds));
    until = Math.max(until, span.endSeconds);
  }
  return total;
}
