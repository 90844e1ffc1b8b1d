import { ColorTally } from '../../analysis/color/tally.ts';
import { type Box, type ColorStatistics, type VideoFacts, WHOLE_PICTURE } from '../../analysis/facts.ts';
import { oncePer } from '../../domain/once-per.ts';
import { framingAt } from '../model/framing.ts';
import type { Clip } from '../model/timeline.ts';
import { cloudOfPixels, cloudOfStatistics } from './grade-cloud.ts';
import { holds, smallPictures } from './small-pictures.ts';

/** Of the picture's area: a framing that shows more of it shows its colors. */
const MAX_SHOWN = 0.8;
/** Pixels of the small pictures that are enough to know the colors. */
const MIN_PIXELS = 1000;

export interface ShownColor {
  readonly statistics: ColorStatistics;
  /** As `colorCloud` gives it, of true pixels where there are enough. */
  readonly cloud: Float64Array;
}

/** Colors of the visible part of a source; those of the whole picture if most of it is visible. */
export function shownColor(video: VideoFacts, clips: readonly Clip[]): ShownColor {
  if (shownShare(clips) > MAX_SHOWN) return wholeColor(video);
  const pixels = shownPixels(video, (seconds) => framingOf(clips, seconds));
  return colorOf(video, pixels, () => statisticsOf(pixels));
}

/** Of the same measurements, when a plan is made again after a change. */
const wholeColor = oncePer((video: VideoFacts) =>
  colorOf(
    video,
    shownPixels(video, () => WHOLE_PICTURE),
    () => video.color.clip,
  ),
);

function colorOf(
  { color }: VideoFacts,
  pixels: readonly number[],
  statistics: () => ColorStatistics,
): ShownColor {
  if (pixels.length < 3 * MIN_PIXELS) return { statistics: color.clip, cloud: cloudOfStatistics(color.clip) };
  return { statistics: statistics(), cloud: cloudOfPixels(pixels) };
}

/** Red, green and blue of the pixels of the small pictures inside a box at each time; null: none. */
function shownPixels(video: VideoFacts, shownAt: (seconds: number) => Box | null): readonly number[] {
  const pixels: number[] = [];
  for (const { seconds, width, height, rgb, area, covers } of smallPictures(video)) {
    const shown = shownAt(seconds);
    if (shown === null) continue;
    for (let pixel = 0; pixel < width * height; pixel++) {
      const x = ((pixel % width) + 0.25) / width;
      const y = (Math.floor(pixel / width) + 0.25) / height;
      if (!holds(shown, x, y) || !holds(area, x, y)) continue;
      if (covers.some((box) => holds(box, x, y))) continue;
      pixels.push(rgb[3 * pixel], rgb[3 * pixel + 1], rgb[3 * pixel + 2]);
    }
  }
  return pixels;
}

function statisticsOf(rgb: readonly number[]): ColorStatistics {
  const tally = new ColorTally();
  tally.add(Uint8Array.from(rgb));
  return tally.statistics();
}

/** Mean over time, of the picture's area. */
function shownShare(clips: readonly Clip[]): number {
  let [shown, seconds] = [0, 0];
  for (const { from, sourceStartSeconds, sourceEndSeconds } of clips) {
    shown += (sourceEndSeconds - sourceStartSeconds) * from.width * from.height;
    seconds += sourceEndSeconds - sourceStartSeconds;
  }
  return seconds === 0 ? 1 : shown / seconds;
}

function framingOf(clips: readonly Clip[], seconds: number): Box | null {
  const clip = clips.find((one) => seconds >= one.sourceStartSeconds && seconds < one.sourceEndSeconds);
  if (clip === undefined) return null;
  const length = clip.sourceEndSeconds - clip.sourceStartSeconds;
  return framingAt(clip, (seconds - clip.sourceStartSeconds) / length, seconds);
}
