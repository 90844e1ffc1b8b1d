import { ColourTally } from '../../analysis/colour/tally.ts';
import { type Box, type ColourStatistics, type VideoFacts, WHOLE_PICTURE } from '../../analysis/facts.ts';
import { framingAt } from '../model/framing.ts';
import type { Clip } from '../model/timeline.ts';
import { cloudOfPixels, cloudOfStatistics } from './grade-cloud.ts';

/** Of the picture's area: a framing that shows more of it shows its colours. */
const MAX_SHOWN = 0.8;
/** Pixels of the small pictures that say what colours there are. */
const MIN_PIXELS = 1000;

export interface ShownColour {
  readonly statistics: ColourStatistics;
  /** As `colourCloud` gives it, of true pixels where there are enough. */
  readonly cloud: Float64Array;
}

/** Colours of what the clips show of a source; those of the whole picture where they show most of it. */
export function shownColour({ colour, captions }: VideoFacts, clips: readonly Clip[]): ShownColour {
  const isWhole = shownShare(clips) > MAX_SHOWN;
  const { width, height, timesSeconds, areas, rgb } = colour.moments;
  const bytes = Buffer.from(rgb, 'base64');
  const pixels: number[] = [];
  for (const [moment, seconds] of timesSeconds.entries()) {
    const shown = isWhole ? WHOLE_PICTURE : framingOf(clips, seconds);
    if (shown === null) continue;
    const covers = captions.spans
      .filter(({ startSeconds, endSeconds }) => seconds >= startSeconds && seconds <= endSeconds)
      .map(({ box }) => box);
    for (let pixel = 0; pixel < width * height; pixel++) {
      const x = ((pixel % width) + 0.25) / width;
      const y = (Math.floor(pixel / width) + 0.25) / height;
      if (!holds(shown, x, y) || !holds(areas[moment]!, x, y)) continue;
      if (covers.some((box) => holds(box, x, y))) continue;
      const at = 3 * (moment * width * height + pixel);
      pixels.push(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!);
    }
  }
  if (pixels.length < 3 * MIN_PIXELS)
    return { statistics: colour.clip, cloud: cloudOfStatistics(colour.clip) };
  return { statistics: isWhole ? colour.clip : statisticsOf(pixels), cloud: cloudOfPixels(pixels) };
}

function statisticsOf(rgb: readonly number[]): ColourStatistics {
  const tally = new ColourTally();
  for (let at = 0; at < rgb.length; at += 3) tally.addRgb(rgb[at]!, rgb[at + 1]!, rgb[at + 2]!);
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

function holds(box: Box, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}
