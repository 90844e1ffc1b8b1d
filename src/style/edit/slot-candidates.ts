/** Spans of takes that could fill a slot, with what speaks for and against each. */
import type { Span } from '../../analysis/facts.ts';
import { lengthOf } from '../../domain/spans.ts';
import type { SizeClass, SlotTransition, TemplateSlot } from './edit-plan.ts';
import { holdSeconds, overstayCost } from './holding-time.ts';
import { noise } from './noise.ts';
import type { PreparedTake } from './prepared-takes.ts';
import { RANKED_CURVES, type RankedCurve } from './ranked-curves.ts';
import type { ShownViews } from './span-likeness.ts';
import type { SpanLook, SpanLooks } from './span-looks.ts';

/** A place of the output that is to be filled. */
export interface OutputSlot {
  readonly index: number;
  readonly template: TemplateSlot;
  readonly templateSlot: number;
  readonly startFrame: number;
  readonly endFrame: number;
  readonly seconds: number;
  readonly transition: SlotTransition | null;
  /** More of the take that transitions at its start and end show. */
  readonly headSeconds: number;
  readonly tailSeconds: number;
  /** Of the template's shot, in the order of `RANKED_CURVES`, levels on the scales of `scaled`; null: not measured. */
  readonly ranks: readonly (number | null)[];
  readonly levels: readonly (number | null)[];
  /** Strong beats within it, from its start; null: the edit has no beats. */
  readonly strongBeats: readonly number[] | null;
  /** The first or the last of the edit. */
  readonly isEnd: boolean;
}

export interface Candidate {
  readonly take: PreparedTake;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Of the slot alone, without neighbours: 0 is best. */
  readonly cost: number;
  readonly look: SpanLook;
  readonly shown: ShownViews;
  /** Seconds for which what happens in it holds a viewer. */
  readonly hold: number;
  readonly hasHandles: boolean;
  /** Offset in the slot of a strong beat on which an impact lands. */
  readonly impactSeconds: number | null;
}

export interface CandidateOptions {
  readonly looks: SpanLooks;
  readonly playsTakes: boolean;
  readonly frameSeconds: number;
  /** Candidates of a slot: of each take, and of all unless there are more takes. */
  readonly perTake: number;
  readonly most: number;
}

/** Motion and activity distinguish shots best, then contrast and detail; brightness less. */
const RANK_WEIGHTS: Readonly<Record<RankedCurve, number>> = {
  motion: 0.6,
  activity: 0.6,
  contrast: 0.4,
  detail: 0.4,
  lightness: 0.2,
};
/** Of differences of levels, see `scaled`. */
const LEVEL_WEIGHTS: Readonly<Record<RankedCurve, number>> = {
  motion: 0.6,
  activity: 0.6,
  contrast: 0.9,
  detail: 0.3,
  lightness: 0.6,
};
/** Takes beyond the template's range are ordered by ranks alone. */
const MAX_LEVEL_DIFFERENCE = 1.5;
/** Sizes agree between a shot and its mirrored copy in 56 %: they count little. */
const SIZE_WEIGHT = 0.15;
const SPEECH_WEIGHT = 0.15;
const HEARD_SPEECH_WEIGHT = 0.5;
const NO_HANDLES_COST = 0.08;
/** Also the cost of a perfect match without impacts: costs stay positive. */
export const ALIGNED_IMPACT_GAIN = 0.35;
const STRAY_IMPACT_COST = 0.3;
/** Of an impact at the cut itself: its approach is not seen. */
const UNSEEN_APPROACH_COST = 0.1;
const IMPACT_MIN_STRENGTH = 0.3;
/** Of the first and the last shot, which a viewer remembers, for the span of least appeal. At 1.5 edits of little material became shorter. */
const END_COST = 1;
/** Less than the usual difference of two choices. */
const TIE_COST = 0.004;
const MIN_STEP_SECONDS = 0.2;
const STEPS_PER_RUN = 60;
/** A source may be this many frames shorter than its slot: lengths of takes and slots are rounded. */
export const TOLERATED_FRAMES = 1.5;
/** Diagonals per second: shots of pictures have 0, the calmest others .002. */
const STILL_MOTION = 0.0001;
/** Of the ends of phrases, which are known to .04 s: without it 30 ms of a word's beginning were lost. */
const PHRASE_MARGIN_SECONDS = 0.04;

