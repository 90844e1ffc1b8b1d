/** Where an animated caption is in a frame: pure, because the page's player draws it too. */
import { clamp } from '../../signal/interpolation.ts';
import type { CaptionAnimation, CaptionCue, CaptionLook } from '../../style/model/timeline.ts';

export interface CaptionMotion {
  /** 0..1 */
  readonly opacity: number;
  /** Pixels of the output from its place. */
  readonly x: number;
  readonly y: number;
  /** About its middle. */
  readonly scale: number;
}

/** Longest part of a caption's time for each animation. */
const MAX_SHARE = 1 / 3;
/** Size at which a `pop` begins. */
const POP_SCALE = 0.3;
/** Part of a slide or pop in which it becomes opaque. */
const FADE_SHARE = 0.5;
/** Height of capitals over the type size, to find the middle of a text: Inter .73, Noto Sans .71. */
const CAPITAL_EM = 0.72;

/** Null: the caption is in its place. `frame`: from the caption's first one; `frames`: of all its time. */
export function captionMotion(
  { animationIn, animationOut }: Pick<CaptionLook, 'animationIn' | 'animationOut'>,
  frame: number,
  frames: number,
  framesPerSecond: number,
): CaptionMotion | null {
  const most = MAX_SHARE * frames;
  const shareOf = (animation: CaptionAnimation | undefined, done: number) =>
    animation === undefined
      ? 1
      : clamp((done + 1) / (Math.min(most, animation.seconds * framesPerSecond) + 1), 0, 1);
  const appeared = shareOf(animationIn, frame);
  if (appeared < 1) return motionAt(animationIn!, appeared);
  const remaining = shareOf(animationOut, frames - 1 - frame);
  return remaining < 1 ? motionAt(animationOut!, remaining) : null;
}

/** `share`: 0 away, 1 in place. */
function motionAt({ type, side, distancePixels = 0 }: CaptionAnimation, share: number): CaptionMotion {
  if (type === 'fade') return { opacity: share, x: 0, y: 0, scale: 1 };
  const away = (1 - share) ** 3;
  const opacity = Math.min(1, share / FADE_SHARE);
  if (type === 'pop') return { opacity, x: 0, y: 0, scale: 1 - (1 - POP_SCALE) * away };
  const moved = distancePixels * away;
  return {
    opacity,
    x: side === 'left' ? -moved : side === 'right' ? moved : 0,
    y: side === 'top' ? -moved : side === 'bottom' ? moved : 0,
    scale: 1,
  };
}

/** Middle of a caption's text, in pixels from the output's top. */
export function middleOf({ baselineY, lines }: CaptionCue, { sizePixels, pitchPixels }: CaptionLook): number {
  return baselineY - (CAPITAL_EM * sizePixels) / 2 + ((lines.length - 1) * pitchPixels) / 2;
}

/** The caption in another size, about its middle. */
export function scaledCaption(cue: CaptionCue, look: CaptionLook, scale: number): CaptionCue {
  const middle = middleOf(cue, look);
  return {
    ...cue,
    baselineY: Math.round(middle + (cue.baselineY - middle) * scale),
    look: {
      ...look,
      sizePixels: Math.max(1, Math.round(scale * look.sizePixels)),
      pitchPixels: Math.max(1, Math.round(scale * look.pitchPixels)),
    },
  };
}
