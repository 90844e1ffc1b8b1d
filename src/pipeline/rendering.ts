import { jobConfigSchema } from '../job-config.ts';
import type { Artifact, JobWork, StageWork } from '../stage.ts';
import { attemptBlobPrefix } from '../storage/blob-names.ts';
import { artifactFiles } from './artifacts.ts';
import { localClip } from './clip-facts.ts';
import type { PlannedEdit } from './direct-results.ts';
import { type RenderedPlan, renderPlan } from './render-plan.ts';
import type { Stage, StageTools, WorkTools } from './stage-tools.ts';
import { planOf, reportedStyleOf } from './style-application.ts';
import { openWorkspace } from './workspace.ts';

/** Renders the plan, stores the output and the files that go with it under the attempt's own prefix. */
export const rendering: Stage = async (tools, work) => {
  const style = await reportedStyleOf(tools, work);
  await using workspace = await openWorkspace(tools.engine.workRoot);
  const { plan, rendered } = await renderInto(workspace.folder, tools, work);
  const store = (name: string, path: string, contentType: string) =>
    storeFile(tools, work, { name, path, contentType });
  const output = await store('output.mp4', rendered.outputPath, 'video/mp4');
  const artifacts: Artifact[] = [];
  for (const { name, path, contentType } of await artifactFiles(workspace.folder, { plan, rendered }, style))
    artifacts.push(await store(name, path, contentType));
  return {
    warnings: rendered.warnings,
    publication: { style, output: { ...output, sha256: rendered.output.sha256 }, artifacts },
  };
};

/** The plan of a job, drawn into files in the working folder. */
export async function renderInto(
  folder: string,
  tools: WorkTools,
  work: JobWork,
): Promise<{ plan: PlannedEdit; rendered: RenderedPlan }> {
  const plan = await planOf(tools, work);
  await using source = await localClip(tools, work.source, work.signal);
  const { quality, comparison } = jobConfigSchema.parse(work.config);
  const { signal, onProgress } = work;
  const rendered = await renderPlan(
    tools.engine,
    { plan, sourcePath: source.path, quality, comparison },
    { signal, onProgress, folder, source: work.source },
  );
  return { plan, rendered };
}

async function storeFile(
  tools: StageTools,
  work: StageWork,
  file: { name: string; path: string; contentType: string },
): Promise<Artifact> {
  const blobKey = `${attemptBlobPrefix(work.jobId, work.attempt)}${file.name}`;
  const { sizeBytes } = await tools.patiently(() => tools.blobs.putFile(blobKey, file.path));
  return { name: file.name, blobKey, contentType: file.contentType, sizeBytes };
}
