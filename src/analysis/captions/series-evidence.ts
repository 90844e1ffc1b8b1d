import { median } from '../../signal/statistics.ts';
import type { Span } from '../facts.ts';
import { LINE_ADVANCE, type Text } from './join.ts';
import { sightingsOf } from './words.ts';

/** Shorter times count as so long, seconds: a text may appear in the last look. */
const MIN_SECONDS = 0.1;

/**
 * What tells texts that take turns in one place as captions from logos, clocks, signs, pages and cloth. Places are shares of the
 * picture's width or height.
 */
export interface SeriesEvidence {
  readonly bias: 1;
  /** Logarithms: of how many there are, and of how many (and one) surely lie on the picture and stand still; seen again, one counts once. */
  readonly texts: number;
  readonly sure: number;
  /** 1 where there is one text only, however often it is seen. */
  readonly lone: number;
  /** Share of them that was seen a little to the side as well. */
  readonly moved: number;
  /** Logarithms of the lines (and one) of other texts about each, and of its own; their mean. */
  readonly crowd: number;
  readonly lines: number;
  /** Mean distance of their middles from that of the picture, and from its top. */
  readonly offCentre: number;
  readonly height: number;
  /** Logarithm of the line height over the picture's. */
  readonly lineHeight: number;
  readonly likeness: number;
  /** Share of the clip in which there is one, and the logarithm of its seconds. */
  readonly ofClip: number;
  readonly clip: number;
}

/** `texts` are at least one, in order of time; `crowds` are the lines of others about each. */
export function seriesEvidence(
  texts: readonly Text[],
  crowds: readonly number[],
  clipSeconds: number,
): SeriesEvidence {
  const mean = (value: (text: Text, index: number) => number) =>
    texts.reduce((sum, text, index) => sum + value(text, index), 0) / texts.length;
  const seconds = Math.max(MIN_SECONDS, clipSeconds);
  const each = sightingsOf(texts);
  return {
    bias: 1,
    texts: Math.log(each.length),
    sure: Math.log1p(each.filter((sightings) => sightings.some(({ sure, moved }) => sure && !moved)).length),
    lone: each.length === 1 ? 1 : 0,
    moved: mean(({ moved }) => (moved ? 1 : 0)),
    crowd: mean((_, index) => Math.log1p(crowds[index])),
    lines: mean((text) => Math.log(linesOf(text))),
    offCentre: mean(({ box }) => Math.abs(box.x + box.width / 2 - 0.5)),
    height: mean(({ box }) => box.y + box.height / 2),
    lineHeight: Math.log(median(texts.map(({ look }) => look.lineHeight))),
    likeness: mean(({ look }) => look.likeness),
    ofClip: unionSeconds(texts) / seconds,
    clip: Math.log(seconds),
  };
}

export function linesOf({ box, look }: Pick<Text, 'box' | 'look'>): number {
  return Math.max(1, Math.round(box.height / (LINE_ADVANCE * look.lineHeight)));
}

/** Time in which there is at least one; spans in order of their starts. */
export function unionSeconds(spans: readonly Span[]): number {
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    total += Math.max(0, span.endSeconds - Math.max(until, span.startSeconds));
    until = Math.max(until, span.endSeconds);
  }
  return total;
}
