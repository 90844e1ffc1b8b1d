import { copyFile, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { editConfig, jobConfigSchema } from '../../domain/job-config.ts';
import type {
  PreviewRequest,
  PreviewService,
  StoredPreview,
  StoredPreviewRequest,
} from '../../domain/preview.ts';
import type { JobWork, VideoReference } from '../../domain/stage.ts';
import { captionsBlobKey, previewsPrefix } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { ClipChild } from '../engine/clip-child.ts';
import { ClipChildren } from '../engine/clip-children.ts';
import type { MediaEngine } from '../engine/engine.ts';
import { localClip } from '../stages/clip-facts.ts';
import { drawPreview, type PreviewPlan, planPreview } from '../stages/preview.ts';
import { contentHash, Results, VERSIONS } from '../stages/results.ts';
import type { WorkTools } from '../stages/stage-tools.ts';

const PREVIEW_ID = /^[0-9a-f]{64}$/;
const HALF = 32;

export interface PreviewServiceParts {
  readonly engine: MediaEngine;
  readonly blobs: BlobStore;
}

/**
 * Previews among the blobs. The first half of an id is that of the source's SHA-256, so that they can be removed with it; the
 * frames are kept without their grade as well, so that another strength need not decode them again, and for some seconds a child
 * waits for the next picture of the pair.
 */
export class BlobPreviewService implements PreviewService, AsyncDisposable {
  readonly #blobs: BlobStore;
  readonly #tools: WorkTools;
  readonly #children: ClipChildren;

  constructor({ engine, blobs }: PreviewServiceParts) {
    this.#blobs = blobs;
    this.#tools = { engine, blobs, results: new Results(blobs), retryWhileStorageDown: (use) => use() };
    this.#children = new ClipChildren(engine);
  }

  async idOf({ source, template, style, config, momentsSeconds }: PreviewRequest): Promise<string> {
    const captions = await this.#blobs.head(captionsBlobKey(source.videoId));
    const hash = contentHash(
      VERSIONS,
      template?.sha256 ?? null,
      style,
      editConfig(config),
      momentsSeconds,
      captions?.modifiedAt ?? null,
    );
    return `${source.sha256.slice(0, HALF)}${hash.slice(0, HALF)}`;
  }

  load(previewId: string): Promise<StoredPreview | null> {
    return this.#read<StoredPreview>(previewId, 'preview.json');
  }

  async storeRequest(previewId: string, asked: StoredPreviewRequest): Promise<void> {
    await this.#write(previewId, 'asked.json', asked);
  }

  async loadRequest(previewId: string): Promise<StoredPreviewRequest | null> {
    const asked = await this.#read<StoredPreviewRequest>(previewId, 'asked.json');
    // One of an earlier version lacks newer fields.
    return asked === null ? null : { ...asked, config: jobConfigSchema.parse(asked.config) };
  }

  async remove(previewId: string): Promise<void> {
    if (PREVIEW_ID.test(previewId)) await this.#blobs.removeAll(folderOf(previewId));
  }

  async isMeasured(video: VideoReference, as: 'source' | 'template'): Promise<boolean> {
    const kinds = ['video', 'audio', 'motion', ...(as === 'template' ? (['style'] as const) : [])] as const;
    for (const kind of kinds) if (!(await this.#tools.results.has(kind, video.sha256))) return false;
    return true;
  }

  async styleOf({ sha256 }: VideoReference): Promise<unknown> {
    return (await this.#tools.results.load('style', sha256)) ?? null;
  }

  async draw(previewId: string, request: PreviewRequest, signal: AbortSignal): Promise<StoredPreview> {
    const { momentsSeconds, ...given } = request;
    const work: JobWork = { ...given, signal, onProgress: () => {} };
    const plan = await planPreview(this.#tools, work, momentsSeconds);
    await using clip = await localClip(this.#tools, work.source, signal);
    // A child sees of other videos no more than their look, and that of one pair alone.
    const pair = contentHash(work.source.sha256, work.template?.sha256 ?? null, work.style, clip.path);
    const { picture, sizeBytes } = await this.#children.use(pair, clip.path, (child) =>
      this.#drawBy(child, previewId, work, plan),
    );
    const { videoId } = work.source;
    const templateVideoId = work.template?.videoId ?? null;
    const blobKey = keyOf(previewId, 'preview.jpg');
    const kept = {
      videoId,
      templateVideoId,
      picture,
      file: { name: 'preview.jpg', blobKey, contentType: 'image/jpeg', sizeBytes },
    };
    // Last: what it names is there.
    await this.#write(previewId, 'preview.json', kept);
    return kept;
  }

  async #drawBy(child: ClipChild, previewId: string, work: JobWork, plan: PreviewPlan) {
    const { folder } = child;
    const framesName = `${contentHash(VERSIONS.video, plan.momentsSeconds, plan.frameSize)}.yuv`;
    const framesKey = `${previewsPrefix(work.source.sha256)}${framesName}`;
    const isKept = (await this.#blobs.head(framesKey)) !== null;
    const kept = isKept ? await this.#layOut(framesKey, join(folder, framesName), work.signal) : null;
    const tools = { ...this.#tools, sourceChild: child };
    const options = { folder, format: 'jpeg', framesPath: kept } as const;
    const { picture, picturePath, framesPath } = await drawPreview(tools, work, plan, options);
    if (!isKept) await this.#blobs.putFile(framesKey, framesPath);
    const { sizeBytes } = await this.#blobs.putFile(keyOf(previewId, 'preview.jpg'), picturePath);
    return { picture, sizeBytes };
  }

  /** Frames, for a child to see in its folder, in place of those of other moments; returns their path. */
  async #layOut(framesKey: string, path: string, signal: AbortSignal): Promise<string> {
    const names = await readdir(dirname(path));
    if (names.includes(basename(path))) return path;
    for (const name of names) await rm(join(dirname(path), name), { recursive: true });
    await using frames = await this.#blobs.localPath(framesKey, signal);
    await copyFile(frames.path, path);
    return path;
  }

  async #read<T>(previewId: string, name: string): Promise<T | null> {
    if (!PREVIEW_ID.test(previewId)) return null;
    const key = keyOf(previewId, name);
    if ((await this.#blobs.head(key)) === null) return null;
    return (await json(await this.#blobs.get(key))) as T;
  }

  async #write(previewId: string, name: string, value: unknown): Promise<void> {
    await this.#blobs.put(keyOf(previewId, name), Readable.from([JSON.stringify(value)]));
  }

  /** No child of it is left then. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#children[Symbol.asyncDispose]();
  }
}

function folderOf(previewId: string): string {
  return `${previewsPrefix(previewId)}${previewId.slice(HALF)}/`;
}

function keyOf(previewId: string, name: string): string {
  return `${folderOf(previewId)}${name}`;
}
