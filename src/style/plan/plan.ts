import type { ClipFacts, Span } from '../../analysis/facts.ts';
import { statedFacts } from '../../analysis/stated.ts';
import type { CubeGrade, Size } from '../../domain/footage.ts';
import { COMPONENT_NAMES, type ComponentName, strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { Warning } from '../../domain/stage.ts';
import { isSilentStyle, loudnessOnly, maxLoudness, planAudio } from '../audio/audio.ts';
import { lookOf } from '../look/estimate.ts';
import { planGrade } from '../look/grade-plan.ts';
import { logarithmicShare } from '../look/logarithmic.ts';
import { peopleShare } from '../look/people.ts';
import { shownColour } from '../look/shown-colour.ts';
import { partOfCube } from '../model/cube-colour.ts';
import { isMeasured } from '../model/measured-parts.ts';
import type { Style } from '../model/schema.ts';
import { editShareOf, levelShareOf } from '../model/strength.ts';
import type { Clip, Reframe, Timeline } from '../model/timeline.ts';
import { type CaptionRequest, type PlannedCaptions, planCaptions, type SourceCaptions } from './captions.ts';
import { closerFraming, closerZoom } from './closer-framing.ts';
import { focusedWindow, focusPath } from './focus.ts';
import { baseReframe, type Framing, magnified, ownFraming, piecesByView, viewOf } from './framing.ts';
import { framingPath, leavesStart } from './framing-path.ts';
import { planPushIns } from './motion.ts';
import { outputSize } from './output-size.ts';
import { pacedPieces } from './paced-pieces.ts';
import { pictureWarnings } from './picture-warnings.ts';
import {
  type FrameGrid,
  frameGrid,
  type Piece,
  type Segment,
  secondsAt,
  segmentsOf,
  wholePieces,
} from './segments.ts';
import { styledFraming, styledRate } from './shape-and-rate.ts';
import { stabilisation } from './stabilisation.ts';
import { followSubject } from './tracking.ts';
import { planTransitions } from './transitions.ts';

/**
 * Below this confidence what is put on is content rather than a look: one sky that fills the frame has .08, the next of thirty
 * clips, a lawn at night, .34.
 */
const UNSURE_LOOK = 0.2;
/** From this share on a template counts as a logarithmic recording: of 132 clips as they are five reach it. */
const FLAT_TEMPLATE = 0.5;

/** Sound that runs on for less than this is the encoder's rounding: the clips of `../shared/media` have up to .1 s of it. */
const LONG_SOUND_SECONDS = 0.5;

export interface PlanRequest {
  readonly source: ClipFacts;
  /** Null: a clean re-encode. */
  readonly style: Style | null;
  /** Facts of the template, where there is one: they tell directions and durations that a style leaves out. */
  readonly template: ClipFacts | null;
  readonly config: JobConfig;
  /** A table of colours for the place of the style's own grade. */
  readonly cube?: CubeGrade;
  /** Left out or null: there are none. */
  readonly captions?: SourceCaptions | null;
}

/** The edit decision list that brings `source` into `style`, each component as strong as the config asks. */
export function planTimeline(unfiltered: PlanRequest): { timeline: Timeline; warnings: Warning[] } {
  const request = withConfidentFacts(unfiltered);
  const { source, template, config } = request;
  const warnings: Warning[] = [
    ...(source.video.fileWarnings ?? []),
    ...(source.audio?.fileWarnings ?? []),
    ...soundLengthWarnings(source),
  ];
  const style = COMPONENT_NAMES.some((name) => strengthOf(config, name) > 0) ? request.style : null;
  const on = (name: ComponentName) => style !== null && strengthOf(config, name) > 0;
  const follows = (part: EditPart) => on(part) && isMeasured(style!, part);
  const isImage = style?.source_kind === 'image';
  warnWhenUnmeasured(isImage ? [] : EDIT_PARTS.filter((part) => on(part) && !follows(part)), warnings);
  const rateChoice = on('frame_rate')
    ? styledRate(source, style!, config.components.frame_rate, warnings)
    : { value: source.video.frameRate, notFollowed: null };
  const rate = rateChoice.value;
  const grid = frameGrid(rate, source.video.durationSeconds);
  const segments =
    style === null ? [{ startFrame: 0, endFrame: grid.frameCount }] : segmentsOf(source.video, grid);
  const framingChoice = on('aspect_ratio')
    ? styledFraming({ source, style: style!, config, shots: segments, grid }, warnings)
    : { value: ownFraming(source, config.framing_focus, segments, grid), notFollowed: null };
  const framing = framingChoice.value;
  const templateSize = style === null ? null : (template?.video ?? null);
  const size = outputSize(framing.shown, source.video, templateSize, config);
  warnings.push(...pictureWarnings(size, framing, source.video, config));
  const { size: output } = size;
  const optionsOf = (part: EditPart) => ({
    reach: editShareOf(strengthOf(config, part)),
    seed: config.seed,
  });
  const paced = follows('pacing')
    ? pacedPieces(
        { source, style: style!, hasTemplate: template !== null, config, segments, grid, framing },
        warnings,
      )
    : wholePieces(segments);
  const pieces = piecesByView(paced, framing);
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
    version: 1,
    frameRate: rate,
    ...output,
    clips,
    transitions,
    grade: on('color') ? gradeOf(request, clips, style!, warnings) : null,
    audio: audioOf(source, style, strengthOf(config, 'audio'), warnings),
    ...captionsIn(request, on('subtitles') ? style : null, { pieces, grid, clips, output }, warnings),
    ...(notFollowed.length === 0 ? {} : { notFollowed }),
  };
  return { timeline, warnings };
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
  const message = `The source's sound runs ${surplus.toFixed(1)} s longer than its picture; the output ends with the picture, at ${video.durationSeconds.toFixed(1)} s, and leaves the rest of the sound out`;
  return [{ code: 'SOUND_LONGER_THAN_PICTURE', message }];
}

