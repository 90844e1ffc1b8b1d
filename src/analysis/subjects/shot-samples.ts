import { rounded } from '../../signal/rounding.ts';
import type { AttentionProfile, Shot } from '../facts.ts';
import { ThinnedSamples } from '../frames/thinned-samples.ts';

/** Parts of each side of a profile, about a cell of the color grid each. */
export const PROFILE_PARTS = 24;
/**
 * Interval of face and figure detection; after a cut, one runs at once. One for figures takes 4 ms. Intervals
 * of .3, .6 and .9 s hold more of the marked moments in some rounds, less in others.
 */
export const DETECTION_INTERVAL_SECONDS = 1.5;
/** Interval between the boxes of a tracked subject. */
export const BOX_INTERVAL_SECONDS = 0.2;
/** Decimals of a profile's shares. */
export const PROFILE_PLACES = 4;

/** Salience hardly changes within a shot: two or three samples a second. */
const FIRST_INTERVAL_SECONDS = 0.4;

/** Samples of a clip's salience. */
export function salienceSamples<Sample>(): ThinnedSamples<Sample> {
  return new ThinnedSamples(FIRST_INTERVAL_SECONDS);
}

/** The samples of each shot; both in order of time. */
export function samplesByShot<Sample extends { readonly timeSeconds: number }>(
  samples: readonly Sample[],
  shots: readonly Shot[],
): Sample[][] {
  let at = 0;
  return shots.map(({ startSeconds, endSeconds }) => {
    const inside: Sample[] = [];
    while (at < samples.length && samples[at].timeSeconds < endSeconds) {
      if (samples[at].timeSeconds >= startSeconds) inside.push(samples[at]);
      at++;
    }
    return inside;
  });
}

/** The mean profile of each shot; zeros without a sample. Samples and shots are in order. */
export function meanProfiles(
  samples: readonly (Record<keyof AttentionProfile, ArrayLike<number>> & { readonly timeSeconds: number })[],
  shots: readonly Shot[],
): AttentionProfile[] {
  return samplesByShot(samples, shots).map((inside) => {
    const mean = (axis: keyof AttentionProfile) =>
      Array.from({ length: PROFILE_PARTS }, (_, part) => {
        const sum = inside.reduce((sum, sample) => sum + sample[axis][part], 0);
        return rounded(sum / Math.max(1, inside.length), PROFILE_PLACES);
      });
    return { across: mean('across'), down: mean('down') };
  });
}