export function candidatesOf(
  slot: OutputSlot,
  takes: readonly PreparedTake[],
  options: CandidateOptions,
): Candidate[] {
  const ofTakes = shownTakes(slot, takes).map((take) =>
    thinned(takeCandidates(slot, take, take.runs, options), slot, options.perTake),
  );
  // Each take keeps its best, so that fair shares and orders find it.
  const best = ofTakes.flatMap((candidates) => candidates.slice(0, 1));
  const others = ofTakes.flatMap((candidates) => candidates.slice(1)).sort(byCost);
  return [...best, ...others.slice(0, Math.max(0, options.most - best.length))].sort(byCost);
}

/** With all in-points, the cheapest first. */
export function allCandidatesOf(
  slot: OutputSlot,
  takes: readonly PreparedTake[],
  options: CandidateOptions,
): Candidate[] {
  return shownTakes(slot, takes)
    .flatMap((take) => takeCandidates(slot, take, take.runs, options))
    .sort(byCost);
}

function shownTakes({ template }: OutputSlot, takes: readonly PreparedTake[]): PreparedTake[] {
  return takes.filter(({ material }) => material.isMotionless !== true || isStillShot(template));
}

/** A take in which nothing moves would look frozen in place of a shot that moves. */
export function isStillShot({ motion, activity }: TemplateSlot): boolean {
  return motion !== null && activity !== null && motion + activity < STILL_MOTION;
}

/** Within spans of one take, which may be parts of its runs. */
export function takeCandidates(
  slot: OutputSlot,
  take: PreparedTake,
  spans: readonly Span[],
  options: CandidateOptions,
): Candidate[] {
  const result: Candidate[] = [];
  for (const span of spans) {
    for (const start of startsIn(slot, take, span, options.frameSeconds)) {
      const candidate = candidateAt(slot, take, span, start, options);
      if (!options.playsTakes || isWholeSpeech(candidate)) result.push(candidate);
    }
  }
  return result;
}

export function byCost(one: Candidate, other: Candidate): number {
  return (
    one.cost - other.cost ||
    one.take.hash - other.take.hash ||
    one.take.index - other.take.index ||
    one.startSeconds - other.startSeconds
  );
}

/** In-points: a grid over the span, its two ends, and those at which an impact lands on a strong beat. */
function startsIn(
  { seconds, strongBeats }: OutputSlot,
  { material }: PreparedTake,
  { startSeconds, endSeconds }: Span,
  frameSeconds: number,
): number[] {
  const latest = endSeconds - seconds;
  if (latest < startSeconds)
    return latest >= startSeconds - TOLERATED_FRAMES * frameSeconds ? [startSeconds] : [];
  const { isPhoto, impacts, speech } = material;
  if (isPhoto) return [startSeconds];
  const room = latest - startSeconds;
  const count = Math.min(STEPS_PER_RUN, Math.ceil(room / MIN_STEP_SECONDS));
  const starts = Array.from(
    { length: count + 1 },
    (_, at) => startSeconds + (room * at) / Math.max(1, count),
  );
  for (const { timeSeconds, strength } of impacts)
    if (strength >= IMPACT_MIN_STRENGTH)
      for (const beat of strongBeats ?? []) starts.push(timeSeconds - beat);
  for (const phrase of speech)
    starts.push(
      phrase.startSeconds - 2 * PHRASE_MARGIN_SECONDS,
      phrase.endSeconds + 2 * PHRASE_MARGIN_SECONDS - seconds,
    );
  return starts.filter((start) => start >= startSeconds && start <= latest);
}

export function candidateAt(
  slot: OutputSlot,
  take: PreparedTake,
  span: Span,
  start: number,
  { looks, playsTakes, frameSeconds }: CandidateOptions,
): Candidate {
  const end = take.material.isPhoto ? start + slot.seconds : Math.min(start + slot.seconds, span.endSeconds);
  const hasHandles =
    take.material.isPhoto ||
    (start - span.startSeconds >= slot.headSeconds && span.endSeconds - end >= slot.tailSeconds);
  const impact = impactCost(take, slot, start, frameSeconds);
  const look = looks.of(take, start, end);
  const hold = holdSeconds(take, start, end, look.spokenShare);
  const cost =
    curveCost(slot, look) +
    sizeCost(slot.template, look.size) +
    speechCost(slot.template, look.spokenShare, playsTakes) +
    look.readingCost +
    overstayCost(slot.seconds, hold) +
    (hasHandles ? 0 : NO_HANDLES_COST) +
    impact.cost +
    TIE_COST * noise(take.hash, Math.round(start * 1000), slot.index);
  return {
    take,
    startSeconds: start,
    endSeconds: end,
    cost: cost + ALIGNED_IMPACT_GAIN,
    look,
    shown: take.spans.of(take.views, start, end),
    hold,
    hasHandles,
    impactSeconds: impact.onBeatSeconds,
  };
}

