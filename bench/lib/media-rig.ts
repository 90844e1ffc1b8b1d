/** Plans and renders in this process's own children; measurements stay in a folder, plans are made again. */
import { createReadStream } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pino from 'pino';
import type { VideoReference } from '../../src/domain/stage.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { openWorkspace } from '../../src/pipeline/engine/workspace.ts';
import { renderInto } from '../../src/pipeline/stages/rendering.ts';
import { contentHash, type ResultKind, Results } from '../../src/pipeline/stages/results.ts';
import type { WorkTools } from '../../src/pipeline/stages/stage-tools.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { StorageWatch } from '../../src/storage/storage-watch.ts';

type Blobs = Awaited<ReturnType<typeof openFileStore>>;
export type RigTools = WorkTools & { readonly blobs: Blobs };

export async function openTools(folder: string): Promise<RigTools> {
  const blobs = await openFileStore(join(folder, 'blobs'));
  const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 300 });
  await engine.prepare();
  const storage = new StorageWatch({ logger: pino({ level: 'silent' }), check: () => blobs.check() });
  const { signal } = new AbortController();
  const retryWhileStorageDown = <T>(use: () => Promise<T>) => storage.retryWhileStorageDown(signal, use);
  return { engine, blobs, retryWhileStorageDown, results: new Measurements(blobs) };
}

/** Renders a plan to `path`. */
export async function renderTo(
  path: string,
  tools: RigTools,
  work: Parameters<typeof renderInto>[2],
  plan: Parameters<typeof renderInto>[3],
): Promise<void> {
  await using workspace = await openWorkspace(tools.engine.workRoot);
  const { rendered } = await renderInto(workspace.folder, tools, work, plan);
  await copyFile(rendered.outputPath, path);
}

/** Plans are made again: they change with the planner under test. */
class Measurements extends Results {
  override async load<T>(kind: ResultKind, content: string): Promise<T | undefined> {
    return kind === 'plan' ? undefined : super.load<T>(kind, content);
  }
}

/** Equal paths have equal ids, so that results are found again. */
export async function referenceOf({ blobs }: RigTools, path: string): Promise<VideoReference> {
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
