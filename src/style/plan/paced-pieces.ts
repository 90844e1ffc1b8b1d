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

/** Without a warning, the pace may differ by a tenth, or two changes may be missing. */
const TOLERATED = 0.1;
const MIN_MISSING = 2;

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
  const seen = joinEqualFramings(pieces, (piece) => canBeCloser(request, piece, { needsFace }));
  const unseen = pieces.length - seen.length;
  warnWhenLimited(request, { wanted: wantedCuts, placed: placedCuts - unseen, unseen }, warnings);
  return seen;
}

/** Whether a piece has a closer framing that cuts neither heads nor hands. Otherwise the first camera continues: two of its framings side by side are a jump. */
export function canBeCloser(
  { source, grid, framing }: Pick<PaceRequest, 'source' | 'grid' | 'framing'>,
  piece: Segment,
  { needsFace }: { readonly needsFace: boolean },
): boolean {
  const view = viewOf(framing, piece);
  const run = spanOf(grid, piece);
  const options = { shot: spanOf(grid, view), area: view.area, focus: view.focus };
  if (view.card !== null || !canComeCloser(source, run, { focus: options.focus, needsFace })) return false;
  const wide = baseReframe(source, framing, grid, piece);
  return closerFraming(source, run, [wide], { ...options, maxZoom: MAX_ZOOM, previous: null }) !== null;
}

function reachOf(config: JobConfig): number {
  return editShareOf(strengthOf(config, 'pacing'));
}

/** Joins neighbouring pieces whose framings cannot differ. */
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

function warnWhenLimited(
  { source, style, config, grid }: PaceRequest,
  cuts: { readonly wanted: number; readonly placed: number; readonly unseen: number },
  warnings: Warning[],
): void {
  const { durationSeconds, transitions } = source.video;
  const own = transitions.filter(({ edge }) => edge === undefined).length;
  const wantedChanges = style.cut_frequency * durationSeconds;
  const perMinute = (count: number) => Math.round((60 * count) / durationSeconds);
  const wanted = config.adjust.cuts === 0 ? 'The template has' : 'The template, with its cuts adjusted, has';
  const paces = `${wanted} ${Math.round(60 * style.cut_frequency)} shot changes a minute, the output`;
  if (
    reachOf(config) > 1 - TOLERATED &&
    own - wantedChanges >= MIN_MISSING &&
    own > (1 + TOLERATED) * wantedChanges
  ) {
    warnings.push({
      code: 'PACING_LIMITED',
      message: `${paces} ${perMinute(own)}: the source itself changes faster. Set pacing to "trim" to shorten it.`,
    });
    return;
  }
  const missing = cuts.wanted - cuts.placed;
  if (missing <= TOLERATED * (own + cuts.wanted) || (missing < MIN_MISSING && cuts.placed > 0)) return;
  const closed = closedShares(source, grid);
  const reasons = [
    ...(closed.speech >= 0.01
      ? [
          `${Math.round(100 * closed.speech)} % of the video is speech, which permits cuts only at clear beginnings of words and at most every 2.5 s`,
        ]
      : []),
    ...(closed.gradual >= 0.01
      ? [`${Math.round(100 * closed.gradual)} % of the video are transitions of the source`]
      : []),
    ...(closed.camera >= 0.01
      ? [`in ${Math.round(100 * closed.camera)} % of the video the camera pans, tilts or zooms`]
      : []),
    ...(cuts.unseen > 0
      ? [
          `letters, a drawing, heads or hands prevent a closer framing for ${cuts.unseen} cuts, or no face leads there, which is required below a strength of 1`,
        ]
      : []),
  ];
  const why =
    reasons.length > 0
      ? reasons.join(', and ')
      : 'they would be too close to existing cuts, or to each other';
  warnings.push({
    code: 'PACING_LIMITED',
    message: `${paces} ${perMinute(own + cuts.placed)}: ${missing} of ${cuts.wanted} new cuts were left out, because ${why}.`,
  });
}

/** Shares of the frames in speech, in the source's own transitions, and in other movements of its camera. */
function closedShares(
  source: ClipFacts,
  { frameCount, rate }: FrameGrid,
): { speech: number; gradual: number; camera: number } {
  const covered = { speech: 0, gradual: 0, camera: 0 };
  const spans = protectedSpans(source);
  const moves = cameraMoves(source);
  for (let frame = 0; frame < frameCount; frame++) {
    const time = secondsAt({ frameCount, rate }, frame);
    const isNow = ({ startSeconds, endSeconds }: Span) => startSeconds <= time && time < endSeconds;
    const inside = spans.filter(isNow);
    if (inside.some(({ isSpeech }) => isSpeech)) covered.speech++;
    else if (inside.length > 0) covered.gradual++;
    else if (moves.some(isNow)) covered.camera++;
  }
  const { speech, gradual, camera } = covered;
  return { speech: speech / frameCount, gradual: gradual / frameCount, camera: camera / frameCount };
}
