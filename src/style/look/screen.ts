/** Screen recordings: most cells of a picture equal those of the one before, because there is no noise of a camera. */
import type { VideoFacts } from '../../analysis/facts.ts';
import { oncePer } from '../../domain/once-per.ts';
import { median } from '../../signal/statistics.ts';
import { isMostlyDrawn } from '../model/drawn.ts';
import { type SmallPicture, smallPictures } from './small-pictures.ts';

/** Least share of the cells that stay equal from picture to picture, in the median. 67 clips: five screens .91 to 1, cameras up to .81, two drawings 1. */
const MIN_UNCHANGED = 0.88;
/** Sum over the channels, of 255 each, up to which a cell does not change: rounding. */
const MAX_CHANGE = 2;
/** Of 255: darker cells show no noise, at night either. Dark screens have 24 and more. */
const MIN_LEVEL = 16;
/** Least share of lighter cells. */
const MIN_LIGHTER = 0.1;
/** Fewer pictures show no change. */
const MIN_PICTURES = 4;

/** Whether the picture is drawn or a screen recording, whose letters and plain surfaces show any crop and cast. */
export function isScreenOrDrawing(video: VideoFacts): boolean {
  return isMostlyDrawn(video) || isScreenRecording(video);
}

export const isScreenRecording = oncePer((video: VideoFacts): boolean => {
  if (video.isStill || video.faces.length > 0) return false;
  const pictures = smallPictures(video);
  if (pictures.length < MIN_PICTURES) return false;
  const shares = pictures.slice(1).map((picture, at) => unchangedShare(pictures[at], picture));
  return median(shares) >= MIN_UNCHANGED;
});

/** Share of the cells that are not dark and equal in both; 0 if almost all are dark. */
function unchangedShare({ rgb: before }: SmallPicture, { rgb: after }: SmallPicture): number {
  let [lighter, unchanged] = [0, 0];
  for (let at = 0; at < after.length; at += 3) {
    if (Math.max(after[at], after[at + 1], after[at + 2]) < MIN_LEVEL) continue;
    lighter++;
    const change = [0, 1, 2].reduce((sum, axis) => sum + Math.abs(after[at + axis] - before[at + axis]), 0);
    if (change <= MAX_CHANGE) unchanged++;
  }
  return lighter < (MIN_LIGHTER * after.length) / 3 ? 0 : unchanged / lighter;
}
