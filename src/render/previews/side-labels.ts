import type { Size } from '../../domain/footage.ts';
import type { CaptionBitmap } from '../captions/caption-blend.ts';
import { drawCaption } from '../captions/caption-drawing.ts';
import { bandLines } from './comparison-size.ts';

/** Type size as a share of the band's height. */
const SIZE_SHARE = 0.58;
/** Distance from the side's left edge, in type sizes. */
const MARGIN_EM = 0.8;
/** Distance from the vertical centre of the letters to the baseline, in type sizes. */
const CENTRE_TO_BASELINE_EM = 0.33;

/** A word in the band below a side that begins at `x` (even); null: it does not fit. */
export function sideLabel(word: string, x: number, { width, height }: Size): CaptionBitmap | null {
  const band = bandLines(height);
  const sizePixels = Math.round(band * SIZE_SHARE);
  const margin = Math.round(MARGIN_EM * sizePixels);
  const face = 'inter-semibold';
  const drawn = drawCaption(
    {
      startSeconds: 0,
      endSeconds: 0,
      lines: [word],
      face,
      baselineY: Math.round(height + band / 2 + CENTRE_TO_BASELINE_EM * sizePixels),
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
