import { isUnusableInput } from '../../domain/errors.ts';
import type { JobWork, StageOutcome, StageWork, VideoReference, Warning } from '../../domain/stage.ts';
import { contentKey } from '../../domain/time-range.ts';
import { measuringSeconds } from '../../domain/work-estimate.ts';
import { measureUnlessRefused } from './refused-takes.ts';
import { progressParts, type WorkTools } from './stage-tools.ts';

type Analyse = (video: VideoReference, onProgress: (fraction: number) => void) => Promise<unknown>;

/** All takes of the work, each content once; the source alone without an edit. */
export function takesOf({ source, edit }: Pick<JobWork, 'source' | 'edit'>): readonly VideoReference[] {
  const takes = edit?.takes ?? [source];
  return takes.filter(({ sha256 }, index) => takes.findIndex((other) => other.sha256 === sha256) === index);
}

/** The take with the most pixels, which needs the most memory. */
export function largestTake(work: Pick<JobWork, 'source' | 'edit'>): VideoReference {
  const pixels = ({ width, height }: VideoReference) => width * height;
  return takesOf(work).reduce((most, take) => (pixels(take) > pixels(most) ? take : most));
}

/**
 * Runs one analysis for each take, for `others` and for the template. A template that cannot be analyzed costs the style, not the job; a
 * take of an edit that cannot be analyzed is left out (`measureUnlessRefused`); the source of a job without an edit fails it.
 */
export async function forEachClip(
  tools: WorkTools,
  work: StageWork,
  analyse: Analyse,
  others: readonly VideoReference[] = [],
): Promise<StageOutcome> {
  const clips = [...takesOf(work), ...others];
  const { template: look } = work;
  const template = look !== null && clips.some((clip) => contentKey(clip) === contentKey(look)) ? null : look;
  const weights = [...clips, ...(template === null ? [] : [template])].map(measuringSeconds);
  const progress = progressParts(work.onProgress, weights);
  for (const [index, clip] of clips.entries())
    await measureUnlessRefused(tools, work, clip, () => analyse(clip, progress[index]));
  if (template === null) return { warnings: [] };
  try {
    await analyse(template, progress.at(-1)!);
    return { warnings: [] };
  } catch (error) {
    if (!isUnusableInput(error)) throw error;
    const warning: Warning = {
      code: 'TEMPLATE_UNUSABLE',
      message: `The style was not applied, because the template cannot be analyzed: ${error.detail}`,
    };
    return { warnings: [warning] };
  }
}
