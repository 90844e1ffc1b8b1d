import type { CameraLabel, ClipFacts, Span } from '../../analysis/facts.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { between, clamp, polylineAt } from '../../signal/interpolation.ts';
import { seededRandom, shuffled } from '../../signal/seeded-random.ts';
import type { Style } from '../model/schema.ts';
import { type Candidate, type MinGap, placeCuts } from './cut-placement.ts';
import { type FrameGrid, frameAt, type Piece, type Segment, secondsAt, wholePieces } from './segments.ts';
import { MAX_SPEECH_CUTS, minGap, speechCandidates, spokenShare } from './speech-cuts.ts';

/** Shorter shots look like errors, even if the template has them. */
const MIN_SHOT_SECONDS = 0.35;
/**
 * Framings of one shot at strengths up to .8: least length of one, and least mean length, in seconds. Each is a share of the shot (second number) between the
 * first and the third. Shorter ones looked nervous: .37 s, 21 in 15 s; .9 s in a shot of 1.7 s; 12 in 37 s, three of 1.2 to 1.8 s.
 */
const CALM = { least: [1.2, 0.4, 1.8], mean: [1.2, 0.5, 3] } as const;
/** Framings in a row whose mean counts: five changes within eight seconds looked nervous although the mean of the shot was longer. */
const BURST_FRAMINGS = 4;
/** Movements of a camera within which a change of framing looks like a jolt. */
const CAMERA_MOVES: readonly CameraLabel[] = ['pan', 'tilt', 'zoom_in', 'zoom_out'];
/** From this share above chance the template's cuts count as locked to the beat. */
const BEAT_LOCKED = 0.2;
const MIN_BEATS = 8;
const FREE_STEP_SECONDS = 0.1;
/** Of the logarithm of lengths, which are close to normal (DeLong, Brunick and Cutting 2014). */
const LOG_SPREAD = 0.4;

/** Requested and placed cuts; they differ if speech or transitions do not allow all. */
export interface PacedPieces {
  readonly pieces: readonly Piece[];
  /** At the style's pace; fewer are placed in speech. */
  readonly wantedCuts: number;
  readonly placedCuts: number;
}

/**
 * Punch-ins: alternates framings within segments that are longer than the template's shots, until the clip has the
 * style's pace, with lengths from the style's distribution. No frame of the source is removed. New cuts are on beats if
 * there are any, in speech at the start of a word, and never inside a transition or a camera movement of the source. `caution` 0..1: how far
 * framings stay calm.
 */
export function punchIn(
  source: ClipFacts,
  segments: readonly Segment[],
  grid: FrameGrid,
  style: Style,
  options: { readonly reach: number; readonly seed: number; readonly caution: number },
): PacedPieces {
  const random = seededRandom(options.seed);
  const { durationSeconds, transitions } = source.video;
  const existing = transitions.filter(({ edge }) => edge === undefined).length;
  const own = existing / Math.max(durationSeconds, 1e-3);
  const spoken = spokenShare(source.audio, { startSeconds: 0, endSeconds: durationSeconds });
  const paced = spoken * Math.min(style.cut_frequency, MAX_SPEECH_CUTS) + (1 - spoken) * style.cut_frequency;
  const missingAt = (frequency: number) => {
    const reached = own + options.reach * Math.max(0, frequency - own);
    return Math.max(0, Math.round(reached * durationSeconds) - existing);
  };
  const wantedCuts = missingAt(style.cut_frequency);
  const sharedCuts = missingAt(paced);
  if (sharedCuts === 0) return { pieces: wholePieces(segments), wantedCuts, placedCuts: 0 };
  const candidates = cutCandidates(source, grid, style);
  const rooms = segments.map((segment): CutRoom => {
    const { startFrame, endFrame } = segment;
    const { leastFrames, meanFrames } = framingFrames(segment, grid, style, options.caution);
    const gap = minGap(source.audio, grid, leastFrames);
    const inside = candidates.filter(
      ({ frame }) => frame - startFrame >= gap(startFrame, frame) && endFrame - frame >= gap(frame, endFrame),
    );
    return { segment, gap, inside, meanFrames };
  });
  const shares = shareOut(sharedCuts, rooms);
  const pieces: Piece[] = [];
  let placedCuts = 0;
  for (const [index, { segment, gap, inside, meanFrames }] of rooms.entries()) {
    const proposals = proposedFrames(segment, shares[index], style, random);
    const cuts = withoutBursts(placeCuts(proposals, inside, segment, gap), meanFrames);
    placedCuts += cuts.length;
    const bounds = [segment.startFrame, ...cuts, segment.endFrame];
    for (let part = 0; part + 1 < bounds.length; part++) {
      const reason = part > 0 ? 'punch_in' : index === 0 ? 'start' : 'source_cut';
      pieces.push({
        startFrame: bounds[part],
        endFrame: bounds[part + 1],
        reason,
        isCloser: part % 2 === 1,
      });
    }
  }
  return { pieces, wantedCuts, placedCuts };
}

/** The style's shot lengths in seconds at evenly spaced probabilities; without them a log-normal about the mean. */
export function lengthQuantile(style: Style, share: number): number {
  const lengths = style.shot_lengths;
  if (lengths === undefined) {
    const mean = 1 / Math.max(style.cut_frequency, 1e-3);
    return mean * Math.exp(LOG_SPREAD * probit(share) - LOG_SPREAD ** 2 / 2);
  }
  const knots: [number, number][] = [
    [0.1, lengths.p10],
    [0.25, lengths.p25],
    [0.5, lengths.p50],
    [0.75, lengths.p75],
    [0.9, lengths.p90],
  ];
  return polylineAt(knots, share);
}

