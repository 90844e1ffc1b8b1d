import type { Size } from '../../domain/footage.ts';
import type { PixelBox } from '../../domain/preview.ts';

interface PreviewCell {
  readonly before: PixelBox;
  readonly after: PixelBox;
}

export interface PreviewLayout extends Size {
  readonly cells: readonly PreviewCell[];
}

const COLUMNS = 3;
/** Pixels between before and after, so that they do not blend into one picture. */
const SEAM = 4;
const GAP = 12;
/** Pixels of one frame, so that the whole preview is about as wide as a screen. */
const FRAME_PIXELS = { few: 960 * 540, many: 640 * 360 } as const;
/** Longer pictures are squeezed to this ratio, like thumbnails. */
const MAX_RATIO = 8;

/** Size of each frame of a preview: the source's shape, never enlarged. */
export function previewFrameSize(source: Size, moments: number): Size {
  const ratio = Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, source.width / source.height));
  const area = moments < COLUMNS ? FRAME_PIXELS.few : FRAME_PIXELS.many;
  const width = Math.min(Math.sqrt(area * ratio), source.width, source.height * ratio);
  const even = (length: number) => Math.max(16, 2 * Math.round(length / 2));
  return { width: even(width), height: even(width / ratio) };
}

/**
 * Moments from left to right, at most three in a row. The frame after is placed below a wide frame and beside an upright one, so that
 * both are close and the preview has the shape of a screen.
 */
export function previewLayout(frame: Size, moments: number): PreviewLayout {
  const beside = frame.height > frame.width;
  const step = beside ? { x: frame.width + SEAM, y: 0 } : { x: 0, y: frame.height + SEAM };
  const pair = { width: frame.width + step.x, height: frame.height + step.y };
  const columns = Math.min(COLUMNS, moments);
  const rows = Math.ceil(moments / columns);
  const cells = Array.from({ length: moments }, (_, index) => {
    const x = (index % columns) * (pair.width + GAP);
    const y = Math.floor(index / columns) * (pair.height + GAP);
    return { before: { ...frame, x, y }, after: { ...frame, x: x + step.x, y: y + step.y } };
  });
  const span = (count: number, length: number) => count * (length + GAP) - GAP;
  return { width: span(columns, pair.width), height: span(rows, pair.height), cells };
}
