import { isUnusableInput } from '../../domain/errors.ts';
import type { StageOutcome, StageWork, VideoReference, Warning } from '../../domain/stage.ts';
import { progressParts } from './stage-tools.ts';

/**
 * Does one analysis for the source and, when there is one, for the template. A template that cannot be analysed
 * costs the style, not the job; a source that cannot be analysed is the job's failure.
 */
export async function forEachClip(
  work: StageWork,
  analyse: (video: VideoReference, onProgress: (fraction: number) => void) => Promise<unknown>,
): Promise<StageOutcome> {
  const same = work.template?.sha256 === work.source.sha256;
  const [forSource, forTemplate] = progressParts(
    work.onProgress,
    work.template === null || same ? [1, 0] : [1, 1],
  );
  await analyse(work.source, forSource);
  if (work.template === null || same) return { warnings: [] };
  try {
    await analyse(work.template, forTemplate);
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
