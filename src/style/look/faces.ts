/** The lightness of faces under a dark look. */
import { clamp } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';
import { toneAt } from './tone-curve.ts';

/** Faces keep this share of their lightness, and this lightness where they have it: by lamplight and against windows they have 28 to 44, else 45 to 70. */
const KEPT = { share: 0.7, lightness: 42 } as const;
/** Least share of a raise that counts as arriving at the face. A face as light as the lights would need an endless raise. */
const MIN_REACHED = 0.5;
/** Least slope of the curve above them: they are parted from what is lighter. */
const MIN_SLOPE = 0.2;

/**
 * The curve `knots`, raised so far that faces stay visible: at `face`, the lightness of their skin, most, at black and at `brightest` not at
 * all. As far as `caution` (0..1) requests; `face` is undefined where none was found.
 */
export function withFaces(
  knots: Grade['lightness'],
  {
    face,
    brightest,
    caution,
  }: { readonly face: number | undefined; readonly brightest: number; readonly caution: number },
): Grade['lightness'] {
  if (face === undefined) return knots;
  const least = Math.max(KEPT.share * face, Math.min(face, KEPT.lightness));
  const missing = caution * Math.max(0, least - toneAt(knots, face));
  if (missing === 0) return knots;
  // By the square, so that blacks stay dark.
  const share = (lightness: number) =>
    lightness < face
      ? (lightness / face) ** 2
      : clamp((brightest - lightness) / Math.max(1, brightest - face), 0, 1);
  // The curve is straight between its knots, so less of a raise arrives between two of them.
  const reached = toneAt(
    knots.map((knot) => ({ in: knot.in, out: share(knot.in) })),
    face,
  );
  let lowest = 0;
  return knots.map(({ in: from, out }, at) => {
    const step = at === 0 ? 0 : MIN_SLOPE * (from - knots[at - 1].in);
    lowest = Math.max(lowest + step, out + (missing / Math.max(MIN_REACHED, reached)) * share(from));
    return { in: from, out: Math.min(100, lowest) };
  });
}
