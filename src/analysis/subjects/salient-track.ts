import type { Frame, Size } from '../../domain/footage.ts';
import { rounded } from '../../signal/rounding.ts';
import { mean } from '../../signal/statistics.ts';
import { cropped, type PixelBox, pixelsWithin } from '../bars/picture-area.ts';
import type { Detector } from '../detector.ts';
import { type Box, type Shot, type SubjectTrack, WHOLE_PICTURE } from '../facts.ts';
import { findSalientRegion } from './salient-region.ts';
import { salienceSamples, samplesByShot } from './shot-samples.ts';

/** Least salience at one moment. */
const MIN_SALIENCE = 0.25;
/** Least share of a shot's moments with a salient region. */
const MIN_SHARE = 0.6;

interface Sample {
  readonly timeSeconds: number;
  readonly box: Box | null;
  readonly salience: number;
}

/** Salient regions by color through the shots of a clip: subjects that motion does not find. */
export class SalientTracker implements Detector<[Frame, Box?], SubjectTrack[], [readonly Shot[]]> {
  readonly #samples = salienceSamples<Sample>();

  /** `area`: the part inside black bars; against bars, the whole picture would be salient. */
  push({ timeSeconds, color }: Frame, area: Box = WHOLE_PICTURE): void {
    if (!this.#samples.isDue(timeSeconds)) return;
    const inside = pixelsWithin(area, color);
    const found = findSalientRegion(cropped(color, inside));
    const isSalient = found !== null && found.salience >= MIN_SALIENCE;
    const box = isSalient ? outerBox(found.box, inside, color) : null;
    this.#samples.push(timeSeconds, { timeSeconds, box, salience: isSalient ? found.salience : 0 });
  }

  /** At most one track for each shot, in order; its salience is the mean over the shot. */
  finish(shots: readonly Shot[]): SubjectTrack[] {
    const tracks: SubjectTrack[] = [];
    for (const [index, samples] of samplesByShot(this.#samples.all, shots).entries()) {
      const { startSeconds, endSeconds } = shots[index];
      const boxes = samples.flatMap(({ timeSeconds, box }) => (box === null ? [] : [{ timeSeconds, box }]));
      if (boxes.length < MIN_SHARE * samples.length || boxes.length === 0) continue;
      const salience = rounded(mean(samples.map((sample) => sample.salience)), 3);
      tracks.push({ kind: 'color', startSeconds, endSeconds, boxes, salience });
    }
    return tracks;
  }
}

/** Converts a box of a part of the picture to one of the whole picture. */
function outerBox(box: Box, inside: PixelBox | null, { width, height }: Size): Box {
  if (inside === null) return box;
  return {
    x: (inside.left + box.x * inside.width) / width,
    y: (inside.top + box.y * inside.height) / height,
    width: (box.width * inside.width) / width,
    height: (box.height * inside.height) / height,
  };
}
