/** Renders single videos in this process's own children; measurements of clips stay in the folder, plans are made again. */
import { createReadStream } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pino from 'pino';
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { type JobConfigInput, jobConfigSchema } from '../../src/domain/job-config.ts';
import type { VideoReference, Warning } from '../../src/domain/stage.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { openWorkspace } from '../../src/pipeline/engine/workspace.ts';
import { clipFactsOf } from '../../src/pipeline/stages/clip-facts.ts';
import { renderInto } from '../../src/pipeline/stages/rendering.ts';
import { contentHash, type ResultKind, Results } from '../../src/pipeline/stages/results.ts';
import { planOf } from '../../src/pipeline/stages/style-application.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { StorageWatch } from '../../src/storage/storage-watch.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';

type Blobs = Awaited<ReturnType<typeof openFileStore>>;

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
  const blobs = await openFileStore(join(folder, 'blobs'));
  const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 300 });
  await engine.prepare();
  const storage = new StorageWatch({ logger: pino({ level: 'silent' }), check: () => blobs.check() });
  const { signal } = new AbortController();
  const retryWhileStorageDown = <T>(use: () => Promise<T>) => storage.retryWhileStorageDown(signal, use);
  const tools = { engine, blobs, retryWhileStorageDown, results: new Measurements(blobs) };
  return {
    async render({ source, template, config }, path) {
      const [own, other] = [await referenceOf(blobs, source), await referenceOf(blobs, template)];
      const work = {
        ...{ source: own, template: other, style: null, signal, onProgress: () => {} },
        config: jobConfigSchema.parse(config),
      };
      const facts = await clipFactsOf(tools, own, { signal });
      await clipFactsOf(tools, other, { signal, withStyle: true });
      const plan = await planOf(tools, work);
      const { timeline, warnings } = plan;
      if (path !== null) {
        await using workspace = await openWorkspace(engine.workRoot);
        const { rendered } = await renderInto(workspace.folder, tools, work, plan);
        await copyFile(rendered.outputPath, path);
      }
      return { facts, timeline, warnings };
    },
  };
}

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
