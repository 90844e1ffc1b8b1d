import { confidentFacts } from '../../analysis/confident-facts.ts';
import type { ClipFacts } from '../../analysis/facts.ts';
import { COMPONENT_NAMES, type ComponentName, strengthOf } from '../../domain/job-choices.ts';
import type { Warning } from '../../domain/stage.ts';
import { SHORTEST_OUTPUT_SECONDS } from '../../domain/talk-options.ts';
import { adjustedStyle, adjustedZooms } from '../model/adjusted-style.ts';
import { hasPicture, isMeasured, isOfMovingPictures } from '../model/measured-parts.ts';
import type { Style } from '../model/schema.ts';
import { editShareOf, protectionAt } from '../model/strength.ts';
import type { Timeline } from '../model/timeline.ts';
import { type CaptionRequest, type PlannedCaptions, planCaptions } from './captions.ts';
import { clipsOf } from './clips.ts';
import { namedFileWarnings } from './file-warnings.ts';
import { ownFraming, piecesByView } from './framing.ts';
import { gradeOf } from './grade.ts';
import { audioOf } from './mastering.ts';
import { planPushIns } from './motion.ts';
import { outputSize } from './output-size.ts';
import { canBeCloser, type PaceRequest, pacedPieces } from './paced-pieces.ts';
import { pictureWarnings } from './picture-warnings.ts';
import type { PlanRequest } from './plan-request.ts';
import { frameGrid, type Piece, type Segment, secondsAt, segmentsOf, wholePieces } from './segments.ts';
import { styledRate } from './styled-rate.ts';
import { styledFraming } from './styled-shape.ts';
import { planTalk } from './talk.ts';
import { talkPieces } from './talk-pieces.ts';
import { planTransitions } from './transitions.ts';

/** Sound that continues for less time after the picture is due to the encoder: up to .1 s in `../shared/media`. */
const LONG_SOUND_SECONDS = 0.5;

/** The edit decision list that brings `source` into `style`, with the config's strength for each component. */
export function planTimeline(unfiltered: PlanRequest): { timeline: Timeline; warnings: Warning[] } {
  const request = withAdjustments(withConfidentFacts(unfiltered));
  const { source, template, config } = request;
  const warnings: Warning[] = [
    ...(source.video.fileWarnings ?? []),
    ...(source.audio?.fileWarnings ?? []),
    ...soundLengthWarnings(source),
    ...(template === null ? [] : namedFileWarnings('The template', template)),
  ];
  const style = COMPONENT_NAMES.some((name) => strengthOf(config, name) > 0) ? request.style : null;
  const on = (name: ComponentName) => style !== null && strengthOf(config, name) > 0;
  const follows = (part: EditPart) => on(part) && isMeasured(style!, part);
  const isOfVideo = style !== null && isOfMovingPictures(style);
  warnWhenUnmeasured(isOfVideo ? EDIT_PARTS.filter((part) => on(part) && !follows(part)) : [], warnings);
  const rateChoice =
    on('frame_rate') && hasPicture(style!)
      ? styledRate(source, style!, config.components.frame_rate, warnings)
      : { value: source.video.frameRate, notFollowed: null };
  const rate = rateChoice.value;
  const grid = frameGrid(rate, source.video.durationSeconds);
  const segments =
    style === null ? [{ startFrame: 0, endFrame: grid.frameCount }] : segmentsOf(source.video, grid);
  const framingChoice =
    on('aspect_ratio') && hasPicture(style!)
      ? styledFraming({ source, style: style!, config, shots: segments, grid }, warnings)
      : { value: ownFraming(source, config.framing_focus, segments, grid), notFollowed: null };
  const framing = framingChoice.value;
  const templateSize = style === null ? null : (template?.video ?? null);
  const size = outputSize(framing.shown, source.video, templateSize, config);
  warnings.push(...pictureWarnings(size, framing, source.video, config));
  const { size: output } = size;
  const optionsOf = (part: EditPart) => ({
    reach: editShareOf(strengthOf(config, part)),
    caution: protectionAt(strengthOf(config, part)),
    seed: config.seed,
  });
  const cut = { style, isPaced: follows('pacing'), segments, grid, framing };
  const { pieces, talk } = cutPieces(request, cut, warnings);
  const growth = follows('motion')
    ? planPushIns(source, template, pieces, grid, style!, optionsOf('motion'))
    : pieces.map(() => 1);
  const wantedShake = follows('motion') ? (style!.camera_shake ?? null) : null;
  const transitions = follows('transitions')
    ? planTransitions(source, template, pieces, grid, style!, optionsOf('transitions'))
    : [];
  const clips = clipsOf(source, framing, grid, pieces, {
    growth,
    wantedShake,
    reach: optionsOf('motion').reach,
    output,
  });
  const notFollowed = [framingChoice.notFollowed, rateChoice.notFollowed].filter((one) => one !== null);
  const timeline: Timeline = {
    version: 2,
    frameRate: rate,
    ...output,
    clips,
    transitions,
    takes: [{ grade: on('color') ? gradeOf(request, clips, style!, warnings) : null }],
    audio: audioOf(source.audio, style, strengthOf(config, 'audio'), warnings),
    ...captionsIn(request, on('subtitles') ? style : null, { pieces, grid, clips, output }, warnings),
    ...(notFollowed.length === 0 ? {} : { notFollowed }),
    ...(talk === null ? {} : { talk }),
  };
  return { timeline, warnings };
}

