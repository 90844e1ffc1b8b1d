/**
 * Bar-pointer hidden Markov model of one beat (F. Krebs, S. Böck, G. Widmer, "An efficient state-space model
 * for joint tempo and meter tracking", ISMIR 2015). A state is a position within a beat of one interval. The
 * interval changes only at beats, so Viterbi decoding runs over (start, interval) pairs with the frames in
 * between summed: the same best path with fewer states.
 */

import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';

/** Steepness of the penalty on a change of interval at a beat. */
const TEMPO_CHANGE_LAMBDA = 100;
/**
 * Share of beats with a smaller penalty, for players who slow down and speed up. Rubato of ±6–14 % within
 * eight beats: F of the path .86 without, .90 with; steady tempi are equal.
 */
const RUBATO_SHARE = 0.1;
const RUBATO_LAMBDA = 25;
/** An interval between two whole frames alternates between both, which is not a change of tempo. */
const UNPENALIZED_FRAMES = 0.5;
/** Larger changes, as a share of the interval, are not considered. */
export const MAX_INTERVAL_CHANGE = 0.12;
/** The onset of a beat is within the first 1/16 of its interval. */
const BEAT_PARTS = 16;
const MIN_LIKELIHOOD = 1e-3;
/** Paths this many nats below the best one to the same frame are pruned. */
const BEAM_NATS = 40;

export interface BeatPath {
  /** Frames of the beats, ascending. */
  readonly frames: readonly number[];
  /** Mean log likelihood per frame: comparable between ranges of intervals over one activation. */
  readonly likelihood: number;
}

/** Intervals in frames, both ends inclusive. */
export interface IntervalRange {
  readonly shortest: number;
  readonly longest: number;
}

/** Further evidence for each interval of a range, in nats, for a beat that ends at a frame. */
export type IntervalPrior = (endFrame: number) => Float64Array;

/** Most likely beats under intervals of a range; `activation` is 0..1 per frame. */
export function decodeBeats(
  activation: Float32Array,
  range: IntervalRange,
  prior: IntervalPrior = noPrior(range),
): BeatPath {
  const total = activation.length;
  const count = range.longest - range.shortest + 1;
  if (total < range.longest || count < 1) return { frames: [], likelihood: Number.NEGATIVE_INFINITY };
  const memory = new DecoderMemory(total, range);
  cumulate(activation, memory);
  forward(memory, prior);
  return backtrack(memory, prior);
}

function noPrior({ shortest, longest }: IntervalRange): IntervalPrior {
  const flat = new Float64Array(longest - shortest + 1);
  return () => flat;
}

/** Running sums of the log likelihoods of each frame as the beginning of a beat and as its rest. */
function cumulate(activation: Float32Array, { beat, rest }: DecoderMemory): void {
  for (let t = 0; t < activation.length; t++) {
    const a = Math.min(1 - MIN_LIKELIHOOD, Math.max(MIN_LIKELIHOOD, activation[t]));
    beat[t + 1] = beat[t] + Math.log(a);
    rest[t + 1] = rest[t] + Math.log((1 - a) / (BEAT_PARTS - 1));
  }
}

/** Log probabilities of transitions from interval i to similar intervals. */
function transitions(shortest: number, count: number): { first: number; costs: Float64Array }[] {
  return Array.from({ length: count }, (_, i) => {
    const interval = shortest + i;
    const reach = Math.max(1, Math.floor(interval * MAX_INTERVAL_CHANGE));
    const first = Math.max(0, i - reach);
    const last = Math.min(count - 1, i + reach);
    const costs = Float64Array.from({ length: last - first + 1 }, (_, k) => {
      const change = Math.max(0, Math.abs(shortest + first + k - interval) - UNPENALIZED_FRAMES) / interval;
      const held = (1 - RUBATO_SHARE) * Math.exp(-TEMPO_CHANGE_LAMBDA * change);
      return Math.log(held + RUBATO_SHARE * Math.exp(-RUBATO_LAMBDA * change));
    });
    const norm = Math.log(costs.reduce((sum, cost) => sum + Math.exp(cost), 0));
    return { first, costs: costs.map((cost) => cost - norm) };
  });
}

/** Frames, counts and addresses; `kernels/analysis/beats/decode.ts` describes the memory. */
interface DecodeExports extends KernelExports {
  forward(
    frame: number,
    end: number,
    ...rest: [...BeatPlaces, bonuses: number, ...MovePlaces, beam: number, scores: number, from: number]
  ): void;
  bestEnd(frame: number, ...rest: [...BeatPlaces, bonuses: number, scores: number, best: number]): number;
}

