/** Analyses of an edit's takes, which idle workers share. */
import type { RunPart, StageWork } from '../../domain/stage.ts';
import { clipFactsOf } from './clip-facts.ts';
import { takesOf } from './each-clip.ts';
import { measureUnlessRefused } from './refused-takes.ts';
import { contentHash } from './results.ts';
import type { StageTools } from './stage-tools.ts';

/** Measures all takes, each once, here and by idle workers; afterwards their facts, or the reasons of those that are refused, are cached. */
export async function analyseTakes(tools: StageTools, work: StageWork): Promise<void> {
  const { parts } = work;
  const takes = takesOf(work);
  if (parts === undefined || takes.length < 2) return;
  await parts.all(
    planName(work),
    takes.length,
    (part, { signal, onProgress }) => analyseTake(tools, { ...work, signal, onProgress }, part),
    work.onProgress,
  );
  await parts.forget();
}

/** Measures a take of a job that another worker runs. */
export function takeAnalyser(tools: StageTools): RunPart {
  return async (work, { plan, part }) => {
    if (planName(work) !== plan)
      throw new Error(`job ${work.jobId}: its takes are others than where it runs`);
    return analyseTake(tools, work, part);
  };
}

function planName(work: StageWork): string {
  return `takes-${contentHash(takesOf(work).map(({ sha256 }) => sha256))}`;
}

async function analyseTake(tools: StageTools, work: StageWork, part: number) {
  const { signal, onProgress } = work;
  const take = takesOf(work)[part];
  await measureUnlessRefused(tools, work, take, () => clipFactsOf(tools, take, { signal, onProgress }));
  return { measured: part };
}
