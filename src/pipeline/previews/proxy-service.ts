import type { ProxyService, StoredProxy } from '../../domain/proxy.ts';
import type { VideoReference } from '../../domain/stage.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { removeProxy, storedProxy } from '../stages/proxy.ts';

/** Proxies among the results of a video's content: they go with the last video that has it. */
export class BlobProxyService implements ProxyService {
  readonly #blobs: BlobStore;

  constructor({ blobs }: { readonly blobs: BlobStore }) {
    this.#blobs = blobs;
  }

  load(video: Pick<VideoReference, 'sha256'>): Promise<StoredProxy | null> {
    return storedProxy(this.#blobs, video);
  }

  remove(video: Pick<VideoReference, 'sha256'>): Promise<void> {
    return removeProxy(this.#blobs, video);
  }
}
