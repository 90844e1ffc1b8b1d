/** Renders edits in this process's own children; measurements stay in the folder, so that edits share those of their takes. */
import { createReadStream } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pino from 'pino';
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { editSchema } from '../../src/domain/edit-options.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { VideoReference } from '../../src/domain/stage.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { openWorkspace } from '../../src/pipeline/engine/workspace.ts';
import { audioOf, clipFactsOf } from '../../src/pipeline/stages/clip-facts.ts';
import { renderInto } from '../../src/pipeline/stages/rendering.ts';
import { contentHash, type ResultKind, Results } from '../../src/pipeline/stages/results.ts';
import type { WorkTools } from '../../src/pipeline/stages/stage-tools.ts';
import { planOf } from '../../src/pipeline/stages/style-application.ts';
import { styleOf } from '../../src/pipeline/stages/style-extraction.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { StorageWatch } from '../../src/storage/storage-watch.ts';
import type { EditResult } from '../../src/style/model/edit-result.ts';
import type { Style } from '../../src/style/model/schema.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';

type Blobs = Awaited<ReturnType<typeof openFileStore>>;

/** Paths of files and the options of a job. */
export interface RequestedEdit {
  readonly takes: readonly string[];
  readonly template: string;
  /** Null: no song. */
  readonly music: string | null;
  /** Fields of `edit` besides takes and music. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
  /** Makes a style by hand of the template's; the template itself then has no part in the plan. */
  readonly restyle?: (style: Style) => Style;
}

export interface RenderedEdit {
  readonly edit: EditResult;
  readonly timeline: Timeline;
  /** In the order of the takes. */
  readonly facts: readonly ClipFacts[];
  /** File of a take by its id in `edit`. */
  readonly files: ReadonlyMap<string, string>;
}

export interface PlannedRequest extends Omit<RenderedEdit, 'files' | 'facts'> {
  /** The template's Style DNA. */
  readonly style: Style;
}

export interface EditRig {
  plan(request: RequestedEdit): Promise<PlannedRequest>;
  /** Writes the output to `path`. */
  render(request: RequestedEdit, path: string): Promise<RenderedEdit>;
}

export async function openEditRig(folder: string): Promise<EditRig> {
  const blobs = await openFileStore(join(folder, 'blobs'));
  const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 300 });
  await engine.prepare();
  const storage = new StorageWatch({ logger: pino({ level: 'silent' }), check: () => blobs.check() });
  const { signal } = new AbortController();
  const retryWhileStorageDown = <T>(use: () => Promise<T>) => storage.retryWhileStorageDown(signal, use);
  const tools = { engine, blobs, retryWhileStorageDown, results: new Measurements(blobs) };
  return {
    async plan(request) {
      const { work, plan } = await planned(tools, request);
      return { edit: plan.edit!, timeline: plan.timeline, style: (await styleOf(tools, work))! };
    },
    async render(request, path) {
      const { work, plan, facts } = await planned(tools, request);
      await using workspace = await openWorkspace(engine.workRoot);
      const { rendered } = await renderInto(workspace.folder, tools, work, plan);
      await copyFile(rendered.outputPath, path);
      const files = new Map(work.edit.takes.map(({ videoId }, at) => [videoId, request.takes[at]!]));
      return { edit: plan.edit!, timeline: plan.timeline, facts, files };
    },
  };
}

async function planned(
  tools: WorkTools & { readonly blobs: Blobs },
  { takes, template, music, options, config = {}, restyle }: RequestedEdit,
) {
  const { signal } = new AbortController();
  const stored = (file: string) => referenceOf(tools.blobs, file);
  const references = await Promise.all(takes.map(stored));
  const song = music === null ? null : await stored(music);
  const measured = {
    ...{ source: references[0]!, template: await stored(template), style: null, signal },
    config: jobConfigSchema.parse({ quality: 'low', ...config }),
    edit: {
      ...{ takes: references, music: song },
      options: editSchema.parse({
        takes: references.map(({ videoId }) => ({ video_id: videoId })),
        music: song && { video_id: song.videoId },
        ...options,
      }),
    },
    onProgress: () => {},
  };
  const facts: ClipFacts[] = [];
  for (const take of references) facts.push(await clipFactsOf(tools, take, { signal }));
  await clipFactsOf(tools, measured.template, { signal, withStyle: true });
  if (song !== null) await audioOf(tools, song, { signal });
  const work =
    restyle === undefined
      ? measured
      : { ...measured, template: null, style: restyle(await styleOf(tools, measured)) };
  return { work, plan: await planOf(tools, work), facts };
}

/** Plans are made again: they change with the planner under test. */
class Measurements extends Results {
  override async load<T>(kind: ResultKind, content: string): Promise<T | undefined> {
    return kind === 'plan' ? undefined : super.load<T>(kind, content);
  }
}

/** Equal paths have equal ids, so that results are found again. */
async function referenceOf(blobs: Blobs, path: string): Promise<VideoReference> {
  const sha256 = contentHash(path);
  const videoId = sha256.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-7$3-8$4-$5');
  const blobKey = `videos/${videoId}`;
  if ((await blobs.head(blobKey)) === null) await blobs.put(blobKey, createReadStream(path));
  const { video, durationSeconds } = await outlineOf(path);
  return {
    ...{ videoId, sha256, blobKey, filename: basename(path), durationSeconds: durationSeconds ?? 0 },
    ...{ width: video?.width ?? 0, height: video?.height ?? 0 },
  };
}
