import { Readable } from 'node:stream';
import type { StoredProxy } from '../../src/domain/proxy.ts';
import { PROXY_VERSION } from '../../src/pipeline/stages/results.ts';
import { resultsPrefix } from '../../src/storage/blob-names.ts';
import type { BlobStore } from '../../src/storage/blob-store.ts';

/** Stores a proxy of five bytes and its description, as the product `proxy` does. */
export async function storeProxy(blobs: BlobStore, sha256: string): Promise<StoredProxy> {
  const key = `${resultsPrefix(sha256)}proxy-${PROXY_VERSION}`;
  const proxy: StoredProxy = {
    kind: 'video',
    width: 960,
    height: 540,
    frameRate: { numerator: 25, denominator: 1 },
    durationSeconds: 2,
    hasSound: true,
    file: {
      name: 'proxy.mp4',
      blobKey: `${key}.mp4`,
      contentType: 'video/mp4',
      sizeBytes: 5,
      sha256: 'ab'.repeat(32),
    },
  };
  await blobs.put(proxy.file.blobKey, Readable.from(['proxy']));
  await blobs.put(`${key}.json`, Readable.from([JSON.stringify(proxy)]));
  return proxy;
}
