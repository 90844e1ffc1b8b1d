import type { ClipFacts, Span } from '../../analysis/facts.ts';
import { RECOMMENDED_TEMPLATE_SECONDS } from '../../domain/footage.ts';
import { strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { Warning } from '../../domain/stage.ts';
import type { Style } from '../model/schema.ts';
import { editShareOf, protectionAt } from '../model/strength.ts';
import { canComeCloser, closerFraming, MAX_ZOOM } from './closer-framing.ts';
import { baseReframe, type Framing, viewOf } from './framing.ts';
import { cameraMoves, protectedSpans, punchIn } from './pacing.ts';
import { type FrameGrid, type Piece, type Segment, secondsAt, spanOf, wholePieces } from './segments.ts';
import { trim } from './trim.ts';

/** Relative difference of the pace without a warning. */
const TOLERATED = 0.1;
/** Fewer missing shot changes need no warning. */
const MIN_MISSING = 2;
/** A reason that concerns less of the video is not named. */
const MIN_NAMED_SHARE = 0.01;

export interface PaceRequest {
  readonly source: ClipFacts;
  readonly style: Style;
  /** Whether the template itself is available; else the style was authored or measured earlier. */
  readonly hasTemplate: boolean;
  readonly config: JobConfig;
  readonly segments: readonly Segment[];
  readonly grid: FrameGrid;
  readonly framing: Framing;
}

/** The source cut at the style's pace, with the config's method; warns if the content prevents it. */
export function pacedPieces(request: PaceRequest, warnings: Warning[]): readonly Piece[] {
  const { source, style, config, segments, grid } = request;
  if (config.pacing === 'keep') return wholePieces(segments);
  // An image has no duration.
  const templateSeconds = request.hasTemplate ? style.source_duration_seconds : 0;
  if (templateSeconds > 0 && templateSeconds < RECOMMENDED_TEMPLATE_SECONDS) {
    warnings.push({
      code: 'TEMPLATE_SHORT',
      message: `The template is only ${templateSeconds.toFixed(1)} s long, so its pacing may be inaccurate. Use a template of at least ${RECOMMENDED_TEMPLATE_SECONDS} s.`,
    });
  }
  const options = { reach: reachOf(config), seed: config.seed };
  if (config.pacing === 'trim') return trim(source, segments, grid, style, options);
  const caution = protectionAt(strengthOf(config, 'pacing'));
  const { pieces, wantedCuts, placedCuts } = punchIn(source, segments, grid, style, { ...options, caution });
  const needsFace = caution > 0;
  const visible = joinEqualFramings(pieces, (piece) => canBeCloser(request, piece, { needsFace }));
  const joined = pieces.length - visible.length;
  const warning = paceWarning(request, { wanted: wantedCuts, placed: placedCuts - joined, joined });
  if (warning !== null) warnings.push(warning);
  return visible;
}

/** Whether a piece has a closer framing that cuts neither heads nor hands. */
export function canBeCloser(
  { source, grid, framing }: Pick<PaceRequest, 'source' | 'grid' | 'framing'>,
  piece: Segment,
  { needsFace }: { readonly needsFace: boolean },
): boolean {
  const view = viewOf(framing, piece);
  const { area, focus } = view;
  const run = spanOf(grid, piece);
  if (view.card !== null || !canComeCloser(source, run, { focus, needsFace })) return false;
  const wide = baseReframe(source, framing, grid, piece);
  const options = { shot: spanOf(grid, view), area, focus, maxZoom: MAX_ZOOM, previous: null };
  return closerFraming(source, run, [wide], options) !== null;
}

/** 0..1: share of the change from the source's pace to the template's. */
function reachOf(config: JobConfig): number {
  return editShareOf(strengthOf(config, 'pacing'));
}

/** Removes cuts between two framings of the same camera, which would be jump cuts. */
function joinEqualFramings(pieces: readonly Piece[], canCome: (piece: Piece) => boolean): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const isCloser = piece.isCloser && canCome(piece);
    const last = joined.at(-1);
    if (last !== undefined && piece.reason === 'punch_in' && last.isCloser === isCloser)
      joined[joined.length - 1] = { ...last, endFrame: piece.endFrame };
    else joined.push({ ...piece, isCloser });
  }
  return joined;
}

