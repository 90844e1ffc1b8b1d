/** How far the colors of a picture lie apart. */
import { type Picture, RGB } from '../../domain/footage.ts';
import { type PixelBox, pixelsWithin } from '../bars/picture-area.ts';
import type { Box } from '../facts.ts';

/**
 * Spread of the opponent colors red–green and yellow–blue inside black bars, over the range of values: the first term of colorfulness by Hasler
 * and Süsstrunk (2003). Black and white has 0, walls and floors .02 to .06, usual takes .06 to .15, parrots .25.
 */
export function colorSpreadOf(picture: Picture, area: Box): number {
  const { width, height, data } = picture;
  const box: PixelBox = pixelsWithin(area, picture) ?? { left: 0, top: 0, width, height };
  const sums = [0, 0, 0, 0];
  for (let y = box.top; y < box.top + box.height; y++) {
    for (let x = box.left; x < box.left + box.width; x++) {
      const at = RGB * (y * width + x);
      const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
      const redGreen = red - green;
      const yellowBlue = (red + green) / 2 - blue;
      sums[0]! += redGreen;
      sums[1]! += redGreen ** 2;
      sums[2]! += yellowBlue;
      sums[3]! += yellowBlue ** 2;
    }
  }
  const [redGreen, redGreenSquared, yellowBlue, yellowBlueSquared] = sums.map(
    (sum) => sum / (box.width * box.height),
  );
  const variance = redGreenSquared! - redGreen! ** 2 + yellowBlueSquared! - yellowBlue! ** 2;
  return Math.sqrt(Math.max(0, variance)) / 255;
}
