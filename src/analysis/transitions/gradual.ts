import { isSamePlace } from '../frames/likeness.ts';
import { type FrameSketch, SKETCH } from '../frames/sketch.ts';
import { classifyWindow } from './classify.ts';
import { findColorFades } from './color-fade.ts';
import { type Fade, findFades } from './fade.ts';
import { placeFade, STRAY_SECONDS } from './fade-placement.ts';
import type { FoundTransition, GradualTransition, Segment } from './gradual-transition.ts';
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
  /** Most windows examined per second of the segment. */
  WINDOWS_PER_SECOND: 4,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

export interface GradualFindings {
  /** In order of time. */
  readonly transitions: readonly FoundTransition[];
  /** Spans in which the picture changes to a color and back: cuts in them are false. */
  readonly flashes: readonly Span[];
}

/**
 * Gradual transitions among samples in order of time. Fades are first and may absorb hard cuts (the jump at
 * the end of a fade-out). Then mixtures and movements are searched between the remaining hard cuts.
 */
export function findGradualTransitions(samples: readonly FrameSketch[], segment: Segment): GradualFindings {
  const { found: fades, flashes } = fadesIn(samples, segment);
  const absorbing = [...fades, ...flashes];
  const cuts = segment.cuts
    .map((cut) => ({ start: cut - 1, end: cut }))
    .filter((cut) => !absorbing.some((fade) => meets(fade, cut)));
  const others = rangesBetween([...cuts, ...absorbing], samples.length).flatMap(({ start, end }) => {
    const startsAtCut = start === 0 || cuts.some((cut) => cut.end === start);
    const between = betweenCuts(samples, start, end, startsAtCut);
    return between.map((one) => asFade(samples, one, segment)).filter((one) => one !== null);
  });
  const all = [...fades, ...others].sort((a, b) => a.start - b.start);
  return { transitions: joinFades(samples, all), flashes };
}

/** The ranges of samples that remain between spans. */
function rangesBetween(spans: readonly Span[], sampleCount: number): readonly Span[] {
  const ranges: Span[] = [];
  let from = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start > from) ranges.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  const last = sampleCount - 1;
  return last > from ? [...ranges, { start: from, end: last }] : ranges;
}

/** Fades through black and white, and through other colors if none of the former reaches its own. */
function fadesIn(
  samples: readonly FrameSketch[],
  segment: Segment,
): { readonly found: FoundTransition[]; readonly flashes: Span[] } {
  const jumps = new Set(segment.cuts);
  const blackOrWhite = findFades(samples, jumps)
    .map((fade) => ({ fade, placed: placeFade(fade, samples, segment) }))
    .filter(({ placed }) => !isFlash(samples, placed));
  const colored = findColorFades(samples, jumps, segment)
    .map((fade) => placeFade(fade, samples, segment))
    .filter(
      (one) => !blackOrWhite.some(({ fade, placed }) => meets(placed, one) && reachesColor(samples, fade)),
    );
  const flashes = colored.filter((one) => isFlash(samples, one) || returnsAfterwards(samples, one));
  const others = blackOrWhite
    .map(({ placed }) => placed)
    .filter((one) => !colored.some((other) => meets(other, one)));
  return { found: [...others, ...colored.filter((one) => !flashes.includes(one))], flashes };
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
  const opens = segment.atStart && seconds(0, one.start) < STRAY_SECONDS;
  const closes = segment.atEnd && seconds(one.end, samples.length - 1) < STRAY_SECONDS;
  if (opens) return edgeFade(samples, one, { edge: 'start', inner: one.end, outer: one.start });
  if (closes) return edgeFade(samples, one, { edge: 'end', inner: one.start, outer: one.end });
  const [a, b] = [samples[one.start], samples[one.end]];
  if (Math.min(a.fromBlack, b.fromBlack) < SKETCH.PLAIN_LEVEL) return { ...one, type: 'fade_black' };
  if (Math.min(a.fromWhite, b.fromWhite) < SKETCH.PLAIN_LEVEL) return { ...one, type: 'fade_white' };
  const card = [BLACK, WHITE].find((ground) => isCardOn(ground, a) !== isCardOn(ground, b));
  return card === undefined ? one : { ...one, type: card.type };
}

/** The fade of a dissolve without a shot at its outer end. */
function edgeFade(
  samples: readonly FrameSketch[],
  one: GradualTransition,
  { edge, inner, outer }: { readonly edge: 'start' | 'end'; readonly inner: number; readonly outer: number },
): FoundTransition | null {
  const [shot, beyond] = [samples[inner], samples[outer]];
  const color = plainColor(beyond);
  if (color !== null) {
    const isMixed = colorGround(color).mixesWith(samples, inner, outer);
    return isMixed ? { ...one, type: 'fade_color', color: hexOf(color), edge } : null;
  }
  const isTowardsBlack = shot.fromBlack - beyond.fromBlack > shot.fromWhite - beyond.fromWhite;
  return { ...one, type: isTowardsBlack ? 'fade_black' : 'fade_white', edge };
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
      samples[one.start].timeSeconds - samples[before.end].timeSeconds < STRAY_SECONDS &&
      Math.min(samples[before.end].fromBlack, samples[before.end].fromWhite) < SKETCH.PLAIN_LEVEL;
    if (isArm) joined[joined.length - 1] = { ...before, end: one.end, easing: 'linear' };
    else joined.push(one);
  }
  return joined;
}

/** Transitions in a range without cuts, the clearest windows first; windows that overlap a found transition are skipped. */
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
