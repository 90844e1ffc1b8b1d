import { isSamePlace } from '../frames/likeness.ts';
import { type FrameSketch, SKETCH } from '../frames/sketch.ts';
import { classifyWindow } from './classify.ts';
import { findColorFades } from './color-fade.ts';
import { type Fade, findFades } from './fade.ts';
import type { GradualTransition } from './gradual-transition.ts';
import { BLACK, coarseCorrelation, colorGround, hexOf, isCardOn, plainColor, WHITE } from './ground.ts';
import { type Span, transitionWindows } from './window.ts';

export const GRADUAL = {
  /**
   * Least correlation of one picture on both sides of a flash: fades have up to .86, light that goes out .979 or
   * more.
   */
  FLASH_LIKENESS: 0.95,
  /**
   * The same at any shift and magnification: 64 fades between different shots are below, an orbiting camera in a
   * flash above.
   */
  BACK_LIKENESS: 0.9,
  /** A shorter picture before a fade is no shot: a title still, a stray frame. */
  STRAY_SECONDS: 0.25,
  /** Most windows examined per second of the segment. */
  WINDOWS_PER_SECOND: 4,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

/** A gradual transition, and whether it opens or closes the clip. */
interface FoundTransition extends GradualTransition {
  readonly edge?: 'start' | 'end';
}

export interface GradualFindings {
  /** In order of time. */
  readonly transitions: readonly FoundTransition[];
  /** Spans in which the picture changes to a color and back: cuts in them are false. */
  readonly flashes: readonly Span[];
}

/** Position of the samples in the clip. */
export interface Segment {
  /** The first sample is the clip's first frame; the last one its last. */
  readonly atStart: boolean;
  readonly atEnd: boolean;
  /** Indices of the samples that begin with a hard cut. */
  readonly cuts: readonly number[];
}

/**
 * Gradual transitions among samples in order of time. Fades are first and may absorb hard cuts (the jump at
 * the end of a fade-out). Then mixtures and movements are searched between the remaining hard cuts.
 */
export function findGradualTransitions(samples: readonly FrameSketch[], segment: Segment): GradualFindings {
  const { found, flashes } = fadesIn(samples, segment);
  const fades = [...found, ...flashes];
  const cuts = segment.cuts.filter((cut) => !fades.some((fade) => meets(fade, { start: cut - 1, end: cut })));
  const walls = [
    { start: -1, end: 0 },
    ...cuts.map((cut) => ({ start: cut - 1, end: cut })),
    ...fades.map(({ start, end }) => ({ start, end })),
    { start: samples.length - 1, end: samples.length },
  ].sort((a, b) => a.start - b.start);
  for (let i = 0, from = 0; i < walls.length; i++) {
    const wall = walls[i];
    if (wall.start > from) {
      const between = betweenCuts(samples, from, wall.start, from === 0 || cuts.includes(from));
      found.push(...between.map((one) => asFade(samples, one, segment)).filter((one) => one !== null));
    }
    from = Math.max(from, wall.end);
  }
  found.sort((a, b) => a.start - b.start);
  return { transitions: joinFades(samples, found), flashes };
}

/** Fades through black and white, and through other colors if none of the former reaches its own. */
function fadesIn(
  samples: readonly FrameSketch[],
  segment: Segment,
): { readonly found: FoundTransition[]; readonly flashes: Span[] } {
  const jumps = new Set(segment.cuts);
  const plain = findFades(samples, jumps)
    .map((fade) => ({ fade, at: placeFade(fade, samples, segment) }))
    .filter(({ at }) => !isFlash(samples, at));
  const colored = findColorFades(samples, jumps, segment)
    .map((fade) => placeFade(fade, samples, segment))
    .filter((at) => !plain.some((one) => meets(one.at, at) && reachesColor(samples, one.fade)));
  const flashes = colored.filter((at) => isFlash(samples, at) || returnsAfterwards(samples, at));
  const found = colored.filter((at) => !flashes.includes(at));
  const others = plain.map(({ at }) => at).filter((at) => !colored.some((one) => meets(one, at)));
  return { found: [...others, ...found], flashes };
}

/** Whether a fade through black or white reaches its color. */
function reachesColor(samples: readonly FrameSketch[], { type, bottomStart }: Fade): boolean {
  const { fromBlack, fromWhite } = samples[bottomStart];
  return (type === 'fade_black' ? fromBlack : fromWhite) <= SKETCH.PLAIN_LEVEL;
}

/**
 * A dissolve from or to a plain color or a card on black or white is a fade, and so is one without a shot beyond
 * it. Null: light that changes on a bare wall.
 */
function asFade(
  samples: readonly FrameSketch[],
  one: GradualTransition,
  segment: Segment,
): FoundTransition | null {
  if (one.type !== 'dissolve') return one;
  const seconds = (from: number, to: number): number => samples[to].timeSeconds - samples[from].timeSeconds;
  const opens = segment.atStart && seconds(0, one.start) < GRADUAL.STRAY_SECONDS;
  const closes = segment.atEnd && seconds(one.end, samples.length - 1) < GRADUAL.STRAY_SECONDS;
  const [a, b] = opens ? [samples[one.end], samples[one.start]] : [samples[one.start], samples[one.end]];
  const edge = opens ? 'start' : closes ? 'end' : null;
  const color = edge === null ? null : plainColor(b);
  if (edge !== null && color !== null) {
    const [inner, outer] = opens ? [one.end, one.start] : [one.start, one.end];
    const isMixed = colorGround(color).mixesWith(samples, inner, outer);
    return isMixed ? { ...one, type: 'fade_color', color: hexOf(color), edge } : null;
  }
  if (edge !== null) {
    const towardsBlack = a.fromBlack - b.fromBlack > a.fromWhite - b.fromWhite;
    return { ...one, type: towardsBlack ? 'fade_black' : 'fade_white', edge };
  }
  if (Math.min(a.fromBlack, b.fromBlack) < SKETCH.PLAIN_LEVEL) return { ...one, type: 'fade_black' };
  if (Math.min(a.fromWhite, b.fromWhite) < SKETCH.PLAIN_LEVEL) return { ...one, type: 'fade_white' };
  const card = [BLACK, WHITE].find((ground) => isCardOn(ground, a) !== isCardOn(ground, b));
  return card === undefined ? one : { ...one, type: card.type };
}

/** Joins the two arms of a fade that were found separately. */
function joinFades(samples: readonly FrameSketch[], found: readonly FoundTransition[]): FoundTransition[] {
  const joined: FoundTransition[] = [];
  for (const one of found) {
    const before = joined.at(-1);
    const isArm =
      before !== undefined &&
      before.type === one.type &&
      before.edge === undefined &&
      one.edge === undefined &&
      (one.type === 'fade_black' || one.type === 'fade_white') &&
      samples[one.start].timeSeconds - samples[before.end].timeSeconds < GRADUAL.STRAY_SECONDS &&
      Math.min(samples[before.end].fromBlack, samples[before.end].fromWhite) < SKETCH.PLAIN_LEVEL;
    if (isArm) joined[joined.length - 1] = { ...before, end: one.end, easing: 'linear' };
    else joined.push(one);
  }
  return joined;
}

/** Best windows first; windows that overlap a found transition are skipped. */
function betweenCuts(
  samples: readonly FrameSketch[],
  first: number,
  last: number,
  startsAtCut: boolean,
): GradualTransition[] {
  const seconds = samples[last].timeSeconds - samples[first].timeSeconds;
  let budget = Math.ceil(GRADUAL.WINDOWS_PER_SECOND * seconds) + 2;
  const found: GradualTransition[] = [];
  for (const window of transitionWindows(samples, first, last)) {
    if (budget === 0) break;
    if (found.some((other) => meets(other, window))) continue;
    budget -= 1;
    const transition = classifyWindow(samples, window, { start: first, end: last, startsAtCut });
    if (transition !== null && !found.some((other) => meets(other, transition))) found.push(transition);
  }
  return found;
}

function meets(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function placeFade(fade: Fade, samples: readonly FrameSketch[], segment: Segment): FoundTransition {
  const { type, color, easing, confidence } = fade;
  const last = samples.length - 1;
  const common = { type, easing, confidence, ...(color === undefined ? {} : { color }) };
  if (fade.out !== null && fade.in !== null) {
    return { ...common, start: fade.out.whole, end: fade.in.whole };
  }
  if (fade.in !== null) {
    const shown = samples[fade.bottomStart].timeSeconds - samples[0].timeSeconds;
    if (segment.atStart && (fade.bottomStart === 0 || shown < GRADUAL.STRAY_SECONDS)) {
      return { ...common, start: fade.in.hidden, end: fade.in.whole, edge: 'start' };
    }
    return { ...common, start: Math.max(0, fade.bottomStart - 1), end: fade.in.whole };
  }
  const out = fade.out!;
  const shown = samples[last].timeSeconds - samples[fade.bottomEnd].timeSeconds;
  if (segment.atEnd && (fade.bottomEnd === last || shown < GRADUAL.STRAY_SECONDS)) {
    return { ...common, start: out.whole, end: out.hidden, edge: 'end' };
  }
  return { ...common, start: out.whole, end: Math.min(last, fade.bottomEnd + 1) };
}

/** Whether the picture before equals the one after: light that goes out and returns, or flares up. */
function isFlash(samples: readonly FrameSketch[], span: FoundTransition): boolean {
  if (span.edge !== undefined) return false;
  const likeness = coarseCorrelation(samples[span.start].coarse, samples[span.end].coarse);
  // Exactly 1 means a plain picture, which matches nothing.
  return likeness >= GRADUAL.FLASH_LIKENESS && likeness < 1;
}

/** The same under a moving camera. */
function returnsAfterwards(samples: readonly FrameSketch[], { start, end, edge }: FoundTransition): boolean {
  return edge === undefined && isSamePlace(samples[start], samples[end], GRADUAL.BACK_LIKENESS);
}
