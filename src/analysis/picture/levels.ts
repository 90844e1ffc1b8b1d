import type { Picture } from '../../domain/footage.ts';
import { type PixelBox, pixelsWithin } from '../bars/picture-area.ts';
import type { Box } from '../facts.ts';

const LEVELS = 256;
/** Levels at the ends of the range, without tones. */
const BLACK_UP_TO = 8;
const WHITE_FROM = 250;
/** Quantile of the highlights. */
const HIGHLIGHT = 0.98;

export interface PictureLevels {
  /** Mean CIELAB lightness, 0..100. */
  readonly lightness: number;
  /** Standard deviation of luma over 255. */
  readonly contrast: number;
  /** Shares of pixels at the ends of the range. */
  readonly black: number;
  readonly white: number;
  /** Luma exceeded by 2 % of the pixels, 0..255. */
  readonly highlight: number;
}

const LIGHTNESS = Float64Array.from({ length: LEVELS }, (_, level) => lightnessOf(level / 255));

/** Exposure and contrast of the picture inside black bars. */
export function levelsOf(grey: Picture, area: Box): PictureLevels {
  const whole = { left: 0, top: 0, width: grey.width, height: grey.height };
  const counts = histogramOf(grey, pixelsWithin(area, grey) ?? whole);
  const pixels = counts.reduce((sum, count) => sum + count, 0);
  let [light, sum, squares] = [0, 0, 0];
  let [black, white] = [0, 0];
  let below = 0;
  let highlight = -1;
  for (let level = 0; level < LEVELS; level++) {
    const count = counts[level];
    light += LIGHTNESS[level] * count;
    sum += level * count;
    squares += level * level * count;
    if (level <= BLACK_UP_TO) black += count;
    if (level >= WHITE_FROM) white += count;
    below += count;
    if (highlight < 0 && below >= HIGHLIGHT * pixels) highlight = level;
  }
  const variance = squares / pixels - (sum / pixels) ** 2;
  return {
    lightness: light / pixels,
    contrast: Math.sqrt(Math.max(0, variance)) / 255,
    black: black / pixels,
    white: white / pixels,
    highlight,
  };
}

function histogramOf({ data, width }: Picture, box: PixelBox): Uint32Array {
  const counts = new Uint32Array(LEVELS);
  for (let y = box.top; y < box.top + box.height; y++) {
    for (let at = y * width + box.left; at < y * width + box.left + box.width; at++) counts[data[at]] += 1;
  }
  return counts;
}

/** CIELAB lightness of a neutral of this luma (0..1, sRGB). */
function lightnessOf(luma: number): number {
  const linear = luma <= 0.04045 ? luma / 12.92 : ((luma + 0.055) / 1.055) ** 2.4;
  return linear <= 216 / 24389 ? (24389 / 27) * linear : 116 * Math.cbrt(linear) - 16;
}
