import { isUnusableInput } from '../errors.ts';
import { jobConfigSchema } from '../job-config.ts';
import type { StageWork } from '../stage.ts';
import type { Style } from '../style/schema.ts';
import { clipFactsOf } from './clip-facts.ts';
import { contentHash } from './results.ts';
import type { Stage, StageTools } from './stage-tools.ts';
import { styleOf } from './style-extraction.ts';
import type { PlannedEdit } from './tasks.ts';

/** Maps the style onto the source: the plan as data. */
export const styleApplication: Stage = async (tools, work) => {
  const plan = await planOf(tools, work);
  return { warnings: plan.warnings };
};

/** The plan of a job, kept by all that it depends on. */
export async function planOf(tools: StageTools, work: StageWork): Promise<PlannedEdit> {
  const config = jobConfigSchema.parse(work.config);
  const style = await appliedStyleOf(tools, work);
  const { quality, style_strength, components, pacing, seed } = config;
  const deciding = { quality, style_strength, components, pacing, seed };
  const template = style === null || work.template === null ? null : work.template;
  const content = `${work.source.sha256}-${contentHash(template?.sha256 ?? null, style, deciding)}`;
  const kept = await tools.results.load<PlannedEdit>('plan', content);
  if (kept !== undefined) return kept;
  const source = await clipFactsOf(tools, work.source, work.signal);
  const templateFacts = template === null ? null : await clipFactsOf(tools, template, work.signal);
  const plan = await tools.engine.run(
    'plan',
    { source, style, template: templateFacts, config },
    { signal: work.signal, onProgress: work.onProgress },
  );
  await tools.results.save('plan', content, plan);
  return plan;
}

/** Null: nothing to apply. Without a template the reported style is the source's own, which is not applied to it. */
async function appliedStyleOf(tools: StageTools, work: StageWork): Promise<Style | null> {
  if (work.style === null && work.template === null) return null;
  return reportedStyleOf(tools, work);
}

/** The style of a job's result; null where the extraction failed, of which a warning was given then. */
export async function reportedStyleOf(tools: StageTools, work: StageWork): Promise<Style | null> {
  try {
    return await styleOf(tools, work);
  } catch (error) {
    if (isUnusableInput(error)) return null;
    throw error;
  }
}
