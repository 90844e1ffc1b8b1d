/**
 * Second attempts, found by sound alone: a first attempt sounds like the beginning of the phrase that follows it. Figures beside limits are of
 * prompts in three languages: decision 0271.
 */
import type { Span } from '../facts.ts';
import type { PhraseRepeat } from '../talk-facts.ts';
import { beginsPhrase } from './pauses.ts';
import type { BandLevels } from './voice-bands.ts';
import { SKETCH_FRAMES_PER_SECOND as FPS, VoiceSketch } from './voice-sketch.ts';
import { warpedEnds } from './warping.ts';

/** The beginning that is searched for, in frames: with less, unlike phrases are near by chance. */
const BEGINNING = Math.round(0.72 * FPS);
/** A phrase is said again within this time. */
const REACH_SECONDS = 8;
/** Places on both sides that a beginning is compared with, in seconds. */
const AROUND_SECONDS = 30;
/** A match begins so near the beginning of a run, in frames. */
const SLACK = Math.round(0.15 * FPS);
/** Places nearer than this are one, in frames. */
const APART = Math.round(0.3 * FPS);
/**
 * Costs are relative to that of the place of this rank, because another attempt, or a phrase with the same words, is often better. Planted repeats
 * (2 % of pitch, 4 % of speed) below .6: 31 of 33 against the best other place, all against the third.
 */
const REFERENCE_RANK = 3;
/** Above this ratio two beginnings are no more alike than any others. */
const MAX_RATIO = 0.88;
/** This many better places, apart from each other, include one of the reference's rank: each place that is chosen before it excludes at most two of them. */
const SURE_PLACES = 2 * (REFERENCE_RANK - 1) + 1;
/** Seconds that usually have this many better places: they decide 75 % of 181 phrases of 24 talks. */
const SAMPLE_SECONDS = 10;
/** The second attempt may last so many times as long as the first, in frames and as a factor. */
const SLOWER = { factor: 1.4, frames: 10 } as const;
/** The second attempt begins within so many frames of its run. */
const LATE_FRAMES = 8;

interface Context {
  readonly sketch: VoiceSketch;
  readonly runs: readonly Span[];
  /** First frames of the runs. */
  readonly starts: readonly number[];
}

/** For each phrase the one before that it repeats best, if any; ascending. */
export function findRepeats(levels: BandLevels, runs: readonly Span[]): PhraseRepeat[] {
  const sketch = new VoiceSketch(levels);
  const starts = runs.map(({ startSeconds }) => Math.round(startSeconds * FPS));
  const context = { sketch, runs, starts };
  return runs.flatMap((_, second) => {
    if (!beginsPhrase(runs, second) || starts[second] + BEGINNING > sketch.frames) return [];
    return repeatAt(context, second) ?? [];
  });
}

function repeatAt(context: Context, second: number): PhraseRepeat | null {
  const { runs, starts } = context;
  const from = starts.findIndex((start) => starts[second] - start <= REACH_SECONDS * FPS);
  const phrases = runs.flatMap((_, run) =>
    run >= from && run < second && beginsPhrase(runs, run) ? [run] : [],
  );
  if (phrases.length === 0 || soundsAsUsual(context, phrases, starts[second])) return null;
  const places = placesAround(context, starts[second]);
  let best: PhraseRepeat | null = null;
  for (const first of phrases) {
    const reference = referenceCost(places, starts[first]);
    if (reference === null) continue;
    const beginning = costAbout(places, starts[first]) / reference;
    if (beginning > MAX_RATIO) continue;
    const ratio = Math.max(beginning, costOfWorstPart(context, first, second) / reference);
    if (ratio > (best?.ratio ?? MAX_RATIO)) continue;
    best = { firstSeconds: runs[first].startSeconds, secondSeconds: runs[second].startSeconds, ratio };
  }
  return best;
}

interface Place {
  readonly at: number;
  /** Of the best path that begins here. */
  readonly cost: number;
}

/**
 * Whether no beginning of `phrases` is more like the one at `query` than the following seconds are. Then `placesAround`, which takes three times as long, finds no
 * repeat either.
 */
