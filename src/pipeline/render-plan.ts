import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QUALITIES, type Quality } from '../job-config.ts';
import { timelineDurationSeconds } from '../style/timeline.ts';
import type { MediaEngine, TaskOptions } from './engine.ts';
import type { PlannedEdit, TaskOutput } from './tasks.ts';

/** Name of the grade in the working folder: filters are told it, so it is ours alone. */
const LUT_FILE = 'grade.cube';

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
  if (plan.cube !== null) await writeFile(join(folder, LUT_FILE), plan.cube);
  const outputPath = join(folder, 'output.mp4');
  const posterPath = join(folder, 'poster.jpg');
  const { preset, crf } = QUALITIES[quality];
  const output = await engine.run(
    'render',
    {
      sourcePath,
      timeline: plan.timeline,
      lutFile: plan.cube === null ? null : LUT_FILE,
      preset,
      crf,
      outputPath,
      posterPath,
    },
    { ...options, mediaSeconds: timelineDurationSeconds(plan.timeline) },
  );
  return { output, outputPath, posterPath };
}
