/** The lightness of faces under dark and bright looks. */
import { clamp } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';
import { toneAt } from './tone-curve.ts';

/**
 * Greys as light as a face lose this much at the most, and keep this lightness where they have it: faces by lamplight and against windows have 28
 * to 44, else 45 to 70. Skin itself loses less (`keptLightness`); with 11 of loss a face that lost 4 was "darker" to a strict eye.
 */
const KEPT = { loss: 8, lightness: 46 } as const;
/** Faces do not become lighter than this: well exposed ones have 45 to 70, and one of 83 lost its shape. With 72 to 76 as many clips are recognized. */
const LIGHTEST = 72;
/** Powers of the lightness by which darker tones move with the face: raised, blacks stay dark; lowered, mid-tones follow and contrast returns. */
const SHADOWS = { raised: 2, lowered: 0.7 } as const;
/** Least share of a shift that counts as arriving at the face. A face as light as the lights would need an endless one. */
const MIN_REACHED = 0.5;
/** Least slope of the curve: faces are parted from what is lighter. */
const MIN_SLOPE = 0.2;

interface FaceOptions {
  /** Lightness of the skin of faces. */
  readonly face: number;
  readonly brightest: number;
  /** 0..1: how far faces are protected. */
  readonly caution: number;
}

/**
 * The curve `knots`, changed so far that faces stay visible and keep their shape: at the lightness of `face` most, at black and at
 * `brightest` not at all. Unchanged where no face was found.
 */
export function withFaces(
  knots: Grade['lightness'],
  { face, ...options }: Omit<FaceOptions, 'face'> & { readonly face: number | undefined },
): Grade['lightness'] {
  if (face === undefined) return knots;
  const found = { face, ...options };
  return raised(lowered(knots, found), found);
}

function lowered(knots: Grade['lightness'], { face, brightest, caution }: FaceOptions): Grade['lightness'] {
  const excess = caution * Math.max(0, toneAt(knots, face) - Math.max(face, LIGHTEST));
  return excess === 0 ? knots : rising(shifted(knots, -excess, { face, brightest, power: SHADOWS.lowered }));
}

function raised(knots: Grade['lightness'], { face, brightest, caution }: FaceOptions): Grade['lightness'] {
  const least = Math.max(face - KEPT.loss, Math.min(face, KEPT.lightness));
  const missing = caution * Math.max(0, least - toneAt(knots, face));
  return missing === 0 ? knots : rising(shifted(knots, missing, { face, brightest, power: SHADOWS.raised }));
}

/** The curve with `by` added at the face, and less towards black and `brightest`. */
function shifted(
  knots: Grade['lightness'],
  by: number,
  { face, brightest, power }: { readonly face: number; readonly brightest: number; readonly power: number },
): Grade['lightness'] {
  const share = (lightness: number) =>
    lightness < face
      ? (lightness / face) ** power
      : clamp((brightest - lightness) / Math.max(1, brightest - face), 0, 1);
  // The curve is straight between its knots, so less of a shift arrives between two of them.
  const reached = toneAt(
    knots.map((knot) => ({ in: knot.in, out: share(knot.in) })),
    face,
  );
  return knots.map(({ in: from, out }) => ({
    in: from,
    out: out + (by / Math.max(MIN_REACHED, reached)) * share(from),
  }));
}

/** The curve with at least the least slope between its knots. */
function rising(knots: Grade['lightness']): Grade['lightness'] {
  let lowest = 0;
  return knots.map(({ in: from, out }, at) => {
    const step = at === 0 ? 0 : MIN_SLOPE * (from - knots[at - 1].in);
    lowest = Math.max(lowest + step, out);
    return { in: from, out: Math.min(100, lowest) };
  });
}
