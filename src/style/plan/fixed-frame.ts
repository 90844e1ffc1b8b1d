/** Frames and masks around a moving picture: a white card, the circle of a video note. Black bars are `shotAreas`. */
import type { VideoFacts } from '../../analysis/facts.ts';
import { oncePer } from '../../domain/once-per.ts';
import { mean, median, standardDeviation } from '../../signal/statistics.ts';
import { smallPictures } from '../look/small-pictures.ts';

/** Of 255. 66 clips: corners of six frames and masks change by at most 1.9, a corner of 48 other pictures that move by more than 2. */
const MAX_CORNER_CHANGE = 2;
/** Of 255. A picture that changes less is a still: pictures in frames have 9 to 17, two stills 2. */
const MIN_INNER_CHANGE = 6;
/** Of 255: corners of one color. White cards have 0 to 1; corners of rooms differ by 20 and more. */
const ONE_COLOR = 8;
/** Fewer pictures show no change. */
const MIN_PICTURES = 4;

interface FixedFrame {
  /** The corners rest while the picture moves: shake is the picture's alone. */
  readonly isStill: boolean;
  /** The corners have one color as well, as those of a card: closer framings would cut it unevenly. */
  readonly isCard: boolean;
}

export const fixedFrameOf = oncePer((video: VideoFacts): FixedFrame => {
  const pictures = smallPictures(video);
  const [first] = pictures;
  if (first === undefined || pictures.length < MIN_PICTURES) return { isStill: false, isCard: false };
  const { width, height } = first;
  const levelsAt = (pixel: number) =>
    [0, 1, 2].map((channel) => pictures.map(({ rgb }) => rgb[3 * pixel + channel]));
  const changeAt = (pixel: number) => mean(levelsAt(pixel).map(standardDeviation));
  const corners = [0, width - 1, width * (height - 1), width * height - 1];
  const inner = Array.from({ length: width * height }, (_, pixel) => pixel).filter((pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    return x > 0 && x < width - 1 && y > 0 && y < height - 1;
  });
  const isStill =
    corners.every((pixel) => changeAt(pixel) <= MAX_CORNER_CHANGE) &&
    median(inner.map(changeAt)) >= MIN_INNER_CHANGE;
  const colors = corners.map((pixel) => levelsAt(pixel).map(mean));
  const isOneColor = [0, 1, 2].every((channel) => {
    const levels = colors.map((color) => color[channel]);
    return Math.max(...levels) - Math.min(...levels) <= ONE_COLOR;
  });
  return { isStill, isCard: isStill && isOneColor };
});
