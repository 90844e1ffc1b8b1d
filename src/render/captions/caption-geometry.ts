/** Measures and colors of drawn captions: pure, because the page's player draws them too. Lengths in type sizes (em). */
import { luma709 } from '../../signal/color-space.ts';
import type { CaptionLook } from '../../style/model/timeline.ts';

/** Space above and below the baseline for accents and outlines. */
export const ABOVE_EM = 1.3;
export const BELOW_EM = 0.6;
const OUTLINE_EM = 0.07;
const SHADOW_EM = 0.045;
/**
 * The opacity passed to `drawtext`. Blending onto transparent black multiplies all four channels by the opacity, so the drawn
 * shadow has 0.36.
 */
export const SHADOW_OPACITY = 0.6;
const BOX_OPACITY = 0.8;
/** Margins of a box around the letters, horizontal and vertical. */
export const BOX_SIDE_EM = 0.36;
const BOX_TALL_EM = 0.24;
/** Luma, 0..255. Lighter text gets a black background, darker text a white one. */
const LIGHT_TEXT_LUMA = 110;

/** Width of the outline in pixels. */
export function outlinePixels(sizePixels: number): number {
  return Math.max(1, Math.round(OUTLINE_EM * sizePixels));
}

/** Offset of the shadow to the right and down, in pixels. */
export function shadowPixels(sizePixels: number): number {
  return Math.max(1, Math.round(SHADOW_EM * sizePixels));
}

/** Color of outlines, boxes and shadows behind a text of the color `#rrggbb`. */
export function backColor(color: string): 'black' | 'white' {
  return luma709(...rgbOf(color)) > LIGHT_TEXT_LUMA ? 'black' : 'white';
}

/** Color and opacity of the boxes behind the lines. */
export function boxFill({ color, box }: Pick<CaptionLook, 'color' | 'box'>): {
  readonly rgb: readonly [number, number, number];
  readonly opacity: number;
} {
  if (box !== undefined) return { rgb: rgbOf(box.color), opacity: box.opacity };
  return { rgb: backColor(color) === 'black' ? [0, 0, 0] : [255, 255, 255], opacity: BOX_OPACITY };
}

function rgbOf(color: string): [number, number, number] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
}

/** Top and bottom of the box of a line, in pixels. */
export function boxRows(baseline: number, sizePixels: number): { above: number; below: number } {
  return {
    above: Math.round(baseline - (1 + BOX_TALL_EM - 0.2) * sizePixels),
    below: Math.round(baseline + (0.22 + BOX_TALL_EM) * sizePixels),
  };
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** The direction of a text: that of its first letter (Unicode Standard Annex 9, rules P2 and P3). */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr';
}
