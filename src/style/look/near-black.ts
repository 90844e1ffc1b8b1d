/** Near-black pixels have hardly any chroma, whatever the light and the grade: they are no evidence of a pale or cold look. */
import { segmentAt } from '../../signal/interpolation.ts';

/** Lightness below which a color is near black: 8-bit channels up to 24, in which noise is as strong as color. */
export const NEAR_BLACK = 8;

/** Share of a picture, 0..1, that is lighter than that, by its evenly spaced percentiles of lightness. */
export function visibleShare(percentiles: readonly number[]): number {
  const last = percentiles.length - 1;
  if (percentiles[0] >= NEAR_BLACK) return 1;
  if (percentiles[last] <= NEAR_BLACK) return 0;
  const places = percentiles.map((lightness, at) => ({ lightness, share: at / last }));
  const { left, right, share } = segmentAt(places, ({ lightness }) => lightness, NEAR_BLACK);
  return 1 - (left.share + share * (right.share - left.share));
}
