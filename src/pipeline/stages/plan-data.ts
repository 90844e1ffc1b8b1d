/** Plans as data, which players play before anything is rendered. */
import { createHash } from 'node:crypto';
import { access, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, isFailure } from '../../domain/errors.ts';
import type { PlanPreview } from '../../domain/plan-preview.ts';
import {
  type JobWork,
  picturedTemplate,
  type StageOutcome,
  type StageWork,
  type VideoReference,
} from '../../domain/stage.ts';
import { contentKey } from '../../domain/time-range.ts';
import type { Style } from '../../style/model/schema.ts';
import type { MeasuredFiles, PlanDataInput } from '../engine/tasks.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { clipFactsOf } from './clip-facts.ts';
import { takesOf } from './each-clip.ts';
import { withLeftOut } from './refused-takes.ts';
import { type ResultKind, resultBlobKey } from './results.ts';
import { soundTemplateWarnings } from './sound-template.ts';
import { captionsOf } from './source-captions.ts';
import type { StageTools, WorkTools } from './stage-tools.ts';
import { storeFile } from './store-file.ts';
import { reportedStyleOf } from './style-application.ts';

interface PlanOptions {
  /** Measurements are copied into it; a child that stays open keeps them. */
  readonly folder: string;
  /** The source's file, whose text track may be shown; null: of an edit from several takes. */
  readonly sourcePath: string | null;
}

/**
 * Plans videos that are measured; returns a refusal if no plan can follow the wishes. Captions are those that exist, because nobody waits for
 * a transcription at a preview. Throws what the task `planData` throws.
 */
export async function planAsData(
  tools: WorkTools,
  work: JobWork,
  { folder, sourcePath }: PlanOptions,
): Promise<PlanPreview | Failure> {
  const { edit, signal, onProgress } = work;
  const takes = edit?.takes ?? [work.source];
  const music = edit?.music ?? null;
  const style = work.style === null && work.template === null ? null : await reportedStyleOf(tools, work);
  const measured = work.style === null && style !== null ? picturedTemplate(work) : null;
  const config = { ...work.config, captions: 'auto' as const };
  const input: PlanDataInput = {
    takes: await Promise.all(
      takes.map(async (take) => ({
        ...{ videoId: take.videoId, content: contentKey(take) },
        files: await filesOf(tools, take, folder),
      })),
    ),
    musicPath: music === null ? null : await resultFile(tools, 'audio', music, folder),
    template: measured === null ? null : await filesOf(tools, measured, folder),
    ...{ style, config, edit: edit?.options ?? null, sourcePath },
    captions:
      sourcePath === null
        ? null
        : await captionsIn(tools, { ...work, config }, style, { folder, sourcePath }),
  };
  const plan = await tools.engine.run('planData', input, {
    ...{ signal, onProgress, folder, child: tools.sourceChild },
  });
  if ('refused' in plan) return new Failure(plan.refused.code, plan.refused.detail, plan.refused);
  const reported = withLeftOut(plan, work);
  return {
    ...reported,
    warnings: [...reported.warnings, ...(await soundTemplateWarnings(tools, work))],
    takes: takes.map(({ videoId, width, height, durationSeconds }) => ({
      ...{ videoId, width, height, durationSeconds },
    })),
    music: music === null ? null : { videoId: music.videoId, durationSeconds: music.durationSeconds },
  };
}

/** The last stage of the product `plan`. */
export async function publishPlan(tools: StageTools, work: StageWork): Promise<StageOutcome> {
  const { signal } = work;
  for (const take of takesOf(work)) await clipFactsOf(tools, take, { signal });
  await using workspace = await openWorkspace(tools.engine.workRoot);
  const { folder } = workspace;
  await using source =
    work.edit === undefined ? await tools.blobs.localPath(work.source.blobKey, signal) : null;
  const plan = await planAsData(tools, work, { folder, sourcePath: source?.path ?? null });
  if (isFailure(plan)) throw plan;
  const text = JSON.stringify(plan);
  const path = join(folder, 'plan.json');
  await writeFile(path, text);
  const output = await storeFile(tools, work, { name: 'plan.json', path, contentType: 'application/json' });
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { warnings: [], publication: { style: null, output: { ...output, sha256 }, artifacts: [] } };
}

async function captionsIn(
  tools: WorkTools,
  work: JobWork,
  style: Style | null,
  { folder, sourcePath }: { readonly folder: string; readonly sourcePath: string },
): Promise<PlanDataInput['captions']> {
  const captions = await captionsOf(tools, work, style);
  if (captions === null) return null;
  if (captions.origin === 'track') return { origin: 'track', path: sourcePath };
  const path = join(folder, `captions-${captions.sha256}`);
  await writeFile(path, captions.bytes);
  return { origin: captions.origin, path };
}

async function filesOf(tools: WorkTools, video: VideoReference, folder: string): Promise<MeasuredFiles> {
  const [picture, audio, motion] = await Promise.all(
    (['video', 'audio', 'motion'] as const).map((kind) => resultFile(tools, kind, video, folder)),
  );
  return { video: picture!, audio: audio!, motion: motion! };
}

/** Path of a copy of a stored result in the folder. It is not parsed here: ten takes have megabytes. */
async function resultFile(
  { blobs, retryWhileStorageDown }: WorkTools,
  kind: ResultKind,
  video: VideoReference,
  folder: string,
): Promise<string> {
  const content = contentKey(video);
  const path = join(folder, `${kind}-${content}.json`);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  const key = resultBlobKey(kind, content);
  if ((await retryWhileStorageDown(() => blobs.head(key))) === null)
    throw new Failure('SERVICE_UNAVAILABLE', 'Measurements of a video were removed meanwhile', {
      retryAfterSeconds: 1,
    });
  await using file = await retryWhileStorageDown(() => blobs.localPath(key));
  await copyFile(file.path, path);
  return path;
}
