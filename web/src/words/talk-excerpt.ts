/** Excerpts of a talk that play a part with what is around it, and then without it. */
import type { TalkPart } from '../state/talk-choices.ts';

/** In seconds of its video. */
export interface Excerpt {
  readonly side: 'source' | 'output';
  readonly isWithPart: boolean;
  readonly from: number;
  readonly to: number;
}

/** Before and after a part. */
const AROUND_SECONDS = 1.5;
/** Of a long part only its beginning is played. */
const MOST_SECONDS = 6;

/** The join of a removed part is in the output; that of a proposal is made of the source, which skips it. */
export function excerptsOf(
  { start_seconds: start, end_seconds: end, at_seconds: at }: TalkPart,
  isRemoved: boolean,
): Excerpt[] {
  const from = Math.max(0, start - AROUND_SECONDS);
  const whole: Excerpt = {
    ...{ side: 'source', isWithPart: true, from },
    to: Math.min(end + AROUND_SECONDS, from + MOST_SECONDS),
  };
  if (!isRemoved)
    return [
      whole,
      { side: 'source', isWithPart: false, from, to: start },
      { side: 'source', isWithPart: false, from: end, to: end + AROUND_SECONDS },
    ];
  const join = Math.max(0, at - AROUND_SECONDS);
  return [whole, { side: 'output', isWithPart: false, from: join, to: at + AROUND_SECONDS }];
}
