import { rounded } from '../../signal/rounding.ts';
import type { MotionCurve, VideoFacts } from '../facts.ts';
import type { CameraPlace } from './take-material.ts';

/** Share of the picture that the measured camera explains; below, its path is not known. */
const MIN_SUPPORT = 0.2;
/** A few frames without a measured camera, such as a flash, shift little. */
const LOST_SECONDS = 0.2;

/** Where the camera points in the middle of each of `count` views of `viewSeconds`. */
export function cameraPlaces(
  curve: MotionCurve,
  { width, height, transitions }: Pick<VideoFacts, 'width' | 'height' | 'transitions'>,
  count: number,
  viewSeconds: number,
): CameraPlace[] {
  const { timesSeconds: times, shiftX, shiftY, logScale, support } = curve;
  const diagonal = Math.hypot(width, height);
  let [x, y, zoom] = [0, 0, 0];
  let [losses, lostSeconds, cuts] = [0, 0, 0];
  let frame = 1;
  return Array.from({ length: count }, (_, view) => {
    for (; frame < times.length && times[frame] <= (view + 0.5) * viewSeconds; frame++) {
      x += (shiftX[frame] * width) / diagonal;
      y += (shiftY[frame] * height) / diagonal;
      zoom += logScale[frame];
      lostSeconds = support[frame] < MIN_SUPPORT ? lostSeconds + times[frame] - times[frame - 1] : 0;
      if (lostSeconds >= LOST_SECONDS) losses += 1;
      while (cuts < transitions.length && transitions[cuts].startSeconds <= times[frame]) cuts += 1;
    }
    return { x: rounded(x, 3), y: rounded(y, 3), zoom: rounded(zoom, 3), part: losses + cuts };
  });
}
