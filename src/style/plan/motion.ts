import type { ClipFacts } from '../../analysis/facts.ts';
import { seededRandom, shuffled } from '../../signal/seeded-random.ts';
import { isDrawn } from '../model/drawn.ts';
import type { Style } from '../model/schema.ts';
import { hasLettering } from './lettering.ts';
import { type FrameGrid, type Piece, secondsAt, spanOf } from './segments.ts';

/** Log scale per second: slightly above the minimum of a zoom (0.03). */
const PUSH_PER_SECOND = 0.04;
/** By 15 %: at 24 % a strict eye found the picture soft, and an animal too near the edges. */
const MAX_PUSH = 0.14;
/** A push-in over 1.4 s, by 6 %, was seen as a jolt (one strict eye, 18 videos). */
const MIN_SECONDS = 1.5;

/**
 * The final magnification of each piece relative to its first: above 1 for the pieces with a slow push-in. Only
 * confidently static shots get one, until the share of the running time under a zoom is the style's. Shots with lettering, which would grow as
 * well, and drawn ones get none.
 */
export function planPushIns(
  source: ClipFacts,
  template: ClipFacts | null,
  pieces: readonly Piece[],
  grid: FrameGrid,
  style: Style,
  options: { readonly reach: number; readonly seed: number },
): number[] {
  const growth = pieces.map(() => 1);
  const total = pieces.reduce((sum, piece) => sum + piece.endFrame - piece.startFrame, 0);
  // `zoom_usage` includes punch-ins; only the template's facts separate them.
  const punchIns = pieces.filter(({ reason }) => reason === 'punch_in').length / pieces.length;
  const wanted = template?.motion.zoomShare ?? Math.max(0, style.zoom_usage - punchIns);
  const share = Math.max(0, wanted * options.reach - source.motion.zoomShare);
  let left = share * total;
  if (left === 0) return growth;
  const order = shuffled([...pieces.keys()], seededRandom(options.seed ^ 0x7a6d));
  for (const index of order) {
    const piece = pieces[index];
    // A push-in would jump back at a removed pause.
    if (piece.reason === 'pause' || pieces[index + 1]?.reason === 'pause') continue;
    const frames = piece.endFrame - piece.startFrame;
    const seconds = secondsAt(grid, frames);
    // Skips a piece whose excess would be larger than the gap.
    if (frames > 2 * left || seconds < MIN_SECONDS || !isStatic(source, piece, grid)) continue;
    const span = spanOf(grid, piece);
    if (hasLettering(source.video, span) || isDrawn(source.video, span)) continue;
    growth[index] = pushGrowth(seconds);
    left -= frames;
  }
  return growth;
}

/** The final magnification of a push-in of this length relative to its first. */
export function pushGrowth(seconds: number): number {
  return Math.exp(Math.min(MAX_PUSH, PUSH_PER_SECOND * seconds));
}

function isStatic({ video, motion }: ClipFacts, piece: Piece, grid: FrameGrid): boolean {
  const [start, end] = [secondsAt(grid, piece.startFrame), secondsAt(grid, piece.endFrame)];
  const inside = video.shots
    .map((shot, index) => ({ shot, camera: motion.shots[index] }))
    .filter(({ shot }) => shot.startSeconds < end - 0.1 && shot.endSeconds > start + 0.1);
  return (
    inside.length > 0 && inside.every(({ camera }) => camera?.label === 'static' && camera.confidence > 0)
  );
}
