import type { Transition, TransitionType, VideoFacts } from '../../analysis/facts.ts';
import { type FrameGrid, frameAt, type Segment, secondsAt } from './segments.ts';

/** A plain color hides a jump, except for this time on either side. */
const HIDDEN_SECONDS = 0.05;

const FADES: readonly TransitionType[] = ['fade_black', 'fade_white', 'fade_color'];

/** A part of a run of frames that shows one shot, and the time in which its framing may change to the next one. */
export interface Stretch extends Segment {
  /** Null: it is the last. */
  readonly leaving: { readonly startSeconds: number; readonly endSeconds: number } | null;
}

/** A run of frames, split in the middle of its gradual transitions, because each part shows another shot. */
export function stretchesOf(video: VideoFacts, grid: FrameGrid, run: Segment): Stretch[] {
  const stretches: Stretch[] = [];
  let startFrame = run.startFrame;
  for (const transition of video.transitions) {
    if (transition.type === 'cut' || transition.edge !== undefined) continue;
    const middle = frameAt(grid, (transition.startSeconds + transition.endSeconds) / 2);
    if (middle <= startFrame || middle >= run.endFrame) continue;
    stretches.push({ startFrame, endFrame: middle, leaving: leavingOf(transition, run, grid) });
    startFrame = middle;
  }
  stretches.push({ startFrame, endFrame: run.endFrame, leaving: null });
  return stretches;
}

function leavingOf(transition: Transition, run: Segment, grid: FrameGrid) {
  const { startSeconds, endSeconds } = transition;
  const isHidden = FADES.includes(transition.type);
  const middle = (startSeconds + endSeconds) / 2;
  const half = isHidden ? HIDDEN_SECONDS : (endSeconds - startSeconds) / 2;
  return {
    startSeconds: Math.max(secondsAt(grid, run.startFrame), middle - half),
    endSeconds: Math.min(secondsAt(grid, run.endFrame), middle + half),
  };
}
