import { framesPerSecond } from '../../domain/time.ts';
import { clipStartFrames, type Timeline } from '../../style/model/timeline.ts';
import { type FrameRange, FrameSchedule } from './frame-schedule.ts';

/** Everything in a timeline that determines the frames of a segment, at any place of the output. */
export interface SegmentContent {
  /** Numbers of its takes in the timeline, in the order in which `content` numbers them. */
  readonly takes: readonly number[];
  /** Plain data: equal contents over the same files give the same frames. */
  readonly content: unknown;
}

/** Output times are frames from the segment's first one, and takes are numbered in the order in which they appear. */
export function segmentContent(timeline: Timeline, { from, to }: FrameRange): SegmentContent {
  const { visible } = new FrameSchedule(timeline);
  const starts = clipStartFrames(timeline);
  const rate = framesPerSecond(timeline.frameRate);
  const takes: number[] = [];
  const numberOf = (take: number) => {
    if (!takes.includes(take)) takes.push(take);
    return takes.indexOf(take);
  };
  const shown = [...timeline.clips.entries()].filter(
    ([index]) => visible[index].startFrame < to && visible[index].endFrame > from,
  );
  const clips = shown.map(([index, clip]) => ({
    ...clip,
    take: numberOf(clip.take),
    visible: [visible[index].startFrame - from, visible[index].endFrame - from],
    own: [starts[index] - from, starts[index + 1] - from],
  }));
  const transitions = timeline.transitions
    .filter(({ clipIndex }) => visible[clipIndex].startFrame < to && visible[clipIndex - 1].endFrame > from)
    .map(({ clipIndex, ...transition }) => ({ ...transition, cut: starts[clipIndex] - from }));
  const captions = timeline.captions
    .map((cue) => ({
      ...cue,
      startSeconds: Math.round(cue.startSeconds * rate) - from,
      endSeconds: Math.round(cue.endSeconds * rate) - from,
    }))
    .filter((cue) => cue.startSeconds < to - from && cue.endSeconds > 0);
  const { frameRate, width, height, captionLook } = timeline;
  const content = {
    ...{ frames: to - from, frameRate, width, height, clips, transitions },
    grades: takes.map((take) => timeline.takes[take].grade),
    ...(captions.length === 0 ? {} : { captions, captionLook }),
  };
  return { takes, content };
}
