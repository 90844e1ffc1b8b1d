import { ColourTally } from '../../analysis/colour/tally.ts';
import { type Box, type ColourStatistics, type VideoFacts, WHOLE_PICTURE } from '../../analysis/facts.ts';
import { framingAt } from '../model/framing.ts';
import type { Clip } from '../model/timeline.ts';
import { cloudOfPixels, cloudOfStatistics } from './grade-cloud.ts';
import { holds, smallPictures } from './small-pictures.ts';

/** Of the picture's area: a framing that shows more of it shows its colours. */
const MAX_SHOWN = 0.8;
/** Pixels of the small pictures that are enough to know the colours. */
const MIN_PIXELS = 1000;

export interface ShownColour {
  readonly statistics: ColourStatistics;
  /** As `colourCloud` gives it, of true pixels where there are enough. */
  readonly cloud: Float64Array;
}

/** Colours of the visible part of a source; those of the whole picture if most of it is visible. */
export function shownColour(video: VideoFacts, clips: readonly Clip[]): ShownColour {
  const { colour } = video;
  const isWhole = shownShare(clips) > MAX_SHOWN;
  const pixels: number[] = [];
  for (const { seconds, width, height, rgb, area, covers } of smallPictures(video)) {
    const shown = isWhole ? WHOLE_PICTURE : framingOf(clips, seconds);
    if (shown === null) continue;
    for (let pixel = 0; pixel < width * height; pixel++) {
      const x = ((pixel % width) + 0.25) / width;
      const y = (Math.floor(pixel / width) + 0.25) / height;
      if (!holds(shown, x, y) || !holds(area, x, y)) continue;
      if (covers.some((box) => holds(box, x, y))) continue;
      pixels.push(rgb[3 * pixel], rgb[3 * pixel + 1], rgb[3 * pixel + 2]);
    }
  }
  if (pixels.length < 3 * MIN_PIXELS)
    return { statistics: colour.clip, cloud: cloudOfStatistics(colour.clip) };
  return { statistics: isWhole ? colour.clip : statisticsOf(pixels), cloud: cloudOfPixels(pixels) };
}

function statisticsOf(rgb: readonly number[]): ColourStatistics {
  const tally = new ColourTally();
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
