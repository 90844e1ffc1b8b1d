/** Cards: shots of a logo or a title on a background of one color. */
import { type Box, type VideoFacts, WHOLE_PICTURE } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import type { Reframe } from '../model/timeline.ts';
import { hullOfBoxes, shotsBetween, withMargin } from './area.ts';

/** The box around the content of the cards between two times, with a margin; null if a shot is no card, or has bars. */
export function cardOf(video: VideoFacts, start: number, end: number): Box | null {
  const boxes = shotsBetween(video, start, end).map((shot) => {
    const { width, height } = video.shotAreas[shot] ?? WHOLE_PICTURE;
    return width === 1 && height === 1 ? (video.cards[shot] ?? null) : null;
  });
  const standing = boxes.filter((box) => box !== null);
  return boxes.length === 0 || standing.length < boxes.length ? null : withMargin(hullOfBoxes(standing));
}

export function isHeld({ width, height }: Size, window: Size): boolean {
  return width <= window.width && height <= window.height;
}

/** The smallest size that contains both. */
export function hullOf(one: Size, other: Size): Size {
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}

/** The framing of a size, centred on a box as far as the picture allows. */
export function about({ x, y, width, height }: Box, size: Size): Reframe {
  const start = (middle: number, length: number) => Math.max(0, Math.min(1 - length, middle - length / 2));
  return { x: start(x + width / 2, size.width), y: start(y + height / 2, size.height), ...size };
}
