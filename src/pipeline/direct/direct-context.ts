/** Tools of the stages without blob store and database: local files, and results cached in memory until disposal. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Size } from '../../domain/footage.ts';
import type { VideoReference } from '../../domain/stage.ts';
import { captionsBlobKey, videoBlobKey } from '../../storage/blob-names.ts';
import type { BlobInfo, LocalFile } from '../../storage/blob-store.ts';
import { ClipChild } from '../engine/clip-child.ts';
import type { MediaEngine } from '../engine/engine.ts';
import { openWorkspace, type Workspace } from '../engine/workspace.ts';
import type { ResultKind, ResultStore } from '../stages/results.ts';
import type { WorkTools } from '../stages/stage-tools.ts';

/** `source`: absolute path of the clip whose tasks share one child; undefined: each task has a child of its own. */
export async function openDirectContext(
  engine: MediaEngine,
  { source, ...more }: { readonly source?: string } & Pick<WorkTools, 'transcription'> = {},
): Promise<DirectContext> {
  const workspace = await openWorkspace(engine.workRoot);
  if (source === undefined) return new DirectContext(engine, workspace, more);
  const folder = join(workspace.folder, 'source');
  await mkdir(folder);
  return new DirectContext(engine, workspace, { ...more, sourceChild: new ClipChild(source, folder) });
}

/** Serves one edit or analysis; disposing it removes its files. */
export class DirectContext implements AsyncDisposable {
  readonly tools: WorkTools;
  /** Working folder, for the files that the work makes. */
  readonly folder: string;
  readonly #workspace: Workspace;
  readonly #files = new LocalFiles();

  constructor(
    engine: MediaEngine,
    workspace: Workspace,
    more: Pick<WorkTools, 'sourceChild' | 'transcription'>,
  ) {
    this.#workspace = workspace;
    this.folder = more.sourceChild?.folder ?? workspace.folder;
    const results = new HeldResults(workspace.folder);
    const retryWhileStorageDown = <T>(use: () => T) => use();
    this.tools = { engine, blobs: this.#files, results, retryWhileStorageDown, ...more };
  }

  /** Registers a file. `path`: absolute; its hash replaces the hash of the content, because hashing large files takes long. */
  file<Found extends { readonly durationSeconds: number | null }>(
    path: string,
    found: Found,
  ): Found & Handle {
    const handle = this.handle(path);
    this.#files.add(handle.blobKey, path);
    return { ...found, ...handle };
  }

  /** The key of a file's results. `path`: absolute. */
  handle(path: string): Handle {
    const sha256 = createHash('sha256').update(path).digest('hex');
    return { videoId: sha256, sha256, blobKey: videoBlobKey(sha256), filename: basename(path) };
  }

  /** Registers the caption file of a clip. `path`: absolute. */
  addCaptions({ videoId }: Pick<VideoReference, 'videoId'>, path: string): void {
    this.#files.add(captionsBlobKey(videoId), path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tools.sourceChild?.[Symbol.asyncDispose]();
    await this.#workspace[Symbol.asyncDispose]();
  }
}

type Handle = Omit<VideoReference, 'durationSeconds' | keyof Size>;

class LocalFiles {
  readonly #paths = new Map<string, string>();

  add(key: string, path: string): void {
    this.#paths.set(key, path);
  }

  async head(key: string): Promise<BlobInfo | null> {
    const path = this.#paths.get(key);
    if (path === undefined) return null;
    const { size, mtime } = await stat(path);
    return { sizeBytes: size, modifiedAt: mtime };
  }

  async get(key: string): Promise<Readable> {
    return createReadStream(this.#path(key));
  }

  async localPath(key: string): Promise<LocalFile> {
    return untouched(this.#path(key));
  }

  #path(key: string): string {
    const path = this.#paths.get(key);
    if (path === undefined) throw new Error(`No file is registered for ${key}`);
    return path;
  }
}

class HeldResults implements ResultStore {
  readonly #folder: string;
  readonly #values = new Map<string, unknown>();
  readonly #files = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async load<T>(kind: ResultKind, content: string): Promise<T | undefined> {
    return this.#values.get(nameOf(kind, content)) as T | undefined;
  }

  async has(kind: ResultKind, content: string): Promise<boolean> {
    return this.#values.has(nameOf(kind, content));
  }

  async save(kind: ResultKind, content: string, value: unknown): Promise<void> {
    this.#values.set(nameOf(kind, content), value);
  }

  async loadFile(kind: ResultKind, content: string): Promise<LocalFile | null> {
    const path = this.#files.get(nameOf(kind, content));
    return path === undefined ? null : untouched(path);
  }

  async moveFile(kind: ResultKind, content: string, path: string): Promise<void> {
    const name = nameOf(kind, content);
    const held = join(this.#folder, `${name}.bin`);
    await rename(path, held);
    this.#files.set(name, held);
  }
}

function nameOf(kind: ResultKind, content: string): string {
  return `${kind}-${content}`;
}

function untouched(path: string): LocalFile {
  return { path, async [Symbol.asyncDispose]() {} };
}
