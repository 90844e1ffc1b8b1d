import type { ClipFacts, Span } from '../../analysis/facts.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { clamp } from '../../signal/interpolation.ts';
import { seededRandom } from '../../signal/seeded-random.ts';
import type { Style } from '../model/schema.ts';
import { lengthQuantile, minShotSeconds, protectedSpans } from './pacing.ts';
import { type FrameGrid, frameAt, type Piece, type Segment, secondsAt } from './segments.ts';

/** A jump over a shorter gap looks like a fault, not a cut. */
const MIN_GAP_SECONDS = 0.6;
/** Shots up to this factor longer than the style's are unchanged. */
const TOLERATED = 1.25;

/**
 * Removes the least interesting parts of shots that are longer than the style's. Each shot is divided into
 * parts of about twice the wanted length. Only the most interesting stretch of each part remains. No cut is
 * inside speech or a transition of the source. If the source has a beat, lengths are whole beats, so that its
 * music continues in step. `reach`: how far lengths follow the style, 0..1.
 */
export function trim(
  source: ClipFacts,
  segments: readonly Segment[],
  grid: FrameGrid,
  style: Style,
  options: { readonly reach: number; readonly seed: number },
): Piece[] {
  const rate = framesPerSecond(grid.rate);
  const shots: TrimmedShots = {
    ...{ style, grid, reach: options.reach, random: seededRandom(options.seed) },
    interest: interestPerSecond(source),
    beatSeconds: source.audio?.tempo == null ? null : 60 / source.audio.tempo.bpm,
    closed: protectedSpans(source),
  };
  const longest = TOLERATED * typicalSeconds(style);
  const minGapFrames = Math.round(MIN_GAP_SECONDS * rate);
  const pieces = segments.flatMap((segment): Piece[] => {
    const isShort = (segment.endFrame - segment.startFrame) / rate <= longest;
    if (style.cut_frequency === 0 || isShort) return [{ ...segment, reason: 'source_cut', isCloser: false }];
    return joinClose(stretchesOf(segment, shots), minGapFrames).map((part, at) => ({
      ...part,
      reason: at === 0 ? 'source_cut' : 'trim',
      isCloser: false,
    }));
  });
  return pieces.map((piece, index) => (index === 0 ? { ...piece, reason: 'start' } : piece));
}

/** Common to all shots that are trimmed. */
interface TrimmedShots {
  readonly style: Style;
  readonly grid: FrameGrid;
  readonly reach: number;
  readonly random: () => number;
  /** For each second: `interestPerSecond`. */
  readonly interest: Float64Array;
  readonly beatSeconds: number | null;
  /** In which no cut may lie. */
  readonly closed: readonly Span[];
}

function typicalSeconds(style: Style): number {
  return Math.max(minShotSeconds(style), lengthQuantile(style, 0.5));
}

/** The most interesting stretch of each part of a shot. */
function stretchesOf(segment: Segment, shots: TrimmedShots): Segment[] {
  const { style, grid, reach, random, interest, beatSeconds, closed } = shots;
  const rate = framesPerSecond(grid.rate);
  const frames = segment.endFrame - segment.startFrame;
  const parts = Math.max(1, Math.round(frames / rate / (typicalSeconds(style) * (1 + reach))));
  const partSeconds = frames / rate / parts;
  const boundary = (part: number) => segment.startFrame + Math.round((frames * part) / parts);
  return Array.from({ length: parts }, (_, part) => {
    const wanted = lengthQuantile(style, (part + random()) / parts);
    const seconds = Math.max(minShotSeconds(style), partSeconds + reach * (wanted - partSeconds));
    const whole = { startFrame: boundary(part), endFrame: boundary(part + 1) };
    const window = bestWindow(whole, Math.round(wholeBeats(seconds, beatSeconds) * rate), grid, interest);
    return widenedOver(window, segment, closed, grid);
  });
}

/** Sound this far below the clip's loudness has no interest, LU, and the range up to full interest. */
const QUIET_LU = 12;
const INTEREST_RANGE_LU = 18;

/** Movement, loudness and speech of each second, together about 0..3, as a measure of interest. */
function interestPerSecond({ video, motion, audio }: ClipFacts): Float64Array {
  const interest = new Float64Array(Math.ceil(video.durationSeconds) + 1);
  const liveliest = Math.max(1e-6, ...motion.activity.slice(0, interest.length));
  const integrated = audio?.loudness.integratedLufs ?? 0;
  for (let second = 0; second < interest.length; second++) {
    const loudness = audio?.loudness.shortTermLufs[second] ?? null;
    const level = loudness === null ? 0 : clamp((loudness - integrated + QUIET_LU) / INTEREST_RANGE_LU, 0, 1);
    interest[second] = (motion.activity[second] ?? 0) / liveliest + level;
  }
  for (const span of audio?.speech.spans ?? []) {
    for (let second = Math.floor(span.startSeconds); second < span.endSeconds; second++) {
      if (second >= 0 && second < interest.length) interest[second] += 1;
    }
  }
  return interest;
}

/** Positions that are compared in a part. */
const POSITIONS = 32;
/** Interest is summed in steps of this. */
const SAMPLE_SECONDS = 0.25;

/** The stretch of `frames` frames of a run with the most interest. */
function bestWindow(run: Segment, frames: number, grid: FrameGrid, interest: Float64Array): Segment {
  const spare = run.endFrame - run.startFrame - frames;
  if (spare <= 0) return run;
  const step = Math.max(1, Math.floor(spare / POSITIONS));
  let [best, most] = [run.startFrame, Number.NEGATIVE_INFINITY];
  for (let start = run.startFrame; start <= run.startFrame + spare; start += step) {
    let sum = 0;
    const end = secondsAt(grid, start + frames);
    for (let time = secondsAt(grid, start) + SAMPLE_SECONDS / 2; time < end; time += SAMPLE_SECONDS) {
      sum += interest[Math.floor(time)] ?? 0;
    }
    if (sum > most) [best, most] = [start, sum];
  }
  return { startFrame: best, endFrame: best + frames };
}

/** The window, extended within `outer` until neither end is inside a closed span. */
function widenedOver(window: Segment, outer: Segment, closed: readonly Span[], grid: FrameGrid): Segment {
  let { startFrame, endFrame } = window;
  for (let moved = true; moved; ) {
    moved = false;
    for (const span of closed) {
      const [from, to] = [frameAt(grid, span.startSeconds) - 1, frameAt(grid, span.endSeconds) + 1];
      if (from < startFrame && startFrame < to && startFrame > outer.startFrame) {
        startFrame = Math.max(outer.startFrame, from);
        moved = true;
      }
      if (from < endFrame && endFrame < to && endFrame < outer.endFrame) {
        endFrame = Math.min(outer.endFrame, to);
        moved = true;
      }
    }
  }
  return { startFrame, endFrame };
}

function joinClose(runs: readonly Segment[], minGap: number): Segment[] {
  const joined: Segment[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last !== undefined && run.startFrame - last.endFrame < minGap) {
      joined[joined.length - 1] = { ...last, endFrame: Math.max(last.endFrame, run.endFrame) };
    } else joined.push(run);
  }
  return joined;
}

function wholeBeats(lengthSeconds: number, beatSeconds: number | null): number {
  if (beatSeconds === null) return lengthSeconds;
  return Math.max(1, Math.round(lengthSeconds / beatSeconds)) * beatSeconds;
}
