import { smoothstep } from '../../signal/interpolation.ts';

/** What a moment shows, all measured elsewhere. */
export interface Shown {
  /** Height of the largest face with its shoulders, share of the picture's. */
  readonly faceHeight: number;
  /** 0..1: a figure in front of a background. */
  readonly figure: number;
  /** 0..1: salience of a moving or distinct subject that is no face. */
  readonly subject: number;
  /** Share of pixels with fine structure. */
  readonly detail: number;
  /** Standard deviation of luma over 255. */
  readonly contrast: number;
  /** Motion that is not the camera's, in diagonals per second. */
  readonly activity: number;
  /** How far its colors lie apart: `colorSpreadOf`; null: its take is in black and white. */
  readonly colorSpread: number | null;
}

/**
 * Weight of each, and the values at which it begins and ceases to count. Skies and walls have a detail of .02 to .06, streets .3; lively
 * moments have an activity of .02. Chosen on one half of the pairs of `bench/edit-worth.ts`; the spread of colors on other takes (0312).
 */
const SHARES: Readonly<
  Record<keyof Shown, { readonly weight: number; readonly from: number; readonly to: number }>
> = {
  faceHeight: { weight: 0.5, from: 0, to: 0.35 },
  figure: { weight: 0.2, from: 0, to: 1 },
  subject: { weight: 0.3, from: 0.1, to: 0.5 },
  detail: { weight: 0.5, from: 0.02, to: 0.2 },
  contrast: { weight: 0.1, from: 0.06, to: 0.25 },
  activity: { weight: 0.1, from: 0.001, to: 0.02 },
  colorSpread: { weight: 0.85, from: 0, to: 0.24 },
};

/** How much there is to see, 0..1: never falls if any of it grows. */
export function worthOf(shown: Shown): number {
  let [sum, total] = [0, 0];
  for (const [name, { weight, from, to }] of Object.entries(SHARES)) {
    const value = shown[name as keyof Shown];
    if (value === null) continue;
    sum += weight * smoothstep(from, to, value);
    total += weight;
  }
  return sum / total;
}
