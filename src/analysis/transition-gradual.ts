import type { FrameSketch } from './shot-sketch.ts';
import { coarseDistance } from './shot-sketch.ts';
import { classifyWindow, type GradualTransition } from './transition-classify.ts';
import { coarseCorrelation, type Fade, findFades } from './transition-fade.ts';
import { transitionWindows } from './transition-window.ts';

/** A gradual transition, and whether it opens or closes the clip. */
export interface FoundTransition extends GradualTransition {
  readonly edge?: 'start' | 'end';
}

/** A white flash comes back to the same picture within this time; a fade through white does not. */
const FLASH_SECONDS = 0.8;
const FLASH_LIKENESS = 0.85;
/** What stands before a fade for less than this is no shot: a title still, a stray frame. */
const STRAY_SECONDS = 0.25;
/** A hard cut this near to the end of a gradual transition is its last step: no shot is so short. */
const LEAST_SHOT_SECONDS = 0.16;
/** Windows looked at closely, per second of the stretch. */
const WINDOWS_PER_SECOND = 4;

/** The samples' place in the clip. */
export interface Stretch {
  /** The first sample is the clip's first frame; the last one its last. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
  /** Indices of the samples that begin with a hard cut. */
  readonly cuts: readonly number[];
}

/**
 * Gradual transitions among samples in order of time: fades first, which may take hard cuts into themselves
 * (the jump at the end of a fade-out), then mixtures and movements between the hard cuts that are left.
 */
export function findGradualTransitions(samples: readonly FrameSketch[], stretch: Stretch): FoundTransition[] {
  if (samples.length < 3) return [];
  const found = findFades(samples, new Set(stretch.cuts))
    .map((fade) => placeFade(samples, fade, stretch))
    .filter((fade) => fade !== null);
  const walls = [
    { start: -1, end: 0 },
    ...stretch.cuts.map((cut) => ({ start: cut - 1, end: cut })),
    ...found.map(({ start, end }) => ({ start, end })),
    { start: samples.length - 1, end: samples.length },
  ].sort((a, b) => a.start - b.start);
  for (let i = 0, from = 0; i < walls.length; i++) {
    const wall = walls[i];
    if (wall.start > from) {
      const between = betweenCuts(samples, from, wall.start);
      found.push(...between.map((transition) => reachToCuts(samples, transition, stretch.cuts)));
    }
    from = Math.max(from, wall.end);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Best windows first; what overlaps a transition already found is not looked at. */
function betweenCuts(samples: readonly FrameSketch[], first: number, last: number): GradualTransition[] {
  const seconds = samples[last].timeSeconds - samples[first].timeSeconds;
  let budget = Math.ceil(WINDOWS_PER_SECOND * seconds) + 2;
  const found: GradualTransition[] = [];
  for (const window of transitionWindows(samples, first, last)) {
    if (budget === 0) break;
    if (found.some((other) => sharesMuch(other, window))) continue;
    budget -= 1;
    const transition = classifyWindow(samples, window, first, last);
    if (transition === null || found.some((other) => meets(other, transition))) continue;
    found.push(transition);
  }
  return found;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function meets(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The window lies for the most part inside a transition, or the transition inside the window. */
function sharesMuch(found: Span, window: Span): boolean {
  const shared = Math.min(found.end, window.end) - Math.max(found.start, window.start);
  return shared > 0.3 * Math.min(found.end - found.start, window.end - window.start);
}

/** Takes a hard cut just after a transition into it. */
function reachToCuts(
  samples: readonly FrameSketch[],
  transition: GradualTransition,
  cuts: readonly number[],
): GradualTransition {
  const endSeconds = samples[transition.end].timeSeconds;
  const after = cuts.find(
    (cut) => cut > transition.end && samples[cut].timeSeconds - endSeconds < LEAST_SHOT_SECONDS,
  );
  return { ...transition, end: after ?? transition.end };
}

function placeFade(samples: readonly FrameSketch[], fade: Fade, stretch: Stretch): FoundTransition | null {
  const { type, easing, confidence } = fade;
  const last = samples.length - 1;
  const common = { type, easing, confidence };
  if (fade.out !== null && fade.in !== null) {
    const span = { start: fade.out.whole, end: fade.in.whole };
    return isFlash(samples, fade, span) ? null : { ...common, ...span };
  }
  if (fade.in !== null) {
    const shown = samples[fade.bottomStart].timeSeconds - samples[0].timeSeconds;
    if (stretch.atStart && (fade.bottomStart === 0 || shown < STRAY_SECONDS)) {
      return { ...common, start: fade.in.gone, end: fade.in.whole, edge: 'start' };
    }
    return { ...common, start: Math.max(0, fade.bottomStart - 1), end: fade.in.whole };
  }
  const out = fade.out!;
  const shown = samples[last].timeSeconds - samples[fade.bottomEnd].timeSeconds;
  if (stretch.atEnd && (fade.bottomEnd === last || shown < STRAY_SECONDS)) {
    return { ...common, start: out.whole, end: out.gone, edge: 'end' };
  }
  return { ...common, start: out.whole, end: Math.min(last, fade.bottomEnd + 1) };
}

function isFlash(samples: readonly FrameSketch[], fade: Fade, span: Span): boolean {
  const before = samples[span.start];
  const after = samples[span.end];
  if (fade.type !== 'fade_white' || after.timeSeconds - before.timeSeconds > FLASH_SECONDS) return false;
  const middle = samples[fade.bottomStart];
  return (
    coarseCorrelation(before.coarse, after.coarse) >= FLASH_LIKENESS &&
    coarseDistance(before, after) < 0.4 * coarseDistance(before, middle)
  );
}
