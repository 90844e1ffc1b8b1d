import type { Size } from '../domain/footage.ts';
import type { PictureFormat, PixelBox } from '../domain/preview.ts';
import { framesPerSecond } from '../domain/time.ts';
import { framingAt } from '../style/model/framing.ts';
import { type Timeline, wholeClip } from '../style/model/timeline.ts';
import { blendCaption, type CaptionBitmap } from './captions/caption-blend.ts';
import { drawCaption } from './captions/caption-drawing.ts';
import { planesOf } from './picture/planes.ts';
import { TakesReader } from './picture/takes-reader.ts';
import { copyInto, writeSheet } from './previews/sheet.ts';
import {
  BAND_LINES,
  type StoryboardLayout,
  storyboardLayout,
  storyboardTile,
} from './previews/storyboard-layout.ts';
import { VideoRenderer } from './render-video.ts';
import { type ClipMoment, FrameSchedule } from './timeline/frame-schedule.ts';

/** A tile of a storyboard. */
export interface StoryboardSlot {
  /** The moment of the output that it shows, without transitions and captions. */
  readonly seconds: number;
  readonly label: string;
}

export interface StoryboardRequest {
  readonly timeline: Timeline;
  /** The files of the timeline's takes. */
  readonly takePaths: readonly string[];
  /** At least one. */
  readonly slots: readonly StoryboardSlot[];
  readonly format: PictureFormat;
  readonly picturePath: string;
}

/** Type size and baseline of a label, in lines below its tile. */
const LABEL_PIXELS = 16;
const LABEL_BASELINE = 20;

/**
 * Draws a moment of each slot as the output would show it, in one picture, without rendering the output. Of
 * each take only the frames from a key frame to that moment are decoded. Throws the errors of `TakesReader`.
 * Progress is 0..1.
 */
export async function drawStoryboard(
  { timeline, takePaths, slots, format, picturePath }: StoryboardRequest,
  onProgress: (fraction: number) => void,
): Promise<StoryboardLayout> {
  const tile = storyboardTile(timeline);
  const layout = storyboardLayout(tile, slots.length);
  const schedule = new FrameSchedule({ ...timeline, transitions: [] });
  const rate = framesPerSecond(timeline.frameRate);
  const shown = slots
    .map(({ seconds, label }, index) => ({
      moment: schedule.at(Math.min(schedule.frameCount - 1, Math.floor(seconds * rate))).first,
      label,
      box: layout.tiles[index],
    }))
    .sort((one, other) => readingOrder(timeline, one.moment, other.moment));
  const moments = momentsTimeline(
    timeline,
    shown.map(({ moment }) => moment),
    tile,
  );
  await writeSheet(layout, format, picturePath, async (planes) => {
    using reader = new TakesReader(moments, takePaths);
    using video = new VideoRenderer(moments, reader);
    for (const number of shown.keys()) {
      await reader.prepare(number);
      video.draw(number, (frame, drawn) => copyInto(planesOf(frame), planes, shown[drawn].box));
      onProgress((number + 1) / shown.length);
      await new Promise(setImmediate);
    }
    for (const { label, box } of shown) {
      const bitmap = labelBelow(label, box);
      if (bitmap !== null) blendCaption(bitmap, planes);
    }
  });
  return layout;
}

/** Sorts by take and time, so that a decoder is opened once for moments that are near each other. */
function readingOrder({ clips }: Timeline, one: ClipMoment, other: ClipMoment): number {
  return clips[one.clipIndex].take - clips[other.clipIndex].take || one.sourceSeconds - other.sourceSeconds;
}

/** One frame for each moment, with the framing and grade that it has in the output. */
function momentsTimeline(timeline: Timeline, moments: readonly ClipMoment[], tile: Size): Timeline {
  const frameSeconds = 1 / framesPerSecond(timeline.frameRate);
  return {
    version: 2,
    frameRate: timeline.frameRate,
    ...tile,
    takes: timeline.takes,
    clips: moments.map(({ clipIndex, sourceSeconds }) => {
      const clip = timeline.clips[clipIndex];
      const { sourceStartSeconds: start, sourceEndSeconds: end, take, fit } = clip;
      const box = framingAt(clip, (sourceSeconds - start) / (end - start), sourceSeconds);
      return {
        ...wholeClip(sourceSeconds, sourceSeconds + frameSeconds, 'slot'),
        ...{ take, fit, from: box, to: box },
      };
    }),
    transitions: [],
    audio: null,
    captions: [],
  };
}

/** Null: it does not fit below its tile. */
function labelBelow(label: string, { x, y, width, height }: PixelBox): CaptionBitmap | null {
  const face = 'inter-semibold';
  const drawn = drawCaption(
    {
      ...{ startSeconds: 0, endSeconds: 0, lines: [label], face },
      baselineY: LABEL_BASELINE,
    },
    {
      ...{ timing: 'lines', face, sizePixels: LABEL_PIXELS, pitchPixels: BAND_LINES, lineEm: label.length },
      ...{ position: 'top', anchorY: 0, color: '#ffffff', ground: 'shadow' },
    },
    width,
  );
  return drawn === null ? null : { ...drawn, x, y: y + height + drawn.y };
}
