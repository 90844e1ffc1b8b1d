import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jobConfigSchema, QUALITIES } from '../job-config.ts';
import type { Artifact, StageWork } from '../stage.ts';
import { attemptBlobPrefix } from '../storage/blob-names.ts';
import { timelineDurationSeconds } from '../style/timeline.ts';
import type { Stage, StageTools } from './stage-tools.ts';
import { planOf, reportedStyleOf } from './style-application.ts';
import type { PlannedEdit } from './tasks.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

export const LUT_FILE = 'grade.cube';

/** Renders the plan, stores the output and the files that go with it under the attempt's own prefix. */
export const rendering: Stage = async (tools, work) => {
  const plan = await planOf(tools, work);
  const style = await reportedStyleOf(tools, work);
  await using workspace = await openWorkspace(tools.engine.workRoot);
  const rendered = await renderPlan(tools, work, plan, workspace);
  const store = (name: string, path: string, contentType: string) =>
    storeFile(tools, work, { name, path, contentType });
  const output = await store('output.mp4', join(workspace.folder, 'output.mp4'), 'video/mp4');
  const artifacts: Artifact[] = [];
  for (const { name, contentType, text } of textArtifacts(plan, style)) {
    const path = join(workspace.folder, `artifact-${name}`);
    await writeFile(path, text);
    artifacts.push(await store(name, path, contentType));
  }
  artifacts.push(await store('poster.jpg', join(workspace.folder, 'poster.jpg'), 'image/jpeg'));
  return { warnings: [], publication: { style, output: { ...output, sha256: rendered.sha256 }, artifacts } };
};

async function renderPlan(tools: StageTools, work: StageWork, plan: PlannedEdit, workspace: Workspace) {
  const { folder } = workspace;
  const { preset, crf } = QUALITIES[jobConfigSchema.parse(work.config).quality];
  if (plan.cube !== null) await writeFile(join(folder, LUT_FILE), plan.cube);
  await using source = await tools.blobs.localPath(work.source.blobKey, work.signal);
  return await tools.engine.run(
    'render',
    {
      sourcePath: source.path,
      timeline: plan.timeline,
      lutFile: plan.cube === null ? null : LUT_FILE,
      preset,
      crf,
      outputPath: join(folder, 'output.mp4'),
      posterPath: join(folder, 'poster.jpg'),
    },
    {
      signal: work.signal,
      onProgress: work.onProgress,
      folder,
      mediaSeconds: timelineDurationSeconds(plan.timeline),
    },
  );
}

function textArtifacts(plan: PlannedEdit, style: unknown) {
  const all = [
    {
      name: 'style.json',
      contentType: 'application/json',
      text: style === null ? null : JSON.stringify(style, null, 2),
    },
    { name: 'grade.cube', contentType: 'text/plain', text: plan.cube },
    { name: 'timeline.otio', contentType: 'application/json', text: plan.otio },
  ];
  return all.flatMap(({ text, ...rest }) => (text === null ? [] : [{ ...rest, text }]));
}

async function storeFile(
  tools: StageTools,
  work: StageWork,
  file: { name: string; path: string; contentType: string },
): Promise<Artifact> {
  const blobKey = `${attemptBlobPrefix(work.jobId, work.attempt)}${file.name}`;
  const { sizeBytes } = await tools.blobs.putFile(blobKey, file.path);
  return { name: file.name, blobKey, contentType: file.contentType, sizeBytes };
}
