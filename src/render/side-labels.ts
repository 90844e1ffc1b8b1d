import type { Size } from '../footage.ts';
import type { CaptionBitmap } from './caption-blend.ts';
import { drawCaption } from './caption-drawing.ts';

/** Of the picture's height: small beside what is compared, and legible on a card 400 pixels wide. */
const SIZE = 0.034;
/** Smaller letters cannot be read. */
const MIN_SIZE_PIXELS = 10;
/** From the edges, in type sizes. */
const MARGIN_EM = 0.8;
/** Of a line of the type's size: from its top to its baseline. */
const ASCENT_EM = 1.1;

/** A word in the left upper corner of a part of a picture that begins at `x` (even); null: there is no room for it. */
export function sideLabel(word: string, x: number, { width, height }: Size): CaptionBitmap | null {
  const sizePixels = Math.max(MIN_SIZE_PIXELS, Math.round(height * SIZE));
  const margin = Math.round(MARGIN_EM * sizePixels);
  const face = 'inter-semibold';
  const drawn = drawCaption(
    {
      startSeconds: 0,
      endSeconds: 0,
      lines: [word],
      face,
      baselineY: Math.round(margin + ASCENT_EM * sizePixels),
    },
    {
      timing: 'lines',
      face,
      sizePixels,
      pitchPixels: sizePixels,
      lineEm: word.length,
      position: 'top',
      anchorY: 0,
      color: '#ffffff',
      ground: 'box',
    },
    width,
  );
  if (drawn === null || drawn.planes[0].width + margin > width) return null;
  return { ...drawn, x: x + 2 * Math.floor(margin / 2) };
}
