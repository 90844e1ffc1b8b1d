import type { Size } from '../footage.ts';
import type { CaptionBitmap } from './caption-blend.ts';
import { drawCaption } from './caption-drawing.ts';
import { labelPixels } from './comparison-size.ts';

/** From the side's left edge, in type sizes. */
const MARGIN_EM = 0.8;
/** From the top of the strip, which is two type sizes high: letters and their ground lie in its middle. */
const BASELINE_EM = 1.35;

/** A word in the strip over a side that begins at `x` (even); null: there is no room for it. */
export function sideLabel(word: string, x: number, { width, height }: Size): CaptionBitmap | null {
  const sizePixels = labelPixels(height);
  const margin = Math.round(MARGIN_EM * sizePixels);
  const face = 'inter-semibold';
  const drawn = drawCaption(
    {
      startSeconds: 0,
      endSeconds: 0,
      lines: [word],
      face,
      baselineY: Math.round(BASELINE_EM * sizePixels),
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
