import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { Failure } from '../../domain/errors.ts';
import { PICTURES_DEADLINE_MS, type PictureService, type StoredPictures } from '../../domain/pictures.ts';
import type { Artifact, VideoReference } from '../../domain/stage.ts';
import { resultsPrefix } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { MediaEngine } from '../engine/engine.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { PICTURES_VERSION } from '../stages/results.ts';

/** Pictures among the results of a video's content: they go with the last video that has it. */
export class BlobPictureService implements PictureService {
  readonly #engine: MediaEngine;
  readonly #blobs: BlobStore;

  constructor({ engine, blobs }: { readonly engine: MediaEngine; readonly blobs: BlobStore }) {
    this.#engine = engine;
    this.#blobs = blobs;
  }

  async load({ sha256 }: Pick<VideoReference, 'sha256'>): Promise<StoredPictures | null> {
    const key = keyOf(sha256, 'pictures', 'json');
    if ((await this.#blobs.head(key)) === null) return null;
    return (await json(await this.#blobs.get(key))) as StoredPictures;
  }

  async make(video: VideoReference, signal: AbortSignal): Promise<StoredPictures> {
    await using workspace = await openWorkspace(this.#engine.workRoot);
    const { folder } = workspace;
    const [posterPath, filmstripPath] = [join(folder, 'poster.jpg'), join(folder, 'filmstrip.jpg')];
    await using file = await this.#blobs.localPath(video.blobKey, signal);
    const deadline = AbortSignal.timeout(PICTURES_DEADLINE_MS);
    const { durationSeconds } = video;
    const made = await this.#engine
      .run(
        'pictures',
        { path: file.path, durationSeconds, posterPath, filmstripPath },
        { signal: AbortSignal.any([signal, deadline]), folder, mediaSeconds: durationSeconds, source: video },
      )
      .catch((error: unknown) => {
        if (!deadline.aborted || signal.aborted) throw error;
        const seconds = PICTURES_DEADLINE_MS / 1000;
        throw new Failure('STAGE_TIMEOUT', `Its pictures were not made within ${seconds} s`);
      });
    const stored: StoredPictures = {
      poster: await this.#keep(video, 'poster', posterPath),
      filmstrip: await this.#keep(video, 'filmstrip', filmstripPath),
      tileWidth: made.tile.width,
      tileHeight: made.tile.height,
      tileSeconds: made.tileSeconds,
    };
    // Last: what it names is there.
    await this.#blobs.put(keyOf(video.sha256, 'pictures', 'json'), Readable.from([JSON.stringify(stored)]));
    return stored;
  }

  async #keep({ sha256 }: VideoReference, kind: string, path: string): Promise<Artifact> {
    const blobKey = keyOf(sha256, kind, 'jpg');
    const { sizeBytes } = await this.#blobs.putFile(blobKey, path);
    return { name: `${kind}.jpg`, blobKey, contentType: 'image/jpeg', sizeBytes };
  }
}

function keyOf(sha256: string, kind: string, extension: string): string {
  return `${resultsPrefix(sha256)}${kind}-${PICTURES_VERSION}.${extension}`;
}
