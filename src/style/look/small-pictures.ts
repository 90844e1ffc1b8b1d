import type { Box, VideoFacts } from '../../analysis/facts.ts';

/** One of a video's small pictures (`ColorFacts.moments`), and what of it is the clip's own picture. */
export interface SmallPicture {
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  /** RGB, 0..255, row by row. */
  readonly rgb: Uint8Array;
  /** The part inside the black bars. */
  readonly area: Box;
  /** Captions that are shown at this moment. */
  readonly covers: readonly Box[];
}

export function smallPictures({ color, captions }: VideoFacts): SmallPicture[] {
  const { width, height, timesSeconds, areas, rgb } = color.moments;
  const bytes = Buffer.from(rgb, 'base64');
  const length = 3 * width * height;
  return timesSeconds.map((seconds, at) => ({
    seconds,
    width,
    height,
    rgb: bytes.subarray(at * length, (at + 1) * length),
    area: areas[at],
    covers: captions.spans
      .filter(({ startSeconds, endSeconds }) => seconds >= startSeconds && seconds <= endSeconds)
      .map(({ box }) => box),
  }));
}

/** Whether a place in the picture (0..1 from left and top) lies in a box. */
export function holds(box: Box, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}