/** The first and the last shot are among the best that the takes have. */
export function endCost({ isEnd }: OutputSlot, { appeal }: SpanLook): number {
  return isEnd ? END_COST * (1 - appeal) : 0;
}

/** Ranks are comparable between materials that move more or less; levels distinguish shots where both move alike. */
function curveCost({ ranks, levels }: OutputSlot, look: SpanLook): number {
  let cost = 0;
  for (let at = 0; at < RANKED_CURVES.length; at++) {
    const name = RANKED_CURVES[at];
    const [rank, level] = [ranks[at], levels[at]];
    if (rank !== null) cost += RANK_WEIGHTS[name] * Math.abs(look.ranks[at] - rank);
    if (level !== null)
      cost += LEVEL_WEIGHTS[name] * Math.min(MAX_LEVEL_DIFFERENCE, Math.abs(look.levels[at] - level));
  }
  return cost;
}

function sizeCost({ size, sizeConfidence }: TemplateSlot, found: SizeClass | null): number {
  if (size === null || found === size) return 0;
  return SIZE_WEIGHT * sizeConfidence * (found === null ? 0.7 : 1);
}

function speechCost({ speaks }: TemplateSlot, spokenShare: number, isHeard: boolean): number {
  const weight = isHeard ? HEARD_SPEECH_WEIGHT : SPEECH_WEIGHT;
  return weight * (speaks ? 1 - spokenShare : spokenShare * 0.3);
}

/** Impacts on strong beats are a gain, others within the slot a loss. */
function impactCost(
  { material }: PreparedTake,
  { strongBeats, seconds }: OutputSlot,
  start: number,
  frameSeconds: number,
): { readonly cost: number; readonly onBeatSeconds: number | null } {
  let cost = 0;
  let onBeatSeconds: number | null = null;
  if (strongBeats === null) return { cost, onBeatSeconds };
  for (const { timeSeconds, strength } of material.impacts) {
    const at = timeSeconds - start;
    if (at >= seconds) break;
    if (at < -frameSeconds / 2 || strength < IMPACT_MIN_STRENGTH) continue;
    const beat = strongBeats.find((offset) => Math.abs(offset - at) <= frameSeconds / 2);
    if (beat === undefined) cost += STRAY_IMPACT_COST * strength;
    else {
      cost -= ALIGNED_IMPACT_GAIN * strength - (beat < 3 * frameSeconds ? UNSEEN_APPROACH_COST : 0);
      onBeatSeconds ??= beat;
    }
  }
  return { cost: Math.max(cost, -ALIGNED_IMPACT_GAIN), onBeatSeconds };
}

/** Neither end lies inside a phrase, unless the take itself begins or ends in it. */
export function isWholeSpeech({ take, startSeconds, endSeconds }: Candidate): boolean {
  const { speech, durationSeconds } = take.material;
  return [startSeconds, endSeconds].every(
    (time) =>
      time <= 0 ||
      time >= durationSeconds ||
      speech.every(
        (phrase) =>
          time <= phrase.startSeconds - PHRASE_MARGIN_SECONDS ||
          time >= phrase.endSeconds + PHRASE_MARGIN_SECONDS,
      ),
  );
}

/** The best of a take, apart from each other, so that several slots find a place in it. */
function thinned(candidates: Candidate[], slot: OutputSlot, most: number): Candidate[] {
  const apart = Math.max(0.25, slot.seconds / 2);
  const kept: Candidate[] = [];
  for (const candidate of candidates.sort(byCost)) {
    if (kept.length >= most) break;
    if (kept.every((other) => Math.abs(other.startSeconds - candidate.startSeconds) >= apart))
      kept.push(candidate);
  }
  return kept;
}

/** Its span on the time line that twins share. */
export function lineSpan({ take, startSeconds, endSeconds }: Candidate): Span {
  const { offsetSeconds } = take.line;
  return { startSeconds: startSeconds + offsetSeconds, endSeconds: endSeconds + offsetSeconds };
}

export function secondsOf(candidate: Candidate): number {
  return lengthOf(candidate);
}