interface CutCounts {
  readonly wanted: number;
  readonly placed: number;
  /** Cuts that were removed because the framings on both sides would be the same. */
  readonly joined: number;
}

/** Null: the output has about the template's pace. */
function paceWarning({ source, style, config, grid }: PaceRequest, cuts: CutCounts): Warning | null {
  const { durationSeconds, transitions } = source.video;
  const sourceChanges = transitions.filter(({ edge }) => edge === undefined).length;
  const wantedChanges = style.cut_frequency * durationSeconds;
  const template =
    config.adjust.cuts === 0 ? 'The template has' : 'The template, with its cuts adjusted, has';
  const paces = (changes: number) =>
    `${template} ${Math.round(60 * style.cut_frequency)} shot changes a minute, the output ${Math.round((60 * changes) / durationSeconds)}`;
  if (
    reachOf(config) > 1 - TOLERATED &&
    sourceChanges - wantedChanges >= MIN_MISSING &&
    sourceChanges > (1 + TOLERATED) * wantedChanges
  ) {
    return {
      code: 'PACING_LIMITED',
      message: `${paces(sourceChanges)}: the source itself changes faster. Set pacing to "trim" to shorten it.`,
    };
  }
  const missing = cuts.wanted - cuts.placed;
  if (missing <= TOLERATED * (sourceChanges + cuts.wanted)) return null;
  if (missing < MIN_MISSING && cuts.placed > 0) return null;
  return {
    code: 'PACING_LIMITED',
    message: `${paces(sourceChanges + cuts.placed)}: ${missing} of ${cuts.wanted} new cuts were left out, because ${whyMissing(source, grid, cuts.joined)}.`,
  };
}

function whyMissing(source: ClipFacts, grid: FrameGrid, joinedCuts: number): string {
  const { speech, gradual, camera } = closedShares(source, grid);
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const reasons: string[] = [];
  if (speech >= MIN_NAMED_SHARE)
    reasons.push(
      `${percent(speech)} of the video is speech, which permits cuts only at clear beginnings of words and at most every 2.5 s`,
    );
  if (gradual >= MIN_NAMED_SHARE)
    reasons.push(`${percent(gradual)} of the video are transitions of the source`);
  if (camera >= MIN_NAMED_SHARE)
    reasons.push(`in ${percent(camera)} of the video the camera pans, tilts or zooms`);
  if (joinedCuts > 0)
    reasons.push(
      `letters, a drawing, heads or hands prevent a closer framing for ${joinedCuts} cuts, or no face leads there, which is required below a strength of 1`,
    );
  if (reasons.length === 0) return 'they would be too close to existing cuts, or to each other';
  return reasons.join(', and ');
}

/** Shares of the frames in speech, in the source's own transitions, and in other movements of its camera. */
function closedShares(
  source: ClipFacts,
  { frameCount, rate }: FrameGrid,
): { speech: number; gradual: number; camera: number } {
  const frames = { speech: 0, gradual: 0, camera: 0 };
  const spans = protectedSpans(source);
  const moves = cameraMoves(source);
  for (let frame = 0; frame < frameCount; frame++) {
    const time = secondsAt({ frameCount, rate }, frame);
    const isNow = ({ startSeconds, endSeconds }: Span) => startSeconds <= time && time < endSeconds;
    const inside = spans.filter(isNow);
    if (inside.some(({ isSpeech }) => isSpeech)) frames.speech++;
    else if (inside.length > 0) frames.gradual++;
    else if (moves.some(isNow)) frames.camera++;
  }
  const { speech, gradual, camera } = frames;
  return { speech: speech / frameCount, gradual: gradual / frameCount, camera: camera / frameCount };
}
