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
 * music continues in step.
 */
export function trim(
  source: ClipFacts,
  segments: readonly Segment[],
  grid: FrameGrid,
  style: Style,
  options: { readonly reach: number; readonly seed: number },
): Piece[] {
  const random = seededRandom(options.seed);
  const rate = framesPerSecond(grid.rate);
  const pieces: Piece[] = [];
  const interest = interestPerSecond(source);
  const beat = source.audio?.tempo == null ? null : 60 / source.audio.tempo.bpm;
  const closed = protectedSpans(source);
  for (const [index, segment] of segments.entries()) {
    const reason = index === 0 ? 'start' : 'source_cut';
    const length = (segment.endFrame - segment.startFrame) / rate;
    const typical = Math.max(minShotSeconds(style), lengthQuantile(style, 0.5));
    if (style.cut_frequency === 0 || length <= typical * TOLERATED) {
      pieces.push({ ...segment, reason, isCloser: false });
      continue;
    }
    const stretches = Math.max(1, Math.round(length / (typical * (1 + options.reach))));
    const chosen: Segment[] = [];
    for (let stretch = 0; stretch < stretches; stretch++) {
      const bound = (part: number) =>
        segment.startFrame + Math.round(((segment.endFrame - segment.startFrame) * part) / stretches);
      const run = { startFrame: bound(stretch), endFrame: bound(stretch + 1) };
      const drawn = lengthQuantile(style, (stretch + random()) / stretches);
      const wanted = length / stretches + options.reach * (drawn - length / stretches);
      const frames = Math.round(wholeBeats(Math.max(minShotSeconds(style), wanted), beat) * rate);
      chosen.push(widenedOver(bestWindow(run, frames, grid, interest), segment, closed, grid));
    }
    pieces.push(
      ...joinClose(chosen, Math.round(MIN_GAP_SECONDS * rate)).map(
        (part, at): Piece => ({ ...part, reason: at === 0 ? reason : 'trim', isCloser: false }),
      ),
    );
  }
  return pieces.map((piece, index) => (index === 0 ? { ...piece, reason: 'start' } : piece));
}

/** Movement, loudness and speech of each second, together about 0..3, as a measure of interest. */
function interestPerSecond({ video, motion, audio }: ClipFacts): Float64Array {
  const interest = new Float64Array(Math.ceil(video.durationSeconds) + 1);
  const liveliest = Math.max(1e-6, ...motion.activity.slice(0, interest.length));
  const loudest = audio?.loudness.integratedLufs ?? 0;
  for (let second = 0; second < interest.length; second++) {
    const loudness = audio?.loudness.shortTermLufs[second] ?? null;
    const level = loudness === null ? 0 : clamp((loudness - loudest + 12) / 18, 0, 1);
    interest[second] = (motion.activity[second] ?? 0) / liveliest + level;
  }
  for (const span of audio?.speech.spans ?? []) {
    for (let second = Math.floor(span.startSeconds); second < span.endSeconds; second++) {
      if (second >= 0 && second < interest.length) interest[second] += 1;
    }
  }
  return interest;
}

function bestWindow(run: Segment, frames: number, grid: FrameGrid, interest: Float64Array): Segment {
  const spare = run.endFrame - run.startFrame - frames;
  if (spare <= 0) return run;
  const step = Math.max(1, Math.floor(spare / 32));
  let [best, most] = [run.startFrame, Number.NEGATIVE_INFINITY];
  for (let start = run.startFrame; start <= run.startFrame + spare; start += step) {
    let sum = 0;
    const end = secondsAt(grid, start + frames);
    for (let time = secondsAt(grid, start) + 0.125; time < end; time += 0.25) {
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