function withConfidentFacts(request: PlanRequest): PlanRequest {
  const { source, template } = request;
  return {
    ...request,
    source: statedFacts(source),
    template: template === null ? null : statedFacts(template),
  };
}

/** Parts of a style that change the edit: what was not measured of them is not applied. */
const EDIT_PARTS = ['pacing', 'transitions', 'motion'] as const;
type EditPart = (typeof EDIT_PARTS)[number];

function warnWhenUnmeasured(parts: readonly EditPart[], warnings: Warning[]): void {
  if (parts.length === 0) return;
  warnings.push({
    code: 'STYLE_NOT_MEASURED',
    message: `The template shows too little to tell its ${parts.join(', ')} (confidence 0): not applied`,
  });
}

/** How one clip moves: see `planPushIns` and `stabilisation`. */
interface Movement {
  /** In pixels. */
  readonly output: Size;
  readonly growth: number;
  /** Shake of the style's own camera; null: the source's is left as it is. */
  readonly wantedShake: number | null;
  readonly reach: number;
}

function clipsOf(
  source: ClipFacts,
  framing: Framing,
  grid: FrameGrid,
  pieces: readonly Piece[],
  { growth, ...movement }: Omit<Movement, 'growth'> & { readonly growth: readonly number[] },
): Clip[] {
  const drawn = (piece: Piece, index: number, plain: Reframe) =>
    clipOf(source, framing, grid, { ...piece, plain }, { growth: growth[index], ...movement });
  // Each clip begins with a cut, so each may look where its own subjects are.
  const wide = pieces.map((piece, index) =>
    piece.isCloser ? null : drawn(piece, index, baseReframe(source, framing, grid, piece)),
  );
  let previous: Reframe | null = null;
  return pieces.map((piece, index) => {
    if (piece.reason !== 'punch_in') previous = null;
    if (wide[index] != null) return wide[index];
    const view = viewOf(framing, piece);
    // The framings of the first camera before it and, where the shot continues, after it.
    const after = pieces[index + 1]?.reason === 'punch_in' ? wide[index + 1] : null;
    const beside = [wide[index - 1]!.from, ...(after == null ? [] : [after.from])];
    const maxZoom = closerZoom(beside, movement.output, source.video);
    const options = { shot: spanOf(grid, view), area: view.area, focus: view.focus, maxZoom, previous };
    previous = closerFraming(source, spanOf(grid, piece), beside, options);
    return drawn(piece, index, previous ?? beside[0]);
  });
}

function spanOf(grid: FrameGrid, { startFrame, endFrame }: Segment): Span {
  return { startSeconds: secondsAt(grid, startFrame), endSeconds: secondsAt(grid, endFrame) };
}