type BeatPlaces = readonly [
  beat: number,
  rest: number,
  total: number,
  shortest: number,
  count: number,
  /** Of the ends of the first parts. */
  turns: number,
];
type MovePlaces = readonly [arrivals: number, moves: number, costs: number];

const VALUE_BYTES = Float64Array.BYTES_PER_ELEMENT;
const INTEGER_BYTES = Int32Array.BYTES_PER_ELEMENT;
const MOVE_BYTES = Int16Array.BYTES_PER_ELEMENT;

/** The data of one decoding in the memory of its own kernel: minutes of sound need megabytes. */
class DecoderMemory {
  readonly total: number;
  readonly range: IntervalRange;
  readonly run = instantiateKernel<DecodeExports>(new URL('decode.wasm', import.meta.url));
  /** Running sums, one longer than the frames. */
  readonly beat: Float64Array;
  readonly rest: Float64Array;
  /** Values of the prior at the current frame. */
  readonly bonuses: Float64Array;
  /** For each (frame, interval) pair: the best score, and the number of the previous interval. */
  readonly scores: Float64Array;
  readonly from: Int16Array;
  /** The best score at the end. */
  readonly best: Float64Array;
  readonly beatPlaces: BeatPlaces;
  readonly movePlaces: MovePlaces;

  constructor(total: number, range: IntervalRange) {
    this.total = total;
    this.range = range;
    const { shortest, longest } = range;
    const count = longest - shortest + 1;
    const moves = transitions(shortest, count);
    const costs = moves.flatMap((move) => [...move.costs]);
    const layout = new KernelLayout();
    const takeValues = (values: number) => layout.take(VALUE_BYTES * values);
    const [beat, rest] = [takeValues(total + 1), takeValues(total + 1)];
    const [bonuses, arrivals, best] = [takeValues(count), takeValues(count), takeValues(1)];
    const turns = layout.take(INTEGER_BYTES * count);
    const moved = layout.take(2 * INTEGER_BYTES * count);
    const cost = takeValues(costs.length);
    const [scores, from] = [takeValues(total * count), layout.take(MOVE_BYTES * total * count)];
    reserveBytes(this.run.memory, layout.bytes);
    const { buffer } = this.run.memory;
    this.beat = new Float64Array(buffer, beat, total + 1);
    this.rest = new Float64Array(buffer, rest, total + 1);
    this.bonuses = new Float64Array(buffer, bonuses, count);
    this.best = new Float64Array(buffer, best, 1);
    this.scores = new Float64Array(buffer, scores, total * count).fill(Number.NEGATIVE_INFINITY);
    this.from = new Int16Array(buffer, from, total * count).fill(-1);
    new Int32Array(buffer, turns, count).set(
      Array.from({ length: count }, (_, i) => Math.max(1, Math.round((shortest + i) / BEAT_PARTS))),
    );
    new Int32Array(buffer, moved, 2 * count).set(moves.flatMap((move) => [move.first, move.costs.length]));
    new Float64Array(buffer, cost, costs.length).set(costs);
    this.beatPlaces = [beat, rest, total, shortest, count, turns];
    this.movePlaces = [arrivals, moved, cost];
  }
}

/** Computes the scores and their predecessors; runs of frames with one prior at once. */
function forward(memory: DecoderMemory, prior: IntervalPrior): void {
  const { run, total, bonuses, beatPlaces, movePlaces } = memory;
  const [scores, from] = [memory.scores.byteOffset, memory.from.byteOffset];
  for (let frame = 0; frame < total; ) {
    const priors = prior(frame);
    let end = frame + 1;
    while (end < total && prior(end) === priors) end++;
    bonuses.set(priors);
    run.forward(frame, end, ...beatPlaces, bonuses.byteOffset, ...movePlaces, BEAM_NATS, scores, from);
    frame = end;
  }
}

function backtrack(memory: DecoderMemory, prior: IntervalPrior): BeatPath {
  const { run, total, range, bonuses, scores, from, best, beatPlaces } = memory;
  const { shortest, longest } = range;
  const count = longest - shortest + 1;
  bonuses.set(prior(total));
  const places = [bonuses.byteOffset, scores.byteOffset, best.byteOffset] as const;
  const pair = run.bestEnd(Math.max(0, total - longest), ...beatPlaces, ...places);
  let frame = pair < 0 ? -1 : Math.floor(pair / count);
  let index = pair < 0 ? -1 : pair % count;
  const frames: number[] = [];
  while (frame >= 0 && index >= 0) {
    frames.push(frame);
    index = from[frame * count + index];
    frame -= shortest + index;
  }
  return { frames: frames.reverse(), likelihood: best[0] / total };
}
