import { framesPerSecond } from '../../../src/domain/time.ts';
import { type FrameSchedule, visibleShare } from '../../../src/render/timeline/frame-schedule.ts';
import { framingAt } from '../../../src/style/model/framing.ts';
import type { Clip, Reframe, Timeline, TimelineTransition } from '../../../src/style/model/timeline.ts';
import type { Picture } from './picture.ts';

/** A clip's part of an output frame. */
export interface Layer {
  readonly clip: Clip;
  /** Part of the picture that is shown. */
  readonly framing: Reframe;
  /** Null: not decoded in time. */
  readonly picture: Picture | null;
}

/** Content of one output frame. */
export interface Scene {
  readonly number: number;
  readonly first: Layer;
  readonly second: Layer | null;
  readonly transition: TimelineTransition | null;
  /** Share of the second layer, 0..1. */
  readonly progress: number;
  /** The rendered frame, shown as it is; null: not decoded in time. Left out: the layers are drawn. */
  readonly output?: Picture | null;
}

/** The layer of most of the frame: its picture is the one before. */
export function mainLayer({ first, second, progress }: Scene): Layer {
  return second !== null && progress >= 0.5 ? second : first;
}

/** The scene of an output frame as the renderer draws it. `pictureOf`: the picture of a clip. */
export function sceneOf(
  timeline: Timeline,
  schedule: FrameSchedule,
  number: number,
  pictureOf: (clipIndex: number) => Picture | null,
  output?: Picture | null,
): Scene {
  const { first, second, transition, progress } = schedule.at(number);
  const toleranceSeconds = 0.5 / framesPerSecond(timeline.frameRate);
  const layerOf = ({ clipIndex, sourceSeconds }: typeof first): Layer => {
    const clip = timeline.clips[clipIndex]!;
    const share = visibleShare(schedule.visible[clipIndex]!, number);
    return {
      clip,
      framing: framingAt(clip, share, sourceSeconds, toleranceSeconds),
      picture: pictureOf(clipIndex),
    };
  };
  return {
    number,
    first: layerOf(first),
    second: second === null ? null : layerOf(second),
    transition,
    progress,
    ...(output === undefined ? {} : { output }),
  };
}