/** `plain`: the piece's framing before it moves. */
function clipOf(
  source: ClipFacts,
  framing: Framing,
  grid: FrameGrid,
  { plain, ...piece }: Piece & { readonly plain: Reframe },
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
  const automaticPath = () =>
    steady === null
      ? framingPath(source, grid, piece, first, { area, stillIn })
      : followSubject(source, first, run.startSeconds, run.endSeconds, area);
  const path = fit !== 'crop' ? undefined : focus === null ? automaticPath() : focusPath(focus, first, area);
  const track = path !== undefined && leavesStart(path) ? path : undefined;
  // A path without movement is a fixed framing at its place.
  const from = path === undefined || track !== undefined ? first : { ...first, x: path[0].x, y: path[0].y };
  // One movement at a time: a framing that follows somebody does not push in as well; over padding none moves.
  const grows = track === undefined && steady === null && fit === 'crop' && growth !== 1;
  const grown =
    focus === null
      ? magnified(source, grid, piece, from, growth)
      : focusedWindow(focus, run.startSeconds, from, {
          width: from.width / growth,
          height: from.height / growth,
        });
  return {
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

function gradeOf(
  { source, config, cube }: PlanRequest,
  clips: readonly Clip[],
  style: Style,
  warnings: Warning[],
): Timeline['grade'] {
  const strength = strengthOf(config, 'color');
  if (cube !== undefined) return partOfCube(cube, levelShareOf(strength));
  if (source.video.colour.confidence === 0 || style.confidence?.color === 0) {
    warnings.push({
      code: 'COLOR_NOT_MEASURED',
      message: 'There is no colour to measure in the source or in the template; colours stay as they are',
    });
    return null;
  }
  const { statistics, cloud } = shownColour(source.video, clips);
  const planned = planGrade(
    { statistics, cloud, look: lookOf(source.video).look, people: peopleShare(source.video) },
    style,
    strength,
  );
  const sure = style.look?.confidence ?? 1;
  if (planned !== null && sure < UNSURE_LOOK) {
    warnings.push({
      code: 'LOOK_UNSURE',
      message: `The template's colours are nearly all of one kind, so that its look is hard to separate from its content (confidence ${sure.toFixed(2)}); less strength applies less of them, such as components.color: 0.4`,
    });
  }
  const reasons = [
    ...(planned?.isToneHeldBack === true ? ['to keep details visible'] : []),
    ...(planned?.areCastsHeldBack === true ? ['to keep skin tones'] : []),
  ];
  if (reasons.length > 0) {
    warnings.push({
      code: 'LOOK_LIMITED',
      message: `The style's look was reduced ${reasons.join(', and ')}`,
    });
  }
  warnings.push(...flatWarnings(planned?.isDeveloped === true, style));
  return planned?.grade ?? null;
}

/** Warnings about logarithmic recordings: a source is developed, a template is followed as it is. */
function flatWarnings(isDeveloped: boolean, { color_statistics: template }: Style): Warning[] {
  const warnings: Warning[] = [];
  if (isDeveloped)
    warnings.push({
      code: 'SOURCE_DEVELOPED',
      message:
        "The source has neither black nor white and little colour, as a camera's logarithmic profile (S-Log3, V-Log, C-Log) records it: it was developed to a normal picture before the style's look was put on. If it is meant to be that pale, components.color: false leaves its colours as they are",
    });
  if (
    template !== undefined &&
    logarithmicShare({
      lightness: template.lightness_percentiles,
      mean: template.mean_ab,
      covariance: template.covariance_ab,
    }) > FLAT_TEMPLATE
  )
    warnings.push({
      code: 'TEMPLATE_FLAT',
      message:
        'The template is as flat and pale as an ungraded logarithmic recording (S-Log3, V-Log, C-Log), and the output follows it; a graded template, or a preset, gives more contrast and colour',
    });
  return warnings;
}

function audioOf(
  { audio }: ClipFacts,
  style: Style | null,
  strength: number,
  warnings: Warning[],
): Timeline['audio'] {
  if (audio === null) return null;
  if (strength === 0) return { equalizer: [], compressor: null, targetLufs: null, truePeakDbtp: null };
  const plan = style === null ? loudnessOnly(audio) : planAudio(audio, style, strength);
  if (plan.targetLufs === maxLoudness(audio)) {
    warnings.push({
      code: 'LOUDNESS_LIMITED',
      message: `The source's sound is quiet background without speech or a beat; it plays at ${plan.targetLufs} LUFS, because more would only raise noise`,
    });
  } else if (style !== null && isSilentStyle(style)) {
    warnings.push({
      code: 'AUDIO_STYLE_SILENT',
      message: `At ${style.audio_style!.normalization_level} LUFS the style holds next to no sound to follow; the source's sound stays as it is, at ${plan.targetLufs} LUFS`,
    });
  }
  return plan;
}
