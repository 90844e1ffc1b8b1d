/** Positions of a timeline's clips in the output and in their files, in frames. */
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import { type Clip, clipStartFrames, type Timeline, type TimelineTransition } from '../model/timeline.ts';
import { isPhoto, mediaFrames, mediaSeconds, type TimelineMedia, withinFile } from './source-media.ts';

export interface PlacedClip {
  readonly clip: Clip;
  /** In frames of the output, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** In frames of its file; for a photo, in frames of the output, after the frames for its first transition. */
  readonly sourceIn: number;
  readonly sourceOut: number;
}

export interface PlacedTransition {
  readonly transition: TimelineTransition;
  /** Frames of the output before and after the cut. */
  readonly before: number;
  readonly after: number;
}

/** Number of frames of a transition before and after its cut. */
type Reach = Pick<PlacedTransition, 'before' | 'after'>;

export interface PlacedEdit {
  readonly timeline: Timeline;
  readonly media: TimelineMedia;
  readonly clips: readonly PlacedClip[];
  /**
   * Transitions by the index of the clip to which they lead. Those for which neither file has frames beyond
   * the cut are omitted.
   */
  readonly transitions: ReadonlyMap<number, PlacedTransition>;
  readonly frameCount: number;
}

/** Whether the clips are slots of an edit; else they are one source with its own sound. */
export function isEdit({ clips }: Pick<Timeline, 'clips'>): boolean {
  return clips.some(({ reason }) => reason === 'slot');
}

/** Rate in which the times of a take's file are counted. A photo has no rate: the timeline's counts. */
export function takeRate(timeline: Timeline, { takes }: TimelineMedia, take: number): FrameRate {
  return isPhoto(takes[take]) ? timeline.frameRate : takes[take].frameRate;
}

/**
 * Places clips and transitions. The renderer stretches the ends of clips under a transition. An editing
 * program shows more of the left clip after the cut and of the right one before it. A transition therefore
 * reaches only as far as the files do.
 */
export function placedEdit(
  timeline: Timeline,
  media: TimelineMedia,
  reachOf: (transition: TimelineTransition) => Reach,
): PlacedEdit {
  const starts = clipStartFrames(timeline);
  const transitions = new Map<number, PlacedTransition>();
  for (const transition of timeline.transitions) {
    const { clipIndex } = transition;
    if (timeline.clips[clipIndex - 1] === undefined || timeline.clips[clipIndex] === undefined) continue;
    const { before, after } = reachOf(transition);
    const spare = spareFrames(timeline, media, clipIndex);
    const placed = {
      transition,
      before: Math.min(before, spare.before, starts[clipIndex] - starts[clipIndex - 1]),
      after: Math.min(after, spare.after, starts[clipIndex + 1] - starts[clipIndex]),
    };
    if (placed.before + placed.after > 0) transitions.set(clipIndex, placed);
  }
  const clips = timeline.clips.map((clip, index): PlacedClip => {
    const [start, end] = [starts[index], starts[index + 1]];
    if (isPhoto(media.takes[clip.take])) {
      const sourceIn = transitions.get(index)?.before ?? 0;
      return { clip, start, end, sourceIn, sourceOut: sourceIn + end - start };
    }
    const file = media.takes[clip.take];
    const rate = framesPerSecond(file.frameRate);
    const from = Math.round(clip.sourceStartSeconds * rate);
    const frames = Math.max(1, Math.round(clip.sourceEndSeconds * rate) - from);
    const inside = withinFile({ from, frames }, mediaFrames(file));
    return { clip, start, end, sourceIn: inside.from, sourceOut: inside.from + inside.frames };
  });
  return { timeline, media, clips, transitions, frameCount: starts.at(-1)! };
}

/** Frames of the output that the file of the clip `clipIndex` has before it, and the file of the clip before it after that one. */
function spareFrames(timeline: Timeline, { takes }: TimelineMedia, clipIndex: number): Reach {
  const fps = framesPerSecond(timeline.frameRate);
  const [left, right] = [timeline.clips[clipIndex - 1], timeline.clips[clipIndex]];
  const source = takes[left.take];
  return {
    before: isPhoto(takes[right.take])
      ? Number.POSITIVE_INFINITY
      : Math.floor(right.sourceStartSeconds * fps),
    after: isPhoto(source)
      ? Number.POSITIVE_INFINITY
      : Math.max(0, Math.floor((mediaSeconds(source) - left.sourceEndSeconds) * fps)),
  };
}

/** Frames of a photo that its clips and their transitions show at most. */
export function photoFrames({ clips, transitions }: PlacedEdit, take: number): number {
  return clips.reduce(
    (most, { clip, sourceOut }, index) =>
      clip.take === take ? Math.max(most, sourceOut + (transitions.get(index + 1)?.after ?? 0)) : most,
    1,
  );
}
