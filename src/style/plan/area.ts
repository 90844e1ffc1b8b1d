import type { Box, VideoFacts } from '../../analysis/facts.ts';
import { captionSpans, captionsBetween } from './segments.ts';

/** Room wanted about captions, as a share of the picture: at its very edge they look cut, and their boxes are those of the ink. */
const CAPTION_ROOM = 0.03;
/** Cuts lie between frames of the output's grid, up to one frame of 24 a second apart. */
const ROUNDED_SECONDS = 0.042;

/**
 * What lies inside the bars of all shots between two times, with the captions that stand in the bars: words are worth a
 * black strip behind them.
 */
export function shownArea(video: VideoFacts, start: number, end: number): Box {
  const areas = shotsBetween(video, start, end).map((shot) => video.shotAreas[shot]);
  const inside = hullOfBoxes(areas.length === 0 ? [video.activeArea] : areas);
  const outside = captionsBetween(video, start, end).filter((box) => !isWithin(box, inside, CAPTION_ROOM));
  const captions = captionRoom(outside);
  return captions === null ? inside : hullOfBoxes([inside, captions]);
}

/** The numbers of the shots between two times. */
export function shotsBetween({ shots }: VideoFacts, start: number, end: number): number[] {
  return shots.flatMap((shot, index) => {
    // A cut may be rounded into the neighbour by half a frame.
    const overlap = Math.min(end, shot.endSeconds) - Math.max(start, shot.startSeconds);
    return overlap > Math.min(ROUNDED_SECONDS, (end - start) / 2) ? [index] : [];
  });
}

/** Whether a box is in another, or reaches beyond it by no more than `beyond`. */
export function isWithin(box: Box, outer: Box, beyond: number): boolean {
  return (
    box.x >= outer.x - beyond &&
    box.y >= outer.y - beyond &&
    box.x + box.width <= outer.x + outer.width + beyond &&
    box.y + box.height <= outer.y + outer.height + beyond
  );
}

/** The smallest box around captions, and some room; null: there are none. */
export function captionRoom(captions: readonly Box[]): Box | null {
  return captions.length === 0 ? null : withRoom(hullOfBoxes(captions));
}

/** How long any caption is on screen between two times. */
export function captionedSeconds(video: VideoFacts, start: number, end: number): number {
  let [seconds, reached] = [0, start];
  for (const span of captionSpans(video).toSorted((one, other) => one.startSeconds - other.startSeconds)) {
    const until = Math.min(end, span.endSeconds);
    seconds += Math.max(0, until - Math.max(reached, span.startSeconds));
    reached = Math.max(reached, until);
  }
  return seconds;
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

/** With the room about it that captions want. */
export function withRoom({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.max(0, x - CAPTION_ROOM), Math.max(0, y - CAPTION_ROOM)];
  return {
    x: left,
    y: top,
    width: Math.min(1, x + width + CAPTION_ROOM) - left,
    height: Math.min(1, y + height + CAPTION_ROOM) - top,
  };
}
