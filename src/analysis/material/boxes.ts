/** Boxes of subjects at a time. */
import type { Box, SubjectTrack } from '../facts.ts';

/** Boxes exist about five times a second; one further away does not count. */
const NEAR_SECONDS = 0.3;

/** Boxes of the tracks, the most salient first. */
export function boxesAt(tracks: readonly SubjectTrack[], at: number): Box[] {
  return tracks
    .filter((track) => track.startSeconds <= at && track.endSeconds > at)
    .sort((a, b) => b.salience - a.salience)
    .flatMap(({ boxes }) => {
      const near = nearest(boxes, at);
      return near !== undefined && Math.abs(near.timeSeconds - at) <= NEAR_SECONDS ? [near.box] : [];
    });
}

/** Of boxes in order of time: a talk of hours has tens of thousands. */
function nearest(boxes: SubjectTrack['boxes'], at: number): SubjectTrack['boxes'][number] | undefined {
  let [from, to] = [0, boxes.length - 1];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (boxes[middle].timeSeconds <= at) from = middle;
    else to = middle;
  }
  const [before, after] = [boxes[from], boxes[to]];
  if (before === undefined || after === undefined) return before;
  return at - before.timeSeconds <= after.timeSeconds - at ? before : after;
}
