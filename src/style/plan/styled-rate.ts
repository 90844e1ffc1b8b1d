/** Whether the output's frame rate follows the style: decision 0038. */
import type { ClipFacts } from '../../analysis/facts.ts';
import type { Warning } from '../../domain/stage.ts';
import { type FrameRate, framesPerSecond, snapFrameRate } from '../../domain/time.ts';
import { isOfMovingPictures } from '../model/measured-parts.ts';
import type { Style } from '../model/schema.ts';
import type { Followed } from './followed.ts';

/** A template below this rate is a slide show or a screen recording; its rate is not followed. */
const MIN_FRAME_RATE = 10;
const MAX_COMMON_FRAME_RATE = 60;
/** Minimum rate of `auto`: a pan at 15 frames/s judders, although 60 is a multiple of 15. Just below 23.976. */
export const MIN_AUTO_FRAME_RATE = 23.9;
/** Rates that differ by less look the same: 29.97 and 30. */
const SAME_RATE = 0.5;
/** Tolerance for multiples: with 59.94 and 30 the output has exactly half of the source's rate. */
const MULTIPLE_TOLERANCE = 0.002;

/**
 * The output's frame rate for `components.frame_rate` of `true` or `auto`. An image has none, so the source's is used.
 */
export function styledRate(
  source: ClipFacts,
  style: Style,
  setting: boolean | 'auto',
  warnings: Warning[],
): Followed<FrameRate> {
  const own = source.video.frameRate;
  if (!isOfMovingPictures(style)) return { value: own, notFollowed: null };
  if (setting === 'auto') return automaticRate(own, style.frame_rate);
  const wanted = snapFrameRate(style.frame_rate);
  if (framesPerSecond(wanted) < MIN_FRAME_RATE) {
    warnings.push({
      code: 'FRAME_RATE_KEPT',
      message: `The style's frame rate of ${style.frame_rate} was not applied, because it is too low for moving pictures. The output has the source's frame rate.`,
    });
    return { value: own, notFollowed: null };
  }
  // Above 60 only if the source has such a rate too.
  const most = Math.max(MAX_COMMON_FRAME_RATE, framesPerSecond(own));
  return { value: framesPerSecond(wanted) > most ? snapFrameRate(most) : wanted, notFollowed: null };
}

/** The style's rate if the source's is a whole multiple of it, so that frames are dropped evenly; else the source's. */
function automaticRate(own: FrameRate, wanted: number): Followed<FrameRate> {
  const rate = framesPerSecond(own);
  const divisor = Math.round(rate / wanted);
  const divided = rate / divisor;
  const isMultiple = divisor > 1 && Math.abs(divided / wanted - 1) <= MULTIPLE_TOLERANCE;
  if (isMultiple && divided >= MIN_AUTO_FRAME_RATE)
    return { value: snapFrameRate(divided), notFollowed: null };
  const isSame = Math.abs(rate - wanted) < SAME_RATE;
  return {
    value: own,
    notFollowed: isSame ? null : { component: 'frame_rate', source: shortest(rate), style: shortest(wanted) },
  };
}

function shortest(value: number): string {
  return String(Number(value.toFixed(2)));
}
