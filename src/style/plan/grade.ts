import type { VideoFacts } from '../../analysis/facts.ts';
import { strengthOf } from '../../domain/job-choices.ts';
import { oncePer } from '../../domain/once-per.ts';
import type { Warning } from '../../domain/stage.ts';
import { withBlackBars } from '../look/black-bars.ts';
import { lookOf, monochromeShareOf } from '../look/estimate.ts';
import { MIN_VISIBLE, type PlannedGrade, planGrade } from '../look/grade-plan.ts';
import { logarithmicShare } from '../look/logarithmic.ts';
import { visibleShare } from '../look/near-black.ts';
import { faceLightnessOf, peopleShare } from '../look/people.ts';
import { isScreenOrDrawing } from '../look/screen.ts';
import { shownColor } from '../look/shown-color.ts';
import { partOfCube } from '../model/cube-color.ts';
import { framingUnion } from '../model/framing.ts';
import { hasPicture } from '../model/measured-parts.ts';
import type { Style } from '../model/schema.ts';
import { levelShareOf, protectionAt } from '../model/strength.ts';
import type { Clip, Take } from '../model/timeline.ts';
import { isWithin, shotsBetween } from './area.ts';
import type { PlanRequest } from './plan-request.ts';

/**
 * Below this confidence the look is probably content. A sky that fills the frame has .08; the next of thirty
 * clips, a lawn at night, .34.
 */
const UNSURE_LOOK = 0.2;
/** From this share a template counts as a logarithmic recording; 5 of 132 ungraded clips reach it. */
const FLAT_TEMPLATE = 0.5;

const DRAWN_WARNING: Warning = {
  code: 'LOOK_LIMITED',
  message:
    'The colors were left as they are, because the source is a screen recording or drawn. Set components.color to 1 to follow the look in full.',
};

/** The edge of a bar is found to a line or two. */
const BAR_EDGE = 0.005;

/** Of the same measurements, when a plan is made again after a change. */
const lookOnce = oncePer((video: VideoFacts) => lookOf(video).look);
const monochromeOnce = oncePer(monochromeShareOf);
const peopleOnce = oncePer(peopleShare);
const faceLightnessOnce = oncePer(faceLightnessOf);

/** The fields of a style that a grade follows. */
const COLOR_FIELDS = ['look', 'color_grade', 'color_statistics', 'source_kind', 'confidence'] as const;
export type ColorStyle = Pick<Style, (typeof COLOR_FIELDS)[number]>;

/** Equal for styles whose fields of `ColorStyle` are equal. */
export function colorKey(style: ColorStyle): string {
  return JSON.stringify(COLOR_FIELDS.map((field) => style[field]));
}

/** The grade of a source: removes its own look and adds the style's. Null: colors are unchanged. */
export function gradeOf(
  {
    source,
    config,
    cube,
    leastPeople = 0,
  }: Pick<PlanRequest, 'source' | 'config' | 'cube'> & {
    /** See `peopleShareOfTakes`. */
    readonly leastPeople?: number;
  },
  clips: readonly Clip[],
  style: ColorStyle,
  warnings: Warning[],
): Take['grade'] {
  const wanted = strengthOf(config, 'color');
  if (cube !== undefined) return partOfCube(cube, levelShareOf(wanted));
  if (!hasPicture(style)) return null;
  const isDrawn = isScreenOrDrawing(source.video);
  // An authored look is applied as it is.
  const kept = isDrawn && style.color_statistics !== undefined ? protectionAt(wanted) : 0;
  if (kept === 1) {
    warnings.push(DRAWN_WARNING);
    return null;
  }
  const strength = wanted * (1 - kept);
  if (source.video.color.confidence === 0 || style.confidence?.color === 0) {
    warnings.push({
      code: 'COLOR_NOT_MEASURED',
      message:
        'The color style was not applied, because no colors could be measured in the source or the template. One of them shows nothing, one tone, titles or a white page.',
    });
    return null;
  }
  const { statistics, cloud } = shownColor(source.video, clips);
  const black = blackWarning({
    template: style.color_statistics?.lightness_percentiles,
    source: statistics.lightnessPercentiles,
  });
  if (black !== null) {
    warnings.push(black);
    return null;
  }
  const planned = planGrade(
    {
      statistics,
      cloud,
      look: lookOnce(source.video),
      monochrome: monochromeOnce(source.video),
      size: source.video,
      isDrawn,
      people: Math.max(leastPeople, peopleOnce(source.video)),
      faceLightness: faceLightnessOnce(source.video),
    },
    style,
    strength,
  );
  const sure = style.look?.confidence ?? 1;
  if (planned !== null && sure < UNSURE_LOOK) {
    warnings.push({
      code: 'LOOK_UNSURE',
      message: `The template has few different colors, so its look may include colors of its content (confidence ${sure.toFixed(2)}). Reduce components.color, for example to 0.4, for a weaker look.`,
    });
  }
  warnings.push(...limitWarnings(planned));
  warnings.push(...flatWarnings(planned?.isDeveloped === true, style));
  if (planned === null) return null;
  return showsBars(source.video, clips) ? withBlackBars(planned.grade) : planned.grade;
}

function blackWarning(lightness: Readonly<Record<string, readonly number[] | undefined>>): Warning | null {
  const black = Object.entries(lightness).find(([, percentiles]) => isAlmostBlack(percentiles))?.[0];
  if (black === undefined) return null;
  return {
    code: 'COLOR_NOT_MEASURED',
    message: `The colors were left as they are, because the ${black} is almost entirely black.`,
  };
}

function limitWarnings(planned: PlannedGrade | null): Warning[] {
  const reasons = [
    ...(planned?.isToneHeldBack === true ? ['to keep details visible'] : []),
    ...(planned?.areCastsHeldBack === true ? ['to keep skin tones'] : []),
    ...(planned?.isWhiteKept === true ? ['to keep white and grey neutral'] : []),
    ...(planned?.isMonochromeKept === true ? ['to keep black and white'] : []),
  ];
  return reasons.length === 0
    ? []
    : [{ code: 'LOOK_LIMITED', message: `The look was reduced ${reasons.join(' and ')}.` }];
}

/** Whether black bars of the source are in the output. */
function showsBars(video: VideoFacts, clips: readonly Clip[]): boolean {
  return clips.some((clip) => {
    const shown = framingUnion(clip);
    const shots = shotsBetween(video, clip.sourceStartSeconds, clip.sourceEndSeconds);
    return shots.some((shot) => !isWithin(shown, video.shotAreas[shot], BAR_EDGE));
  });
}

function isAlmostBlack(percentiles: readonly number[] | undefined): boolean {
  return percentiles !== undefined && visibleShare(percentiles) < MIN_VISIBLE;
}

/** Warnings about logarithmic recordings: a source is developed, a template is not. */
function flatWarnings(isDeveloped: boolean, { color_statistics: template }: ColorStyle): Warning[] {
  const warnings: Warning[] = [];
  if (isDeveloped)
    warnings.push({
      code: 'SOURCE_DEVELOPED',
      message:
        "The source was detected as a camera's logarithmic recording (S-Log3, V-Log, C-Log) and converted to normal contrast before the look was applied. Set components.color to false if its pale colors are intended.",
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
        'The output is flat and pale like the template, which may be an ungraded logarithmic recording (S-Log3, V-Log, C-Log). Use a graded template or a preset for more contrast and color.',
    });
  return warnings;
}
