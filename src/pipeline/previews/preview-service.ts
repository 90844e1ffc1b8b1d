import { copyFile, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { editConfig, jobConfigSchema } from '../../domain/job-config.ts';
import type {
  PreviewRequest,
  PreviewService,
  StoredPreview,
  StoredPreviewRequest,
} from '../../domain/preview.ts';
import type { JobWork, VideoReference } from '../../domain/stage.ts';
import { contentKey } from '../../domain/time-range.ts';
import { captionsBlobKey, previewsPrefix } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { ClipChild } from '../engine/clip-child.ts';
import { ClipChildren } from '../engine/clip-children.ts';
import type { MediaEngine } from '../engine/engine.ts';
import { localClip } from '../stages/clip-facts.ts';
import { drawPreview, type PreviewPlan, planPreview } from '../stages/preview.ts';
import { contentHash, Results, VERSIONS } from '../stages/results.ts';
import type { WorkTools } from '../stages/stage-tools.ts';
import { PreviewBlobs, previewIdOf } from './preview-blobs.ts';

export interface PreviewServiceParts {
  readonly engine: MediaEngine;
  readonly blobs: BlobStore;
}

/**
 * Previews in the blob store. The ungraded frames are stored too, so that another strength does not decode them again, and a child stays open for the next preview.
 */
export class BlobPreviewService implements PreviewService, AsyncDisposable {
  readonly #blobs: BlobStore;
  readonly #stored: PreviewBlobs;
  readonly #tools: WorkTools;
  readonly #children: ClipChildren;

  constructor({ engine, blobs }: PreviewServiceParts) {
    this.#blobs = blobs;
    this.#stored = new PreviewBlobs(blobs);
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
    return previewIdOf(source.sha256, hash);
  }

  load(previewId: string): Promise<StoredPreview | null> {
    return this.#stored.read<StoredPreview>(previewId, 'preview.json');
  }

  async storeRequest(previewId: string, request: StoredPreviewRequest): Promise<void> {
    await this.#stored.write(previewId, 'asked.json', request);
  }

  async loadRequest(previewId: string): Promise<StoredPreviewRequest | null> {
    const request = await this.#stored.read<StoredPreviewRequest>(previewId, 'asked.json');
    // One of an earlier version lacks newer fields.
    return request === null ? null : { ...request, config: jobConfigSchema.parse(request.config) };
  }

  remove(previewId: string): Promise<void> {
    return this.#stored.remove(previewId);
  }

  async isMeasured(video: VideoReference, as: 'source' | 'template'): Promise<boolean> {
    const kinds = ['video', 'audio', 'motion', ...(as === 'template' ? (['style'] as const) : [])] as const;
    for (const kind of kinds) if (!(await this.#tools.results.has(kind, contentKey(video)))) return false;
    return true;
  }

  async styleOf(video: VideoReference): Promise<unknown> {
    return (await this.#tools.results.load('style', contentKey(video))) ?? null;
  }

  async draw(previewId: string, request: PreviewRequest, signal: AbortSignal): Promise<StoredPreview> {
    const { momentsSeconds, ...inputs } = request;
    const work: JobWork = { ...inputs, signal, onProgress: () => {} };
    const plan = await planPreview(this.#tools, work, momentsSeconds);
    await using clip = await localClip(this.#tools, work.source, signal);
    // A child reads one source and one style: a hostile video learns nothing of others.
    const pair = contentHash(work.source.sha256, work.template?.sha256 ?? null, work.style, clip.path);
    const { picture, sizeBytes } = await this.#children.use(pair, clip.path, (child) =>
      this.#drawBy(child, previewId, work, plan),
    );
    const { videoId } = work.source;
    const templateVideoId = work.template?.videoId ?? null;
    const blobKey = this.#stored.keyOf(previewId, 'preview.jpg');
    const stored = {
      videoId,
      templateVideoId,
      picture,
      quality: work.config.quality,
      file: { name: 'preview.jpg', blobKey, contentType: 'image/jpeg', sizeBytes },
    };
    // Last: its presence means that the picture exists.
    await this.#stored.write(previewId, 'preview.json', stored);
    return stored;
  }

  async #drawBy(child: ClipChild, previewId: string, work: JobWork, plan: PreviewPlan) {
    const { folder } = child;
    const framesName = `${contentHash(VERSIONS.video, plan.momentsSeconds, plan.frameSize)}.yuv`;
    const framesKey = `${previewsPrefix(work.source.sha256)}${framesName}`;
    const isStored = (await this.#blobs.head(framesKey)) !== null;
    const storedPath = isStored
      ? await this.#copyFrames(framesKey, join(folder, framesName), work.signal)
      : null;
    const tools = { ...this.#tools, sourceChild: child };
    const options = { folder, format: 'jpeg', framesPath: storedPath } as const;
    const { picture, picturePath, framesPath } = await drawPreview(tools, work, plan, options);
    if (!isStored) await this.#blobs.putFile(framesKey, framesPath);
    const { sizeBytes } = await this.#blobs.putFile(
      this.#stored.keyOf(previewId, 'preview.jpg'),
      picturePath,
    );
    return { picture, sizeBytes };
  }

  /** Copies stored frames into the child's folder and removes other files there; returns their path. */
  async #copyFrames(framesKey: string, path: string, signal: AbortSignal): Promise<string> {
    const names = await readdir(dirname(path));
    if (names.includes(basename(path))) return path;
    for (const name of names) await rm(join(dirname(path), name), { recursive: true });
    await using frames = await this.#blobs.localPath(framesKey, signal);
    await copyFile(frames.path, path);
    return path;
  }

  /** Ends all children. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#children[Symbol.asyncDispose]();
  }
}
