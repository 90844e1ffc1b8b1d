import type { Picture } from '../../domain/footage.ts';
import { pixelsWithin } from '../bars/picture-area.ts';
import type { Box } from '../facts.ts';

/** Cells of a view in a row and in a column. */
export const VIEW_SIDE = 8;
const MIDDLE = 128;
/** Levels per standard deviation: three of them fit on both sides. */
const SPREAD = 42;
/** Grey levels: a flatter picture would show its noise. */
const MIN_DEVIATION = 2;

/** A picture inside bars as 8 × 8 cells without its mean and scale. */
export function viewOf(grey: Picture, area: Box): Uint8Array {
  const { data, width, height } = grey;
  const box = pixelsWithin(area, grey) ?? { left: 0, top: 0, width, height };
  const cells = new Float64Array(VIEW_SIDE * VIEW_SIDE);
  const counts = new Float64Array(cells.length);
  for (let y = 0; y < box.height; y++) {
    const row = (box.top + y) * width + box.left;
    const firstCell = VIEW_SIDE * Math.floor((VIEW_SIDE * y) / box.height);
    for (let column = 0; column < VIEW_SIDE; column++) {
      const from = Math.ceil((column * box.width) / VIEW_SIDE);
      const to = Math.ceil(((column + 1) * box.width) / VIEW_SIDE);
      let sum = 0;
      for (let x = from; x < to; x++) sum += data[row + x];
      cells[firstCell + column] += sum;
      counts[firstCell + column] += to - from;
    }
  }
  const means = cells.map((sum, cell) => sum / Math.max(1, counts[cell]));
  const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
  const variance = means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / means.length;
  const deviation = Math.max(MIN_DEVIATION, Math.sqrt(variance));
  return Uint8Array.from(
    new Uint8ClampedArray(means.map((value) => MIDDLE + (SPREAD * (value - mean)) / deviation)),
  );
}
