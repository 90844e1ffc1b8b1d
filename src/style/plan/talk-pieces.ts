import type { Span } from '../../analysis/facts.ts';
import { framesPerSecond } from '../../domain/time.ts';
import type { TalkRemoval } from '../model/talk.ts';
import { type FrameGrid, type Piece, type Segment, secondsAt } from './segments.ts';

/** Over a shorter removal the picture hardly jumps: another framing would be seen more. */
export const JUMP_SECONDS = 0.35;
/** Over a longer one it always jumps. */
const LONG_JUMP_SECONDS = 0.6;
/** Least time between two changes of framing, if the second can be left out. */
const CALM_SECONDS = 1.2;
/** A cut of the source so near hides the jump. */
const NEAR_CUT_SECONDS = 0.5;

/** Whether a piece shows the same shot as the one before it. */
export function continuesShot({ reason }: Pick<Piece, 'reason'>): boolean {
  return reason === 'punch_in' || reason === 'pause';
}

/** The run of pieces about one of them that differ only by removed pauses: they have one framing. */
export function framedRun(pieces: readonly Piece[], index: number): Segment {
  const { isCloser } = pieces[index];
  const isOneWith = (at: number) =>
    pieces[at]?.reason === 'pause' &&
    pieces[at].isCloser === isCloser &&
    pieces[at - 1].isCloser === isCloser;
  let [first, last] = [index, index];
  while (isOneWith(first)) first--;
  while (isOneWith(last + 1)) last++;
  return { startFrame: pieces[first].startFrame, endFrame: pieces[last].endFrame };
}

/**
 * The pieces without the removed parts. Framings take turns over removals that the picture shows, and punch-ins near those are left out.
 * Removals begin and end on frames inside of their times, so that no sound beside them is lost.
 */
export function talkPieces(
  pieces: readonly Piece[],
  removals: readonly TalkRemoval[],
  grid: FrameGrid,
  canBeCloser: (piece: Piece) => boolean,
): Piece[] {
  const gaps = removals
    .map((removal) => framesInside(grid, removal))
    .filter(({ startFrame, endFrame }) => endFrame > startFrame);
  if (gaps.length === 0) return [...pieces];
  const parts = pieces
    .flatMap((piece) => outside(piece, gaps))
    .map((part, at): Piece => (at === 0 ? { ...part, reason: 'start' } : part));
  const near = NEAR_CUT_SECONDS * framesPerSecond(grid.rate);
  const cuts = pieces.filter(({ reason }) => reason === 'source_cut').map(({ startFrame }) => startFrame);
  const calm = CALM_SECONDS * framesPerSecond(grid.rate);
  const shown: Piece[] = [];
  let [isCloser, unchanged] = [false, Number.POSITIVE_INFINITY];
  for (const [at, part] of parts.entries()) {
    const before = shown.at(-1);
    const removed = before === undefined ? 0 : secondsAt(grid, part.startFrame - before.endFrame);
    const isHidden = cuts.some((cut) => Math.abs(cut - part.startFrame) < near);
    if (!continuesShot(part)) [isCloser, unchanged] = [false, Number.POSITIVE_INFINITY];
    else if (removed > JUMP_SECONDS && !isHidden && (removed > LONG_JUMP_SECONDS || unchanged >= calm))
      [isCloser, unchanged] = [!isCloser, 0];
    else if (part.reason === 'punch_in' && unchanged >= calm && !hasJumpWithin(parts, at, calm, grid))
      [isCloser, unchanged] = [!isCloser, 0];
    const piece = { ...part, isCloser: isCloser && canBeCloser(part) };
    isCloser = piece.isCloser;
    unchanged += part.endFrame - part.startFrame;
    if (before !== undefined && part.reason === 'punch_in' && before.isCloser === isCloser && removed === 0)
      shown[shown.length - 1] = { ...before, endFrame: part.endFrame };
    else shown.push(piece);
  }
  return shown;
}

/** The frames that begin and end within a time; without one the end is at or before the start. */
export function framesInside(grid: FrameGrid, { startSeconds, endSeconds }: Span): Segment {
  const rate = framesPerSecond(grid.rate);
  // A boundary that lies on a frame must not be moved by rounding.
  return {
    startFrame: Math.max(0, Math.ceil(startSeconds * rate - 1e-6)),
    endFrame: Math.min(grid.frameCount, Math.floor(endSeconds * rate + 1e-6)),
  };
}

/** The parts of a piece outside of ascending gaps. */
function outside(piece: Piece, gaps: readonly Segment[]): Piece[] {
  const parts: Piece[] = [];
  let from = piece.startFrame;
  for (const { startFrame, endFrame } of [
    ...gaps,
    { startFrame: piece.endFrame, endFrame: piece.endFrame },
  ]) {
    const to = Math.min(startFrame, piece.endFrame);
    if (to > from) {
      // The picture changes at a cut of the source even if its first frames are left out.
      const isOwn = parts.length === 0 && (from === piece.startFrame || piece.reason === 'source_cut');
      parts.push({ ...piece, startFrame: from, endFrame: to, reason: isOwn ? piece.reason : 'pause' });
    }
    from = Math.max(from, endFrame);
  }
  return parts;
}

/** Whether a removal that the picture shows follows within some frames. */
function hasJumpWithin(parts: readonly Piece[], at: number, frames: number, grid: FrameGrid): boolean {
  let passed = 0;
  for (let next = at; next + 1 < parts.length && passed < frames; next++) {
    passed += parts[next].endFrame - parts[next].startFrame;
    const removed = secondsAt(grid, parts[next + 1].startFrame - parts[next].endFrame);
    if (removed > JUMP_SECONDS && passed < frames) return true;
  }
  return false;
}
