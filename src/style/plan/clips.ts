import { type ClipFacts, type Span, WHOLE_PICTURE } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { placeAt } from '../../signal/interpolation.ts';
import type { Clip, Reframe, TrackKey } from '../model/timeline.ts';
import { closerFraming, closerZoom, leavesOutFigures } from './closer-framing.ts';
import { focusedWindow, focusPath } from './focus.ts';
import { baseReframe, type Framing, magnified, viewOf } from './framing.ts';
import { framingPath, leavesStart } from './framing-path.ts';
import { type FrameGrid, type Piece, type Segment, spanOf } from './segments.ts';
import { cutsHeadInRun } from './sightings.ts';
import { stabilisation } from './stabilisation.ts';
import { continuesShot, framedRun } from './talk-pieces.ts';
import { followSubject } from './tracking.ts';

/** Movement of one clip: see `planPushIns` and `stabilisation`. */
export interface Movement {
  /** In pixels. */
  readonly output: Size;
  readonly growth: number;
  /** Shake of the style's own camera; null: the source's shake is unchanged. */
  readonly wantedShake: number | null;
  readonly reach: number;
}

/**
 * The clips of pieces of one source, each with its framing and movement. Each shot is framed for its own subjects; a
 * closer piece is framed by its neighbours.
 */
export function clipsOf(
  source: ClipFacts,
  framing: Framing,
  grid: FrameGrid,
  pieces: readonly Piece[],
  { growth, ...movement }: Omit<Movement, 'growth'> & { readonly growth: readonly number[] },
): Clip[] {
  const drawn = (piece: Piece, index: number, plain: Reframe, isHeld = false) =>
    clipOf(source, framing, grid, { ...piece, plain, isHeld }, { growth: growth[index], ...movement });
  // Each clip begins with a cut, so its framing is independent.
  const wide = pieces.map((piece, index) =>
    piece.isCloser ? null : drawn(piece, index, baseReframe(source, framing, grid, framedRun(pieces, index))),
  );
  let previous: Reframe | null = null;
  return pieces.map((piece, index) => {
    if (!continuesShot(piece)) previous = null;
    if (wide[index] != null) return wide[index];
    const run = framedRun(pieces, index);
    if (previous !== null && run.startFrame < piece.startFrame) return drawn(piece, index, previous, true);
    const view = viewOf(framing, piece);
    // The framings of the first camera before the piece and, if the shot continues, after it.
    const next = pieces.findIndex(({ startFrame }) => startFrame >= run.endFrame);
    const after = next >= 0 && continuesShot(pieces[next]) ? wide[next] : null;
    const before = wide.findLast((clip, at) => at < index && clip !== null)!;
    const beside = [before.from, ...(after == null ? [] : [after.from])];
    const maxZoom = closerZoom(beside, movement.output, source.video);
    const options = { shot: spanOf(grid, view), area: view.area, focus: view.focus, maxZoom, previous };
    previous = closerFraming(source, spanOf(grid, run), beside, options);
    return previous === null ? drawn(piece, index, beside[0]) : drawn(piece, index, previous, true);
  });
}

/** `plain`: the piece's framing before it moves. `isHeld`: a closer framing, which holds the heads in its run. */
function clipOf(
  source: ClipFacts,
  framing: Framing,
  grid: FrameGrid,
  { plain, isHeld, ...piece }: Piece & { readonly plain: Reframe; readonly isHeld: boolean },
  { growth, wantedShake, reach }: Movement,
): Clip {
  const { fit, area, focus } = viewOf(framing, piece);
  const run = spanOf(grid, piece);
  const steady =
    wantedShake === null || fit !== 'crop'
      ? null
      : stabilisation(source, run, plain, { area, wantedShake, reach });
  const first = steady?.framing ?? plain;
  const stillIn = (part: Segment) => {
    const base = baseReframe(source, framing, grid, part);
    const there = magnified(source, grid, part, base, base.width / plain.width);
    return { ...there, width: first.width, height: first.height };
  };
  const followed = () =>
    steady === null
      ? framingPath(source, grid, piece, first, { area, stillIn })
      : followSubject(source, first, run.startSeconds, run.endSeconds, area);
  const automaticPath = () => (isHeld ? levelPath(source, run, first, followed()) : followed());
  const path = fit !== 'crop' ? undefined : focus === null ? automaticPath() : focusPath(focus, first, area);
  const track = path !== undefined && leavesStart(path) ? path : undefined;
  // A path without movement becomes a fixed framing.
  const from = path === undefined || track !== undefined ? first : { ...first, x: path[0].x, y: path[0].y };
  const grown =
    focus === null
      ? magnified(source, grid, piece, from, growth)
      : focusedWindow(focus, run.startSeconds, from, {
          width: from.width / growth,
          height: from.height / growth,
        });
  // One movement at a time: a framing that follows a subject does not push in as well, and padded framings do not move.
  const grows = track === undefined && steady === null && fit === 'crop' && growth !== 1;
  return {
    take: 0,
    sourceStartSeconds: run.startSeconds,
    sourceEndSeconds: run.endSeconds,
    reason: piece.reason,
    from,
    to: grows ? grown : from,
    easing: grows ? 'ease_in_out' : 'linear',
    ...(track === undefined ? {} : { track }),
    ...(steady === null ? {} : { steady: steady.offsets }),
    fit,
  };
}

/**
 * The path of a closer framing: only aside, because it holds heads with room above them, and not at all if it would cut one, or a group. Subjects'
 * middles alone drew the edge through hair.
 */
function levelPath(
  source: ClipFacts,
  run: Span,
  framing: Reframe,
  path: readonly TrackKey[] | undefined,
): readonly TrackKey[] | undefined {
  const level = path?.map(({ timeSeconds, x }) => ({ timeSeconds, x, y: framing.y }));
  const isCutting =
    level !== undefined &&
    (cutsHeadInRun(source, run, (seconds) => ({ ...framing, ...placeAt(level, seconds) })) ||
      level.some(({ x, y }) => leavesOutFigures(source, run, { ...framing, x, y }, WHOLE_PICTURE)));
  return isCutting ? undefined : level;
}
