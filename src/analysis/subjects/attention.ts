import type { Frame, Picture, Size } from '../../footage.ts';
import { type PixelBox, pixelsWithin } from '../bars/picture-area.ts';
import type { Detector } from '../detector.ts';
import { type AttentionProfile, type Box, type Shot, WHOLE_PICTURE } from '../facts.ts';
import { distanceFromEdges } from './edge-distance.ts';
import { distinctness } from './salient-region.ts';
import { partOf } from './salient-track.ts';
import { partSharpness } from './sharpness.ts';
import { meanProfiles, PROFILE_PARTS, standingSamples } from './shot-samples.ts';

type Sums = Record<keyof AttentionProfile, Float64Array>;

interface Sample extends Sums {
  readonly timeSeconds: number;
}

/**
 * Where the eye goes in a picture in which nothing is found: to colours that the edges do not have, and to what is sharp
 * (cameras focus on what they are pointed at), half and half. The mean over each shot.
 */
export class AttentionMeter implements Detector<[Frame, Box?], AttentionProfile[], [readonly Shot[]]> {
  readonly #samples = standingSamples<Sample>();

  /** `area`: what lies inside black bars. */
  push({ timeSeconds, colour, grey }: Frame, area: Box = WHOLE_PICTURE): void {
    if (!this.#samples.isDue(timeSeconds)) return;
    const [contrast, sharpness] = [contrastOf(colour, area), sharpnessOf(grey, area)];
    const mixed = (axis: keyof AttentionProfile) => {
      const [one, other] = [shares(contrast[axis]), shares(sharpness[axis])];
      return one.map((share, part) => (share + other[part]!) / 2);
    };
    this.#samples.push(timeSeconds, { timeSeconds, across: mixed('across'), down: mixed('down') });
  }

  finish(shots: readonly Shot[]): AttentionProfile[] {
    return meanProfiles(this.#samples.all, shots);
  }
}

function contrastOf(colour: Picture, area: Box): Sums {
  const inside = pixelBox(area, colour);
  const { distance, width, height } = distanceFromEdges(partOf(colour, inside));
  const sums = noSums();
  for (let cell = 0; cell < distance.length; cell++) {
    const x = inside.left + (((cell % width) + 0.5) / width) * inside.width;
    const y = inside.top + ((Math.floor(cell / width) + 0.5) / height) * inside.height;
    addAt(sums, x / colour.width, y / colour.height, distinctness(distance[cell]!));
  }
  return sums;
}

function sharpnessOf(grey: Picture, area: Box): Sums {
  const sums = noSums();
  for (const [part, sharpness] of partSharpness(grey, pixelBox(area, grey)).entries()) {
    const [x, y] = [part % PROFILE_PARTS, Math.floor(part / PROFILE_PARTS)];
    addAt(sums, (x + 0.5) / PROFILE_PARTS, (y + 0.5) / PROFILE_PARTS, sharpness);
  }
  return sums;
}

function pixelBox(area: Box, { width, height }: Size): PixelBox {
  return pixelsWithin(area, { width, height }) ?? { left: 0, top: 0, width, height };
}

function noSums(): Sums {
  return { across: new Float64Array(PROFILE_PARTS), down: new Float64Array(PROFILE_PARTS) };
}

function addAt(sums: Sums, x: number, y: number, amount: number): void {
  sums.across[Math.min(PROFILE_PARTS - 1, Math.floor(PROFILE_PARTS * x))]! += amount;
  sums.down[Math.min(PROFILE_PARTS - 1, Math.floor(PROFILE_PARTS * y))]! += amount;
}

/** Of their sum; all the same, where there is none. */
function shares(values: Float64Array): Float64Array {
  const sum = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => (sum > 0 ? value / sum : 1 / values.length));
}
