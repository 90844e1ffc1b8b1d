/** Framings of the parts of a talk in one take: they take turns over omissions that the picture shows. */
import type { ClipFacts, Span } from '../../analysis/facts.ts';
import type { Framing } from './framing.ts';
import { piecesByView } from './framing.ts';
import { canBeCloser } from './paced-pieces.ts';
import { type FrameGrid, type Piece, type Segment, segmentsOf, spanOf, wholePieces } from './segments.ts';
import { talkPieces } from './talk-pieces.ts';

export interface TalkSlots {
  readonly facts: ClipFacts;
  readonly grid: FrameGrid;
  /** The parts of the take that are shown, ascending. */
  readonly slots: readonly { readonly segment: Segment }[];
}

/** The pieces of each slot, in the order of the slots. */
export function talkSlotPieces({ facts, grid, slots }: TalkSlots, framing: Framing): Piece[][] {
  const hidden = gapsBetween(
    slots.map(({ segment }) => segment),
    grid,
  );
  const isFree = (piece: Segment) =>
    canBeCloser({ source: facts, grid, framing }, piece, { needsFace: false });
  const shots = wholePieces(segmentsOf(facts.video, grid));
  const removals = hidden.map((span) => ({ ...span, reason: 'pause' as const, certainty: 1 }));
  const pieces = piecesByView(talkPieces(shots, removals, grid, isFree), framing);
  return slots.map(({ segment }) =>
    pieces.filter(
      ({ startFrame, endFrame }) => startFrame >= segment.startFrame && endFrame <= segment.endFrame,
    ),
  );
}

function gapsBetween(segments: readonly Segment[], grid: FrameGrid): Span[] {
  const bounds = [
    0,
    ...segments.flatMap(({ startFrame, endFrame }) => [startFrame, endFrame]),
    grid.frameCount,
  ];
  const gaps: Span[] = [];
  for (let at = 0; at < bounds.length; at += 2)
    if (bounds[at + 1]! > bounds[at]!)
      gaps.push(spanOf(grid, { startFrame: bounds[at]!, endFrame: bounds[at + 1]! }));
  return gaps;
}