/** Speech and gradual transitions, inside which cuts are not allowed. */
export function protectedSpans(source: ClipFacts): (Span & { readonly isSpeech: boolean })[] {
  const closed = (isSpeech: boolean) => (span: Span) => {
    const { startSeconds, endSeconds } = span;
    return { startSeconds, endSeconds, isSpeech };
  };
  const gradual = source.video.transitions.filter(({ type }) => type !== 'cut');
  return [...(source.audio?.speech.spans ?? []).map(closed(true)), ...gradual.map(closed(false))];
}

/** Shots in which the camera pans, tilts or zooms. */
export function cameraMoves({ video, motion }: ClipFacts): Span[] {
  return video.shots.filter((_, shot) => {
    const camera = motion.shots[shot];
    return camera !== undefined && camera.confidence > 0 && CAMERA_MOVES.includes(camera.label);
  });
}

export function minShotSeconds(style: Style): number {
  return Math.max(MIN_SHOT_SECONDS, 0.6 * (style.shot_lengths?.p10 ?? 0));
}

/**
 * Frames at which cuts are allowed, ascending: outside speech on the source's beats, on a grid of the template's tempo,
 * or anywhere.
 */
function cutCandidates(source: ClipFacts, grid: FrameGrid, style: Style): Candidate[] {
  const beats = source.audio?.beats ?? [];
  const end = source.video.durationSeconds;
  let times = beats.map(({ timeSeconds }) => timeSeconds);
  if (times.length < MIN_BEATS) {
    const locked = (style.cuts_on_beat ?? 0) >= BEAT_LOCKED && style.tempo_bpm !== undefined;
    const step = locked ? 60 / style.tempo_bpm! : FREE_STEP_SECONDS;
    times = Array.from({ length: Math.floor(end / step) }, (_, index) => (index + 1) * step);
  }
  const spans = protectedSpans(source);
  const gradual = spans.filter(({ isSpeech }) => !isSpeech);
  const moves = cameraMoves(source);
  const isIn = (closed: readonly Span[], time: number) =>
    closed.some(({ startSeconds, endSeconds }) => startSeconds <= time && time < endSeconds);
  const open = times
    .filter((time) => !isIn(spans, time) && !isIn(moves, time))
    .map((time) => ({ frame: frameAt(grid, time), cost: 0 }));
  const spoken = speechCandidates(source, grid).filter(
    ({ frame }) => !isIn([...gradual, ...moves], secondsAt(grid, frame)),
  );
  const byFrame = new Map([...spoken, ...open].map((candidate) => [candidate.frame, candidate]));
  return [...byFrame.values()].sort((one, other) => one.frame - other.frame);
}

/** A segment and where it may be cut. */
interface CutRoom {
  readonly segment: Segment;
  readonly gap: MinGap;
  readonly inside: readonly Candidate[];
  /** Least mean length of its framings. */
  readonly meanFrames: number;
}

/** The cuts without those by which a few framings in a row would be shorter than the least mean. */
function withoutBursts(cuts: readonly number[], meanFrames: number): number[] {
  const calm: number[] = [];
  for (const cut of cuts) {
    const before = calm.at(-BURST_FRAMINGS);
    if (before === undefined || cut - before >= BURST_FRAMINGS * meanFrames - 0.5) calm.push(cut);
  }
  return calm;
}

/** Least length of a framing of a segment, and least mean length. */
function framingFrames(
  { startFrame, endFrame }: Segment,
  { rate }: FrameGrid,
  style: Style,
  caution: number,
): { readonly leastFrames: number; readonly meanFrames: number } {
  const fps = framesPerSecond(rate);
  const shortest = minShotSeconds(style);
  const seconds = (endFrame - startFrame) / fps;
  const framesOf = ([least, share, most]: readonly [number, number, number]) =>
    Math.ceil(between(shortest, Math.max(shortest, clamp(share * seconds, least, most)), caution) * fps);
  return { leastFrames: framesOf(CALM.least), meanFrames: framesOf(CALM.mean) };
}

/** Number of `count` cuts for each segment; each goes to the segment with the longest shots. */
function shareOut(count: number, rooms: readonly CutRoom[]): number[] {
  const shares = rooms.map(() => 0);
  for (let cut = 0; cut < count; cut++) {
    let [best, longest] = [-1, 0];
    for (const [index, { segment, inside, meanFrames }] of rooms.entries()) {
      const frames = segment.endFrame - segment.startFrame;
      const length = frames / (shares[index] + 1);
      const after = frames / (shares[index] + 2);
      // Rounded up, the mean may exceed half of the segment by half a frame.
      if (length > longest && after >= meanFrames - 0.5 && shares[index] < inside.length)
        [best, longest] = [index, length];
    }
    if (best < 0) break;
    shares[best]++;
  }
  return shares;
}

/** Proposals for `count` cuts: the segment's shots have lengths at even steps of the style's quantiles. */
function proposedFrames(segment: Segment, count: number, style: Style, random: () => number): number[] {
  const steps = Array.from({ length: count + 1 }, (_, index) => (index + 0.5) / (count + 1));
  const lengths = shuffled(steps, random).map((share) => lengthQuantile(style, share));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const scale = (segment.endFrame - segment.startFrame) / total;
  let at = segment.startFrame;
  return lengths.slice(0, -1).map((length) => (at += length * scale));
}

/** Quantile of the standard normal distribution by the logistic one, scaled by 1.702 (Bowling et al. 2009). */
function probit(share: number): number {
  const bounded = Math.max(0.01, Math.min(0.99, share));
  return Math.log(bounded / (1 - bounded)) / 1.702;
}
