import { join } from 'node:path';
import { QUALITIES, type Quality } from '../job-config.ts';
import { timelineDurationSeconds } from '../style/timeline.ts';
import type { MediaEngine, TaskOptions } from './engine.ts';
import { progressParts } from './stage-tools.ts';
import type { PlannedEdit, TaskOutput } from './tasks.ts';

/** A comparison has no grade to draw, but two pictures to decode and a wider one to encode. */
const WITH_COMPARISON = [60, 40];

export interface RenderedPlan {
  readonly output: TaskOutput<'render'>;
  readonly outputPath: string;
  readonly posterPath: string;
  /** Source and output side by side; null: not asked for. */
  readonly comparisonPath: string | null;
}

/** Renders a plan into the working folder. Throws what the task `render` throws. */
export async function renderPlan(
  engine: MediaEngine,
  work: {
    readonly plan: PlannedEdit;
    readonly sourcePath: string;
    readonly quality: Quality;
    readonly comparison: boolean;
  },
  options: TaskOptions & { readonly folder: string },
): Promise<RenderedPlan> {
  const { plan, sourcePath, quality } = work;
  const { timeline } = plan;
  const { folder } = options;
  const outputPath = join(folder, 'output.mp4');
  const posterPath = join(folder, 'poster.jpg');
  const { preset, crf } = QUALITIES[quality];
  const mediaSeconds = timelineDurationSeconds(timeline);
  const weights = work.comparison ? WITH_COMPARISON : [1, 0];
  const [forOutput, forComparison] = progressParts(options.onProgress ?? (() => {}), weights);
  const output = await engine.run(
    'render',
    {
      sourcePath,
      timeline,
      preset,
      crf,
      outputPath,
      posterPath,
    },
    { ...options, mediaSeconds, onProgress: forOutput! },
  );
  if (!work.comparison) return { output, outputPath, posterPath, comparisonPath: null };
  const comparisonPath = join(folder, 'comparison.mp4');
  await engine.run(
    'compare',
    { sourcePath, renderedPath: outputPath, timeline, preset, crf, comparisonPath },
    { ...options, mediaSeconds, onProgress: forComparison! },
  );
  return { output, outputPath, posterPath, comparisonPath };
}
