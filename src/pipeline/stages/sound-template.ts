import { isSound, type JobWork, type Warning } from '../../domain/stage.ts';
import { namedFileWarnings } from '../../style/plan/file-warnings.ts';
import { audioOf } from './clip-facts.ts';
import type { WorkTools } from './stage-tools.ts';

/** Warnings about a template that is a sound file. A template with a picture has its warnings in the plan, and so has a song. */
export async function soundTemplateWarnings(
  tools: WorkTools,
  { template, edit, signal }: Pick<JobWork, 'template' | 'edit' | 'signal'>,
): Promise<Warning[]> {
  if (template === null || !isSound(template) || edit?.music?.sha256 === template.sha256) return [];
  const measured = await audioOf(tools, template, { signal });
  return measured === null ? [] : namedFileWarnings('The template', { video: null, audio: measured.facts });
}
