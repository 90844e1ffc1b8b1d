/**
 * Bar-pointer hidden Markov model of one beat (F. Krebs, S. Böck, G. Widmer, "An efficient state-space model for
 * joint tempo and meter tracking", ISMIR 2015). A state is a place within a beat of one interval; the interval
 * changes at beats only, so that Viterbi decoding runs over (start, interval) pairs with the frames between them
 * summed: the same best path at a fraction of the states.
 */

/** Steepness of the penalty on a change of interval at a beat. */
const TEMPO_CHANGE_LAMBDA = 100;
/**
 * Of the beats this share gives way more easily: players who hold back and press on. Rubato of ±6–14 % within eight
 * beats: F of the path .86 without, .90 with; steady tempi alike.
 */
const YIELDING_SHARE = 0.1;
const YIELDING_LAMBDA = 25;
/** An interval between two whole numbers of frames alternates between them: that is no change of tempo. */
const FREE_FRAMES = 0.5;
/** Changes beyond this share of the interval are not looked at. */
export const WIDEST_CHANGE = 0.12;
/** A beat sounds within the first 1/16 of its interval. */
const BEAT_PARTS = 16;
const MIN_LIKELIHOOD = 1e-3;
/** Paths that fall this many nats behind the best one to arrive at the same frame are not followed. */
const BEAM = 40;

export interface BeatPath {
  /** Frames of the beats, ascending. */
  readonly frames: readonly number[];
  /** Mean log likelihood per frame: comparable between ranges of intervals over one activation. */
  readonly likelihood: number;
}

interface Sums {
  readonly beat: Float64Array;
  readonly rest: Float64Array;
}

/** Intervals in frames, both ends included. */
export interface IntervalRange {
  readonly shortest: number;
  readonly longest: number;
}

/** What else speaks for each interval of a range, in nats, of a beat that ends at a frame. */
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
  const sums = cumulate(activation);
  const from = new Int16Array(total * count).fill(-1);
  const scores = forward(sums, range, prior, from);
  return backtrack(scores, from, sums, range, prior);
}

function noPrior({ shortest, longest }: IntervalRange): IntervalPrior {
  const flat = new Float64Array(longest - shortest + 1);
  return () => flat;
}

function cumulate(activation: Float32Array): Sums {
  const beat = new Float64Array(activation.length + 1);
  const rest = new Float64Array(activation.length + 1);
  for (let t = 0; t < activation.length; t++) {
    const a = Math.min(1 - MIN_LIKELIHOOD, Math.max(MIN_LIKELIHOOD, activation[t]));
    beat[t + 1] = beat[t] + Math.log(a);
    rest[t + 1] = rest[t] + Math.log((1 - a) / (BEAT_PARTS - 1));
  }
  return { beat, rest };
}

/** Log likelihood of the frames [max(0, start), min(total, start + interval)) of a beat. */
function segment(sums: Sums, start: number, interval: number, total: number): number {
  const from = Math.max(0, start);
  const to = Math.min(total, start + interval);
  const turn = Math.min(to, Math.max(from, start + Math.max(1, Math.round(interval / BEAT_PARTS))));
  return sums.beat[turn] - sums.beat[from] + sums.rest[to] - sums.rest[turn];
}

/** Log probabilities of going from interval i to the intervals near it. */
function transitions(shortest: number, count: number): { first: number; costs: Float64Array }[] {
  return Array.from({ length: count }, (_, i) => {
    const interval = shortest + i;
    const reach = Math.max(1, Math.floor(interval * WIDEST_CHANGE));
    const first = Math.max(0, i - reach);
    const last = Math.min(count - 1, i + reach);
    const costs = Float64Array.from({ length: last - first + 1 }, (_, k) => {
      const change = Math.max(0, Math.abs(shortest + first + k - interval) - FREE_FRAMES) / interval;
      const held = (1 - YIELDING_SHARE) * Math.exp(-TEMPO_CHANGE_LAMBDA * change);
      return Math.log(held + YIELDING_SHARE * Math.exp(-YIELDING_LAMBDA * change));
    });
    const norm = Math.log(costs.reduce((sum, cost) => sum + Math.exp(cost), 0));
    return { first, costs: costs.map((cost) => cost - norm) };
  });
}

/** Fills `from` with the interval before each (frame, interval) pair and gives the pairs' best scores. */
function forward(
  sums: Sums,
  { shortest, longest }: IntervalRange,
  prior: IntervalPrior,
  from: Int16Array,
): Float64Array {
  const total = sums.beat.length - 1;
  const count = longest - shortest + 1;
  const moves = transitions(shortest, count);
  const scores = new Float64Array(total * count).fill(Number.NEGATIVE_INFINITY);
  const arrivals = new Float64Array(count);
  for (let t = 0; t < total; t++) {
    const row = t * count;
    const liking = prior(t);
    let best = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const start = t - shortest - i;
      // Before the first frame any place within a beat is as likely.
      const earlier = start < 0 ? 0 : scores[start * count + i];
      arrivals[i] = earlier + segment(sums, start, shortest + i, total) + liking[i];
      if (arrivals[i] > best) best = arrivals[i];
    }
    for (let i = 0; i < count; i++) {
      const arrival = arrivals[i];
      if (!(arrival > best - BEAM)) continue;
      const { first, costs } = moves[i];
      for (let k = 0; k < costs.length; k++) {
        const score = arrival + costs[k];
        if (score > scores[row + first + k]) {
          scores[row + first + k] = score;
          from[row + first + k] = i;
        }
      }
    }
  }
  return scores;
}

function backtrack(
  scores: Float64Array,
  from: Int16Array,
  sums: Sums,
  { shortest, longest }: IntervalRange,
  prior: IntervalPrior,
): BeatPath {
  const total = sums.beat.length - 1;
  const count = longest - shortest + 1;
  let best = Number.NEGATIVE_INFINITY;
  let frame = -1;
  let index = -1;
  for (let t = Math.max(0, total - longest); t < total; t++) {
    const liking = prior(total);
    for (let i = 0; i < count; i++) {
      if (t + shortest + i < total) continue;
      const score = scores[t * count + i] + segment(sums, t, shortest + i, total) + liking[i];
      if (score > best) {
        best = score;
        frame = t;
        index = i;
      }
    }
  }
  const frames: number[] = [];
  while (frame >= 0 && index >= 0) {
    frames.push(frame);
    index = from[frame * count + index];
    frame -= shortest + index;
  }
  return { frames: frames.reverse(), likelihood: best / total };
}
