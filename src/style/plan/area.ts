import type { Box, VideoFacts } from '../../analysis/facts.ts';
import { coveredSeconds } from '../../domain/spans.ts';
import { captionSpans, captionsBetween } from './lettering.ts';

/**
 * Margin around captions, as a share of the picture: their boxes are those of the ink, and ink at the edge looks cut
 * off.
 */
const CAPTION_MARGIN = 0.03;
/** Cuts are rounded to frames of the output, up to one frame at 24 a second. */
const ROUNDED_SECONDS = 0.042;

/**
 * The picture inside the bars of all shots between two times, extended by captions inside the bars: words matter more
 * than a black strip.
 */
export function shownArea(video: VideoFacts, start: number, end: number): Box {
  const areas = shotsBetween(video, start, end).map((shot) => video.shotAreas[shot]);
  const inside = hullOfBoxes(areas.length === 0 ? [video.activeArea] : areas);
  const outside = captionsBetween(video, start, end).filter((box) => !isWithin(box, inside, CAPTION_MARGIN));
  const captions = captionRoom(outside);
  return captions === null ? inside : hullOfBoxes([inside, captions]);
}

/** The numbers of the shots between two times. */
export function shotsBetween({ shots }: VideoFacts, start: number, end: number): number[] {
  return shots.flatMap((shot, index) => {
    // A cut may be rounded by half a frame.
    const overlap = Math.min(end, shot.endSeconds) - Math.max(start, shot.startSeconds);
    return overlap > Math.min(ROUNDED_SECONDS, (end - start) / 2) ? [index] : [];
  });
}

/** Whether a box is inside another, with a tolerance of `beyond`. */
export function isWithin(box: Box, outer: Box, beyond: number): boolean {
  return (
    box.x >= outer.x - beyond &&
    box.y >= outer.y - beyond &&
    box.x + box.width <= outer.x + outer.width + beyond &&
    box.y + box.height <= outer.y + outer.height + beyond
  );
}

/** The smallest box around captions, with their margin; null: there are none. */
export function captionRoom(captions: readonly Box[]): Box | null {
  return captions.length === 0 ? null : withMargin(hullOfBoxes(captions));
}

/** Time in which any caption is visible between two times. */
export function captionedSeconds(video: VideoFacts, startSeconds: number, endSeconds: number): number {
  return coveredSeconds({ startSeconds, endSeconds }, captionSpans(video));
}

/** The smallest box around all. */
export function hullOfBoxes(boxes: readonly Box[]): Box {
  const [first] = boxes;
  // Sums of shares are not exact: one box is its own hull.
  if (boxes.length === 1 && first !== undefined) return first;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/** The box with the margin of captions. */
export function withMargin({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.max(0, x - CAPTION_MARGIN), Math.max(0, y - CAPTION_MARGIN)];
  return {
    x: left,
    y: top,
    width: Math.min(1, x + width + CAPTION_MARGIN) - left,
    height: Math.min(1, y + height + CAPTION_MARGIN) - top,
  };
}
