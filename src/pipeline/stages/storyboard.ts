import { join } from 'node:path';
import type { PictureFormat } from '../../domain/preview.ts';
import type { EditWork, JobWork } from '../../domain/stage.ts';
import type { StoryboardLayout } from '../../render/previews/storyboard-layout.ts';
import type { EditResult } from '../../style/model/edit-result.ts';
import type { PlannedEdit } from '../engine/direct-results.ts';
import { localMedia } from './clip-facts.ts';
import { largestTake } from './each-clip.ts';
import { progressParts, type WorkTools } from './stage-tools.ts';
import { planOf } from './style-application.ts';

/** Shares of planning and drawing. */
const WEIGHTS = [20, 80];

export interface Storyboard {
  readonly plan: PlannedEdit;
  readonly edit: EditResult;
  /** Size of the picture, and the tile of each slot in it. */
  readonly layout: StoryboardLayout;
  readonly picturePath: string;
}

/**
 * Plans an edit and draws a moment of each slot into one picture in `folder`, without rendering the edit. Measures takes that are not
 * measured. Throws what `planOf` and the task `storyboard` throw.
 */
export async function planStoryboard(
  tools: WorkTools,
  work: JobWork & { readonly edit: EditWork },
  { folder, format = 'jpeg' }: { readonly folder: string; readonly format?: PictureFormat },
): Promise<Storyboard> {
  const { signal } = work;
  const [forPlan, forDrawing] = progressParts(work.onProgress, WEIGHTS);
  const plan = await planOf(tools, { ...work, onProgress: forPlan! });
  const edit = plan.edit!;
  const picturePath = join(folder, format === 'png' ? 'storyboard.png' : 'storyboard.jpg');
  await using media = await localMedia(tools, work);
  const slots = edit.slots.map(({ start_seconds, end_seconds }, number) => ({
    seconds: (start_seconds + end_seconds) / 2,
    label: `${number}   ${start_seconds.toFixed(2)} s`,
  }));
  const layout = await tools.engine.run(
    'storyboard',
    { timeline: plan.timeline, takePaths: media.files.takePaths, slots, format, picturePath },
    {
      signal,
      onProgress: forDrawing!,
      folder,
      source: largestTake(work),
      mediaSeconds: edit.duration_seconds,
    },
  );
  return { plan, edit, layout, picturePath };
}
