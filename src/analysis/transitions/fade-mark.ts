import { RGB } from '../../domain/footage.ts';
import { type FrameSketch, SKETCH } from '../frames/sketch.ts';
import type { Ground } from './ground.ts';

/** Only the first was measured. */
const MARK = {
  /** Largest share of the picture under a mark: drawn ones cover up to .03, with their edges twice that. */
  MAX_SHARE: 0.06,
  /** Least distance of its inner pixels from the color, relative to the largest: edges show what is beneath. */
  INNER: 0.75,
  /** Largest change of an inner pixel, mean of its channels, levels. */
  SAME_LEVELS: 24,
  /** Least share of the inner pixels that stay. */
  MIN_SAME: 0.5,
} as const;

/** Whether the picture at the bottom of a fade is the plain color but for a small mark that the whole picture has too. */
export function isPlainButMark(ground: Ground, bottom: FrameSketch, whole: FrameSketch): boolean {
  const [a, b] = [bottom.small, whole.small];
  let [marked, largest] = [0, 0];
  for (let at = 0; at < a.length; at += RGB) {
    const distance = ground.cellDistance(a, at);
    largest = Math.max(largest, distance);
    if (distance > SKETCH.PLAIN_LEVEL) marked += 1;
  }
  if (RGB * marked > MARK.MAX_SHARE * a.length) return false;
  let [inner, same] = [0, 0];
  for (let at = 0; at < a.length; at += RGB) {
    if (ground.cellDistance(a, at) < MARK.INNER * largest) continue;
    inner += 1;
    let change = 0;
    for (let k = at; k < at + RGB; k++) change += Math.abs(a[k] - b[k]);
    if (change <= RGB * MARK.SAME_LEVELS) same += 1;
  }
  return same >= MARK.MIN_SAME * inner;
}
