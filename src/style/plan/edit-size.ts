/** Output size of an edit whose takes differ in theirs. */
import type { Size } from '../../domain/footage.ts';
import { QUALITIES } from '../../domain/job-choices.ts';
import type { Warning } from '../../domain/stage.ts';
import { quantileByWeight } from '../../signal/statistics.ts';
import { linesOf, type SizeConfig, scaledToLines } from './output-size.ts';

/** Sites show uploads with fewer lines at a lower bit rate. */
const MIN_LINES = 720;
/** Share of the visible time that may be enlarged to it without being reported. */
const MAX_ENLARGED_SHARE = 0.75;

/** A part of the visible time. */
export interface SizedPart {
  /** The size that it would have alone. */
  readonly own: Size;
  /** Its visible part in pixels of its take. */
  readonly shown: Size;
  readonly frames: number;
}

/** The size at the median of the visible time, neither the largest nor the smallest; with `auto` at least `MIN_LINES`. */
export function editSize(parts: readonly SizedPart[], config: SizeConfig, warnings: Warning[]): Size {
  const sorted = [...parts].sort((one, other) => one.own.width - other.own.width);
  const at = (share: number) => quantileByWeight(sorted, share, ({ frames }) => frames)!;
  const { own, shown } = at(0.5);
  const least = Math.min(MIN_LINES, QUALITIES[config.quality].maxLines ?? MIN_LINES);
  if (config.resolution !== 'auto' || linesOf(own) >= least) return own;
  const size = scaledToLines(shown, least);
  if (linesOf(at(MAX_ENLARGED_SHARE).own) < least)
    warnings.push({
      code: 'UPSCALED',
      message: `The picture was enlarged to ${size.width}×${size.height}: half of the time the visible part of the takes has at most ${Math.round(shown.width)}×${Math.round(shown.height)} pixels. Set resolution to "source" to prevent enlargement.`,
    });
  return size;
}