function soundsAsUsual({ sketch, starts }: Context, phrases: readonly number[], query: number): boolean {
  const near = placesIn(sketch, query, { from: Math.max(0, starts[phrases[0]] - SLACK), to: query });
  const nearest = Math.min(...phrases.map((phrase) => costAbout(near, starts[phrase])));
  const after = query + BEGINNING;
  const seen = { from: after, to: Math.min(sketch.frames, after + SAMPLE_SECONDS * FPS) };
  const better = placesIn(sketch, query, seen).filter(({ cost }) => cost * MAX_RATIO <= nearest);
  let [count, last] = [0, Number.NEGATIVE_INFINITY];
  for (const { at } of better.sort((one, other) => one.at - other.at)) {
    if (at - last <= APART) continue;
    [count, last] = [count + 1, at];
  }
  return count >= SURE_PLACES;
}

/** Where around it the beginning at `query` may begin again, the least cost first. */
function placesAround({ sketch }: Context, query: number): Place[] {
  const reach = AROUND_SECONDS * FPS;
  return [
    ...placesIn(sketch, query, { from: Math.max(0, query - reach), to: query }),
    ...placesIn(sketch, query, { from: query + BEGINNING, to: Math.min(sketch.frames, query + reach) }),
  ].sort((one, other) => one.cost - other.cost);
}

/** Like `placesAround`, within a range of frames. Frames after the range can only lower a cost; frames before it can also raise one. */
function placesIn(
  sketch: VoiceSketch,
  query: number,
  { from, to }: { readonly from: number; readonly to: number },
): Place[] {
  const columns = Math.max(0, to - from);
  const costs = new Float32Array(columns).fill(Number.POSITIVE_INFINITY);
  const frames = Int32Array.from({ length: columns }, (_, column) => from + column);
  const ends = warpedEnds({ rows: BEGINNING, columns, startsBefore: columns }, (row, to) =>
    sketch.distances(query + row, frames, to),
  );
  for (const [end, start] of ends.starts.entries()) costs[start] = Math.min(costs[start], ends.costs[end]);
  return Array.from(costs, (cost, start) => ({ at: from + start, cost })).filter(({ cost }) =>
    Number.isFinite(cost),
  );
}

/** Least cost near `start`; infinite without a place there. */
function costAbout(places: readonly Place[], start: number): number {
  return places.reduce(
    (least, { at, cost }) => (Math.abs(at - start) <= SLACK ? Math.min(least, cost) : least),
    Number.POSITIVE_INFINITY,
  );
}

/** Cost at the place of `REFERENCE_RANK`, apart from `excluded`; null: there are fewer places. */
function referenceCost(places: readonly Place[], excluded: number): number | null {
  const picked = [excluded];
  for (const { at, cost } of places) {
    if (picked.some((other) => Math.abs(other - at) <= APART)) continue;
    picked.push(at);
    if (picked.length > REFERENCE_RANK) return cost;
  }
  return null;
}

/**
 * Cost of that part of the first attempt which is least like the beginning of the second: of sentences that only begin alike, 21 of 31 were
 * below .88 by their mean, none of 19 by this. Without pauses, because their lengths differ.
 */
function costOfWorstPart(context: Context, first: number, second: number): number {
  const { sketch, runs } = context;
  const attempt = voicedFrames(context, first, second, Number.POSITIVE_INFINITY);
  const most = Math.round(SLOWER.factor * attempt.length) + SLOWER.frames;
  const again = voicedFrames(context, second, runs.length, most);
  const size = { rows: attempt.length, columns: again.length, startsBefore: LATE_FRAMES };
  const { sums } = warpedEnds(size, (row, to) => sketch.distances(attempt[row], again, to));
  const part = Math.min(BEGINNING, sums.length);
  let worst = sums[sums.length - 1] / sums.length;
  for (let row = part; row < sums.length; row++)
    worst = Math.max(worst, (sums[row] - sums[row - part]) / part);
  return worst;
}

/** The first frames of runs `from` to `to`, at most so many. */
function voicedFrames({ runs, starts, sketch }: Context, from: number, to: number, most: number): number[] {
  const frames: number[] = [];
  for (let run = from; run < to && frames.length < most; run++) {
    const end = Math.min(sketch.frames, Math.round(runs[run].endSeconds * FPS));
    for (let frame = starts[run]; frame < end && frames.length < most; frame++) frames.push(frame);
  }
  return frames;
}
