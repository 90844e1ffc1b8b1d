/** Black bars of a source that stay in the picture remain black under looks that lift blacks. */
import type { Grade } from '../model/timeline.ts';
import { toneAt } from './tone-curve.ts';

/** Encoded bars have up to .5 and, beside the picture, 1; from this lightness on all of a look arrives. */
const BAR_LIGHTNESS = 4;

/** The grade with black that stays black. */
export function withBlackBars(grade: Grade): Grade {
  const { lightness, offsets, heldCasts } = grade;
  const inside = { in: BAR_LIGHTNESS, out: toneAt(lightness, BAR_LIGHTNESS) };
  return {
    ...grade,
    lightness: [{ in: 0, out: 0 }, inside, ...lightness.filter((knot) => knot.in > BAR_LIGHTNESS)],
    offsets: withoutBlack(offsets),
    ...(heldCasts === undefined ? {} : { heldCasts: withoutBlack(heldCasts) }),
  };
}

function withoutBlack(casts: Grade['offsets']): Grade['offsets'] {
  return casts.map((cast) => (cast.at === 0 ? { at: 0, a: 0, b: 0 } : cast));
}
