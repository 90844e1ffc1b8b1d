import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { previewsPrefix } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';

const PREVIEW_ID = /^[0-9a-f]{64}$/;
const HALF = 32;

/** An id starts with half of the source's SHA-256, so that previews can be removed with the source. `hash`: of all that decides the preview. */
export function previewIdOf(sourceSha256: string, hash: string): string {
  return `${sourceSha256.slice(0, HALF)}${hash.slice(0, HALF)}`;
}

/** The blobs of previews by id and name. */
export class PreviewBlobs {
  readonly #blobs: BlobStore;

  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  keyOf(previewId: string, name: string): string {
    return `${folderOf(previewId)}${name}`;
  }

  /** Null: there is none, or the id is not one of a preview. */
  async read<T>(previewId: string, name: string): Promise<T | null> {
    if (!PREVIEW_ID.test(previewId)) return null;
    const key = this.keyOf(previewId, name);
    if ((await this.#blobs.head(key)) === null) return null;
    return (await json(await this.#blobs.get(key))) as T;
  }

  async write(previewId: string, name: string, value: unknown): Promise<void> {
    await this.#blobs.put(this.keyOf(previewId, name), Readable.from([JSON.stringify(value)]));
  }

  async remove(previewId: string): Promise<void> {
    if (PREVIEW_ID.test(previewId)) await this.#blobs.removeAll(folderOf(previewId));
  }
}

function folderOf(previewId: string): string {
  return `${previewsPrefix(previewId)}${previewId.slice(HALF)}/`;
}
