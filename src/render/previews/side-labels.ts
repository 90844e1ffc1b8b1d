import type { Size } from '../../domain/footage.ts';
import type { CaptionBitmap } from '../captions/caption-blend.ts';
import { drawCaption } from '../captions/caption-drawing.ts';
import { bandLines } from './comparison-size.ts';

/** Of the band's height. */
const SIZE = 0.58;
/** From the side's left edge, in type sizes. */
const MARGIN_EM = 0.8;
/** From the middle of capitals and small letters together to the baseline. */
const MIDDLE_EM = 0.33;

/** A word in the band below a side that begins at `x` (even); null: there is no room for it. */
export function sideLabel(word: string, x: number, { width, height }: Size): CaptionBitmap | null {
  const band = bandLines(height);
  const sizePixels = Math.round(band * SIZE);
  const margin = Math.round(MARGIN_EM * sizePixels);
  const face = 'inter-semibold';
  const drawn = drawCaption(
    {
      startSeconds: 0,
      endSeconds: 0,
      lines: [word],
      face,
      baselineY: Math.round(height + band / 2 + MIDDLE_EM * sizePixels),
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
      ground: 'shadow',
    },
    width,
  );
  if (drawn === null || drawn.planes[0].width + margin > width) return null;
  return { ...drawn, x: x + 2 * Math.floor(margin / 2) };
}
