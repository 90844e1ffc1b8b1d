import type { FrameSketch } from '../frames/sketch.ts';
import type { Candidate } from './candidate.ts';
import { candidatesIn } from './candidates.ts';
import { MIN_WHOLE_SECONDS } from './fade-arm.ts';
import type { GradualTransition } from './gradual-transition.ts';
import { isNoTransition } from './no-transition.ts';
import { EVIDENCE, type SpanEvidence, spanEvidence } from './span-evidence.ts';
import { type Kind, WEIGHTS } from './transition-weights.ts';
import { overlap, type Span } from './window.ts';

/**
 * Real clips: on known ones .5 gives three more false transitions than .7; on unseen ones .7 gives one more
 * than .8. The number found is the same.
 */
const MIN_PROBABILITY = 0.8;

/** Largest return to the old picture: somebody who passes the lens returns more. */
const MAX_RETURN = 0.67;

/**
 * A moving edge is a slide if a slide leaves at most this share of the residual of a wipe over the same span: 71 of 76
 * slides .13 to .74, the others to 1.05; 91 of 92 wipes .78 to 2.9, one .69.
 */
const MAX_SLIDE_RESIDUAL = 0.74;
/** Share of their union from which a wipe and a slide have the same span. */
const SAME_SPAN = 0.5;

const NAMED_WEIGHTS = {
  dissolve: namedWeights('dissolve'),
  wipe: namedWeights('wipe'),
  slide: namedWeights('slide'),
  zoom: namedWeights('zoom'),
};

function namedWeights(kind: Kind): [keyof SpanEvidence, number][] {
  return Object.entries(WEIGHTS[kind]) as [keyof SpanEvidence, number][];
}

/** Samples without a hard cut. */
interface Stretch extends Span {
  /** Not at the end of a fade: the first sample is the clip's first one or follows a hard cut. */
  readonly startsAtCut: boolean;
}

/**
 * The transition in a window inside `segment`, which has no hard cut: the most probable candidate, if it is
 * probable enough.
 */
export function classifyWindow(
  samples: readonly FrameSketch[],
  window: Span,
  segment: Stretch,
): GradualTransition | null {
  const rated: Rated[] = [];
  for (const candidate of candidatesIn(samples, window, segment)) {
    const evidence = spanEvidence(samples, candidate, segment);
    if (evidence.return <= MAX_RETURN) rated.push({ candidate, odds: oddsOf(candidate, evidence) });
  }
  let best: Candidate | null = null;
  let bestOdds = Math.log(MIN_PROBABILITY / (1 - MIN_PROBABILITY));
  for (const { candidate, odds } of edgesNamed(rated)) {
    if (odds <= bestOdds || isNoTransition(samples, candidate)) continue;
    best = candidate;
    bestOdds = odds;
  }
  if (best === null || !isAfterWhole(samples, best, segment)) return null;
  const { type, start, end, fit } = best;
  return {
    ...{ type, start, end, easing: fit.easing },
    ...('direction' in best ? { direction: best.direction } : {}),
    confidence: 1 / (1 + Math.exp(-bestOdds)),
  };
}

interface Rated {
  readonly candidate: Candidate;
  readonly odds: number;
}

/** A wipe that a slide explains better gives its odds to the slide: both say that an edge moves over the picture. */
function edgesNamed(rated: readonly Rated[]): Rated[] {
  const isSlide = (slide: Candidate, wipe: Candidate): boolean =>
    slide.type === 'slide' &&
    wipe.type === 'wipe' &&
    overlap(slide, wipe) >= SAME_SPAN &&
    slide.residual + EVIDENCE.MIN_RESIDUAL <= MAX_SLIDE_RESIDUAL * (wipe.residual + EVIDENCE.MIN_RESIDUAL);
  return rated
    .filter((one) => !rated.some((other) => isSlide(other.candidate, one.candidate)))
    .map((one) => {
      const wipes = rated.filter((other) => isSlide(one.candidate, other.candidate));
      const all = [one, ...wipes].reduce((sum, { odds }) => sum + Math.exp(odds), 0);
      return { ...one, odds: Math.log(all) };
    });
}

/** Whether the old picture is seen whole. A dissolve from the clip's first frame is a fade and has none. */
function isAfterWhole(
  samples: readonly FrameSketch[],
  { type, start }: Candidate,
  segment: Stretch,
): boolean {
  if (!segment.startsAtCut || (type === 'dissolve' && segment.start === 0)) return true;
  return samples[start].timeSeconds - samples[segment.start].timeSeconds >= MIN_WHOLE_SECONDS;
}

/** Log odds against no transition: a conditional logit with weights per kind. */
function oddsOf(candidate: Candidate, evidence: SpanEvidence): number {
  let odds = 0;
  for (const [name, weight] of NAMED_WEIGHTS[kindOf(candidate)]) odds += weight * evidence[name];
  return odds;
}

/** Wipes and circles share evidence and weights. */
export function kindOf({ type }: Pick<Candidate, 'type'>): Kind {
  return type === 'circle' ? 'wipe' : type;
}
