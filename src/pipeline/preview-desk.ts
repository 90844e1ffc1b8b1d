import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { KeptPreview, PreviewAsked, PreviewDesk, PreviewRequest } from '../preview.ts';
import type { JobWork, VideoReference } from '../stage.ts';
import { captionsBlobKey, previewsPrefix } from '../storage/blob-names.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { MediaEngine } from './engine.ts';
import { drawPreview, planPreview } from './preview.ts';
import { contentHash, Results, VERSIONS } from './results.ts';
import type { WorkTools } from './stage-tools.ts';
import { decidingConfig } from './style-application.ts';
import { openWorkspace } from './workspace.ts';

const PREVIEW_ID = /^[0-9a-f]{64}$/;
const HALF = 32;

export interface PreviewDeskParts {
  readonly engine: MediaEngine;
  readonly blobs: BlobStore;
}

/**
 * Previews among the blobs. The first half of an id is that of the source's SHA-256, so that they can be removed with it; the
 * frames are kept without their grade as well, so that another strength need not decode them again.
 */
export class BlobPreviewDesk implements PreviewDesk {
  readonly #blobs: BlobStore;
  readonly #tools: WorkTools;

  constructor({ engine, blobs }: PreviewDeskParts) {
    this.#blobs = blobs;
    this.#tools = { engine, blobs, results: new Results(blobs), patiently: (use) => use() };
  }

  async idOf({ source, template, style, config, momentsSeconds }: PreviewRequest): Promise<string> {
    const captions = await this.#blobs.head(captionsBlobKey(source.videoId));
    const hash = contentHash(
      VERSIONS,
      template?.sha256 ?? null,
      style,
      decidingConfig(config),
      momentsSeconds,
      captions?.modifiedAt ?? null,
    );
    return `${source.sha256.slice(0, HALF)}${hash.slice(0, HALF)}`;
  }

  kept(previewId: string): Promise<KeptPreview | null> {
    return this.#read<KeptPreview>(previewId, 'preview.json');
  }

  async remember(previewId: string, asked: PreviewAsked): Promise<void> {
    await this.#write(previewId, 'asked.json', asked);
  }

  asked(previewId: string): Promise<PreviewAsked | null> {
    return this.#read<PreviewAsked>(previewId, 'asked.json');
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

  async draw(previewId: string, request: PreviewRequest, signal: AbortSignal): Promise<KeptPreview> {
    const { momentsSeconds, ...given } = request;
    const work: JobWork = { ...given, signal, onProgress: () => {} };
    const plan = await planPreview(this.#tools, work, momentsSeconds);
    const framesKey = `${previewsPrefix(work.source.sha256)}${contentHash(VERSIONS.video, plan.momentsSeconds, plan.frameSize)}.yuv`;
    const isThere = (await this.#blobs.head(framesKey)) !== null;
    await using frames = isThere ? await this.#blobs.localPath(framesKey, signal) : null;
    await using workspace = await openWorkspace(this.#tools.engine.workRoot);
    const { picture, picturePath, framesPath } = await drawPreview(this.#tools, work, plan, {
      folder: workspace.folder,
      format: 'jpeg',
      framesPath: frames?.path ?? null,
    });
    if (!isThere) await this.#blobs.putFile(framesKey, framesPath);
    const blobKey = keyOf(previewId, 'preview.jpg');
    const { sizeBytes } = await this.#blobs.putFile(blobKey, picturePath);
    const { videoId } = work.source;
    const templateVideoId = work.template?.videoId ?? null;
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

  async #read<T>(previewId: string, name: string): Promise<T | null> {
    if (!PREVIEW_ID.test(previewId)) return null;
    const key = keyOf(previewId, name);
    if ((await this.#blobs.head(key)) === null) return null;
    return (await json(await this.#blobs.get(key))) as T;
  }

  async #write(previewId: string, name: string, value: unknown): Promise<void> {
    await this.#blobs.put(keyOf(previewId, name), Readable.from([JSON.stringify(value)]));
  }
}

function folderOf(previewId: string): string {
  return `${previewsPrefix(previewId)}${previewId.slice(HALF)}/`;
}

function keyOf(previewId: string, name: string): string {
  return `${folderOf(previewId)}${name}`;
}
