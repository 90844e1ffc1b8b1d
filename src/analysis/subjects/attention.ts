import type { Frame, Picture, Size } from '../../domain/footage.ts';
import { cropped, type PixelBox, pixelsWithin } from '../bars/picture-area.ts';
import type { Detector } from '../detector.ts';
import { type AttentionProfile, type Box, type Shot, WHOLE_PICTURE } from '../facts.ts';
import { distanceFromEdges } from './edge-distance.ts';
import { contrastSides, type Sides, sidesOf } from './profile.ts';
import { partSharpness } from './sharpness.ts';
import { meanProfiles, salienceSamples } from './shot-samples.ts';

interface Sample extends Sides {
  readonly timeSeconds: number;
}

/**
 * Salience of a picture without detected objects: colors that the edges do not have, and sharpness (cameras
 * focus on their subject), in equal parts. The mean over each shot.
 */
export class AttentionMeter implements Detector<[Frame, Box?], AttentionProfile[], [readonly Shot[]]> {
  readonly #samples = salienceSamples<Sample>();

  /** `area`: the part inside black bars. */
  push({ timeSeconds, color, grey }: Frame, area: Box = WHOLE_PICTURE): void {
    if (!this.#samples.isDue(timeSeconds)) return;
    const [contrast, sharpness] = [
      contrastOf(color, area),
      sidesOf(partSharpness(grey, pixelBox(area, grey))),
    ];
    const mixed = (axis: keyof AttentionProfile) => {
      const [one, other] = [shares(contrast[axis]), shares(sharpness[axis])];
      return one.map((share, part) => (share + other[part]) / 2);
    };
    this.#samples.push(timeSeconds, { timeSeconds, across: mixed('across'), down: mixed('down') });
  }

  finish(shots: readonly Shot[]): AttentionProfile[] {
    return meanProfiles(this.#samples.all, shots);
  }
}

function contrastOf(color: Picture, area: Box): Sides {
  const inside = pixelBox(area, color);
  return contrastSides(distanceFromEdges(cropped(color, inside)), inside, color);
}

function pixelBox(area: Box, { width, height }: Size): PixelBox {
  return pixelsWithin(area, { width, height }) ?? { left: 0, top: 0, width, height };
}

/** Divides by the sum; equal shares if it is 0. */
function shares(values: Float64Array): Float64Array {
  const sum = values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => (sum > 0 ? value / sum : 1 / values.length));
}
