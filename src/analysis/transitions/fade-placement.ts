import type { FrameSketch } from '../frames/sketch.ts';
import type { Fade } from './fade.ts';
import type { FoundTransition, Segment } from './gradual-transition.ts';

/** A shorter picture before or after a fade is no shot: a title still, a stray frame. */
export const STRAY_SECONDS = 0.25;

/**
 * The span of a fade. With both arms it runs from picture to picture. A fade-in alone opens the clip, or begins where the plain color
 * begins; a fade-out alone closes the clip, or ends where the plain color ends.
 */
export function placeFade(fade: Fade, samples: readonly FrameSketch[], segment: Segment): FoundTransition {
  const { type, color, easing, confidence } = fade;
  const common = { type, easing, confidence, ...(color === undefined ? {} : { color }) };
  if (fade.out !== null && fade.in !== null) return { ...common, start: fade.out.whole, end: fade.in.whole };
  const last = samples.length - 1;
  const secondsBetween = (from: number, to: number) => samples[to].timeSeconds - samples[from].timeSeconds;
  if (fade.in !== null) {
    const isOpening =
      segment.atStart && (fade.bottomStart === 0 || secondsBetween(0, fade.bottomStart) < STRAY_SECONDS);
    return isOpening
      ? { ...common, start: fade.in.hidden, end: fade.in.whole, edge: 'start' }
      : { ...common, start: Math.max(0, fade.bottomStart - 1), end: fade.in.whole };
  }
  const out = fade.out!;
  const isClosing =
    segment.atEnd && (fade.bottomEnd === last || secondsBetween(fade.bottomEnd, last) < STRAY_SECONDS);
  return isClosing
    ? { ...common, start: out.whole, end: out.hidden, edge: 'end' }
    : { ...common, start: out.whole, end: Math.min(last, fade.bottomEnd + 1) };
}
