import { strengthOf } from '../../domain/job-choices.ts';
import type { Warning } from '../../domain/stage.ts';
import { lookOf } from '../look/estimate.ts';
import { planGrade } from '../look/grade-plan.ts';
import { logarithmicShare } from '../look/logarithmic.ts';
import { peopleShare } from '../look/people.ts';
import { shownColour } from '../look/shown-colour.ts';
import { partOfCube } from '../model/cube-colour.ts';
import type { Style } from '../model/schema.ts';
import { levelShareOf } from '../model/strength.ts';
import type { Clip, Take } from '../model/timeline.ts';
import type { PlanRequest } from './plan-request.ts';

/**
 * Below this confidence what is put on is content rather than a look: one sky that fills the frame has .08, the next of thirty
 * clips, a lawn at night, .34.
 */
const UNSURE_LOOK = 0.2;
/** From this share on a template counts as a logarithmic recording: of 132 clips as they are five reach it. */
const FLAT_TEMPLATE = 0.5;

/** The grade of a source: its own look off, the style's on. Null: colours stay. */
export function gradeOf(
  { source, config, cube }: Pick<PlanRequest, 'source' | 'config' | 'cube'>,
  clips: readonly Clip[],
  style: Style,
  warnings: Warning[],
): Take['grade'] {
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
