/**
 * Compresses graded colors into the display's gamut smoothly: neighbouring colors stay neighbours, and source colors at the boundary
 * do not change, so that the identity stays the identity (decision 0069). Colors are gamma-encoded RGB, 0..1 within the gamut.
 */
import { between } from '../../signal/interpolation.ts';

/** Share of the distance to the boundary from which a color is compressed towards it instead of clipped; and the end of that range. */
const KNEE = 0.65;
const END = 0.88;
/** The boundary is this far from clipping, in levels of 0..1: 8 bits of 4:2:0 use some of it. */
const MARGIN = 0.025;
/** Difference of the lightest and the darkest channel as a share of the lightest, from which a color counts fully as colorful: skin has .3 to .5. */
const COLORFUL = 0.5;
/** Levels: darker pixels count as less colorful in proportion. Noise in a night sky would count as fully blue. */
const DARK = 0.5;
/** White cannot become lighter, and black not darker. */
const NO_WAY = 1e-6;

/** A color and the level of the grey that is as light. */
export interface ColorAndGrey {
  readonly rgb: Float64Array;
  readonly grey: number;
}

/**
 * Writes `graded`, compressed into the gamut, to `out[0..2]`. Source greys move towards grey, so that the brightest stays white and the
 * darkest black, as on film. Colorful ones keep their hue and lose light instead: mixing with grey would turn bright yellow to cream
 * and make a green screen pale. Colors between them are interpolated.
 */
export function easeIntoGamut(source: ColorAndGrey, graded: ColorAndGrey, out: Float64Array): void {
  const { rgb, grey } = graded;
  const [low, top] = [lowest(rgb), highest(rgb)];
  const [ownLow, ownTop] = [lowest(source.rgb), highest(source.rgb)];

  const ownUp = (ownTop - source.grey) / wayUp(source.grey);
  const ownDown = (source.grey - ownLow) / wayDown(source.grey);
  const up = (top - grey) / wayUp(grey);
  const down = (grey - low) / wayDown(grey);
  const share = Math.max(up, down);
  const kept = share > KNEE ? eased(share, Math.max(ownUp, ownDown)) / share : 1;

  const ownDepth = (ownTop - ownLow) / wayDown(ownTop);
  const scale = up > KNEE ? (grey + eased(up, ownUp) * wayUp(grey)) / top : 1;
  const colorful = Math.min(1, (ownTop - ownLow) / (COLORFUL * Math.max(wayDown(ownTop), DARK)));
  const depth = keptDepth(scale * low, scale * top, ownDepth);
  for (let axis = 0; axis < 3; axis++) {
    const mixed = grey + kept * (rgb[axis] - grey);
    out[axis] = between(mixed, scale * (top - depth * (top - rgb[axis])), colorful);
  }
}

/**
 * The share of its distance from the lightest channel, `top`, that the darkest one, `low`, keeps where it lies near zero or below. All
 * channels keep the same share, so that the hue stays: the Reference Gamut Compression of ACES 1.3 (2021) moves each alone and turns it.
 */
function keptDepth(low: number, top: number, ownDepth: number): number {
  const depth = (top - low) / wayDown(top);
  return depth > KNEE ? eased(depth, ownDepth) / depth : 1;
}

/** A share of the distance to the boundary, which does not change up to the knee, and up to the source's share. */
function eased(share: number, own: number): number {
  const knee = Math.max(KNEE, own);
  if (share <= knee) return share;
  const room = END - knee;
  return room < 1e-6 ? knee : knee + room * (1 - Math.exp(-(share - knee) / room));
}

/** Near white and black half of the distance, if that is more than the rest inside the margin. */
function wayUp(from: number): number {
  return Math.max(NO_WAY, 1 - MARGIN - from, (1 - from) / 2);
}

function wayDown(from: number): number {
  return Math.max(NO_WAY, from - MARGIN, from / 2);
}

function highest(rgb: Float64Array): number {
  return Math.max(rgb[0], rgb[1], rgb[2]);
}

function lowest(rgb: Float64Array): number {
  return Math.min(rgb[0], rgb[1], rgb[2]);
}
