import { join } from 'node:path';
import { QUALITIES, type Quality } from '../job-config.ts';
import { timelineDurationSeconds } from '../style/timeline.ts';
import type { MediaEngine, TaskOptions } from './engine.ts';
import type { PlannedEdit, TaskOutput } from './tasks.ts';

export interface RenderedPlan {
  readonly output: TaskOutput<'render'>;
  readonly outputPath: string;
  readonly posterPath: string;
}

/** Renders a plan into the working folder. Throws what the task `render` throws. */
export async function renderPlan(
  engine: MediaEngine,
  work: { readonly plan: PlannedEdit; readonly sourcePath: string; readonly quality: Quality },
  options: TaskOptions & { readonly folder: string },
): Promise<RenderedPlan> {
  const { plan, sourcePath, quality } = work;
  const { folder } = options;
  const outputPath = join(folder, 'output.mp4');
  const posterPath = join(folder, 'poster.jpg');
  const { preset, crf } = QUALITIES[quality];
  const output = await engine.run(
    'render',
    {
      sourcePath,
      timeline: plan.timeline,
      preset,
      crf,
      outputPath,
      posterPath,
    },
    { ...options, mediaSeconds: timelineDurationSeconds(plan.timeline) },
  );
  return { output, outputPath, posterPath };
}