/** The source in the style's pace, without what its talk leaves out. */
function cutPieces(
  { source, template, config, captions }: PlanRequest,
  {
    style,
    isPaced,
    ...cut
  }: Pick<PaceRequest, 'segments' | 'grid' | 'framing'> & {
    readonly style: Style | null;
    readonly isPaced: boolean;
  },
  warnings: Warning[],
) {
  const paced = isPaced
    ? pacedPieces({ source, style: style!, hasTemplate: template !== null, config, ...cut }, warnings)
    : wholePieces(cut.segments);
  const cues = captions?.cues ?? [];
  const talk = planTalk({ audio: source.audio, grid: cut.grid, style, config, cues }, warnings);
  const isFree = (piece: Segment) => canBeCloser({ source, ...cut }, piece, { needsFace: false });
  const shownOf = (all: readonly Piece[]) => talkPieces(all, talk?.removals ?? [], cut.grid, isFree);
  let shown = shownOf(paced);
  if (secondsAt(cut.grid, framesOf(shown)) < SHORTEST_OUTPUT_SECONDS && framesOf(shown) < framesOf(paced)) {
    const message =
      'The video was not trimmed: too little would be left beside the removed parts of the talk.';
    warnings.push({ code: 'PACING_LIMITED', message });
    shown = shownOf(wholePieces(cut.segments));
  }
  return { pieces: piecesByView(shown, cut.framing), talk };
}

function framesOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0);
}

function captionsIn(
  { source, config, captions = null }: PlanRequest,
  style: Style | null,
  cut: Pick<CaptionRequest, 'pieces' | 'grid' | 'clips' | 'output'>,
  warnings: Warning[],
): PlannedCaptions {
  const isRequested = config.captions === 'transcribe';
  if (style === null && !isRequested) return { captions: [] };
  return planCaptions({ source, style, isRequested, captions, ...cut }, warnings);
}

function soundLengthWarnings({ audio, video }: ClipFacts): Warning[] {
  const surplus = (audio?.durationSeconds ?? 0) - video.durationSeconds;
  if (surplus < LONG_SOUND_SECONDS) return [];
  const message = `The last ${surplus.toFixed(1)} s of the source's sound were left out, because its picture ends at ${video.durationSeconds.toFixed(1)} s.`;
  return [{ code: 'SOUND_LONGER_THAN_PICTURE', message }];
}

function withConfidentFacts(request: PlanRequest): PlanRequest {
  const { source, template } = request;
  return {
    ...request,
    source: confidentFacts(source),
    template: template === null ? null : confidentFacts(template),
  };
}

/** The style and the template after the dials of the config. */
function withAdjustments(request: PlanRequest): PlanRequest {
  const { style, template, config } = request;
  if (style === null) return request;
  const motion = template?.motion;
  const zoomShare = motion && adjustedZooms(motion.zoomShare, config.adjust);
  return {
    ...request,
    style: adjustedStyle(style, config.adjust),
    ...(zoomShare !== undefined && { template: { ...template!, motion: { ...motion!, zoomShare } } }),
  };
}

/** Parts of a style that change the edit; parts without confidence are not applied. */
const EDIT_PARTS = ['pacing', 'transitions', 'motion'] as const;
type EditPart = (typeof EDIT_PARTS)[number];

function warnWhenUnmeasured(parts: readonly EditPart[], warnings: Warning[]): void {
  if (parts.length === 0) return;
  warnings.push({
    code: 'STYLE_NOT_MEASURED',
    message: `The template's ${parts.join(', ')} could not be measured (confidence 0) and was not applied.`,
  });
}
