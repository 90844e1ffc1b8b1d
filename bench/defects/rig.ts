/** Renders single videos, and has their facts and plans. */
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { type JobConfigInput, jobConfigSchema } from '../../src/domain/job-config.ts';
import type { Warning } from '../../src/domain/stage.ts';
import { clipFactsOf } from '../../src/pipeline/stages/clip-facts.ts';
import { planOf } from '../../src/pipeline/stages/style-application.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { openTools, referenceOf, renderTo } from '../lib/media-rig.ts';

export interface RenderedPair {
  readonly facts: ClipFacts;
  readonly timeline: Timeline;
  readonly warnings: readonly Warning[];
}

export interface SingleRig {
  /** Writes the output to `path`; null: only plans. */
  render(
    pair: { readonly source: string; readonly template: string; readonly config: JobConfigInput },
    path: string | null,
  ): Promise<RenderedPair>;
}

export async function openSingleRig(folder: string): Promise<SingleRig> {
  const tools = await openTools(folder);
  const { signal } = new AbortController();
  return {
    async render({ source, template, config }, path) {
      const [own, other] = [await referenceOf(tools, source), await referenceOf(tools, template)];
      const work = {
        ...{ source: own, template: other, style: null, signal, onProgress: () => {} },
        config: jobConfigSchema.parse(config),
      };
      const facts = await clipFactsOf(tools, own, { signal });
      await clipFactsOf(tools, other, { signal, withStyle: true });
      const plan = await planOf(tools, work);
      const { timeline, warnings } = plan;
      if (path !== null) await renderTo(path, tools, work, plan);
      return { facts, timeline, warnings };
    },
  };
}
