import type { Picture } from '../../domain/footage.ts';

/** Part of a picture's lines, the end exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** For each line along one axis: share of its pixels off a tone, and their mean distance from it. */
export interface Profile {
  readonly share: Float64Array;
  readonly rise: Float64Array;
}

export type Axis = 'rows' | 'columns';

/** Every fourth pixel along a line is measured. */
export const STEP = 4;

/**
 * Profile of all rows or all columns of a grey picture, over the part of each that lies in `across`. The tone is
 * a whole or half level; a pixel within `noise` of it has the tone.
 */
export function profileAlong(
  { data, width, height }: Picture,
  axis: Axis,
  { from, to }: Range,
  tone: number,
  noise: number,
): Profile {
  const lines = axis === 'rows' ? height : width;
  // Twice the levels, so that half a level is an integer.
  const distances = new Int32Array(lines);
  const counts = new Int32Array(lines);
  const [twiceTone, twiceNoise] = [2 * tone, 2 * noise];
  if (axis === 'rows') {
    for (let y = 0; y < height; y++) {
      const end = y * width + to;
      let distance = 0;
      let count = 0;
      for (let at = y * width + from; at < end; at += STEP) {
        const off = Math.abs(2 * data[at] - twiceTone);
        distance += off;
        if (off > twiceNoise) count++;
      }
      distances[y] = distance;
      counts[y] = count;
    }
  } else {
    for (let y = from; y < to; y += STEP) {
      const row = y * width;
      for (let x = 0; x < width; x++) {
        const off = Math.abs(2 * data[row + x] - twiceTone);
        distances[x] += off;
        if (off > twiceNoise) counts[x]++;
      }
    }
  }
  const counted = Math.max(1, Math.ceil((to - from) / STEP));
  const share = new Float64Array(lines);
  const rise = new Float64Array(lines);
  for (let line = 0; line < lines; line++) {
    share[line] = counts[line] / counted;
    rise[line] = distances[line] / (2 * counted);
  }
  return { share, rise };
}
