import type { Readable } from 'node:stream';
import { Failure } from '../domain/errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { BlobMissingError } from './blob-key.ts';
import type { BlobStore } from './blob-store.ts';

/** Measures operations, failures and bytes of a store. Bytes read by a local path are not counted. */
export function meteredStore(store: BlobStore, metrics: Metrics): BlobStore {
  const metered = async <T>(operation: string, use: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    try {
      return await use();
    } catch (error) {
      // A blob that does not exist is an answer.
      if (!(error instanceof BlobMissingError))
        metrics.storageErrors.inc({ operation, code: error instanceof Failure ? error.code : 'other' });
      throw error;
    } finally {
      metrics.storageSeconds.observe({ operation }, (performance.now() - startedMs) / 1000);
    }
  };
  const written = async <T extends { readonly sizeBytes: number }>(use: () => Promise<T>): Promise<T> => {
    const info = await metered('put', use);
    metrics.storageBytes.inc({ direction: 'written' }, info.sizeBytes);
    return info;
  };
  return {
    put: (key, bytes, signal) => written(() => store.put(key, bytes, signal)),
    putFile: (key, path) => written(() => store.putFile(key, path)),
    head: (key) => metered('head', () => store.head(key)),
    get: async (key, range) =>
      counted(await metered('get', () => store.get(key, range)), (bytes) =>
        metrics.storageBytes.inc({ direction: 'read' }, bytes),
      ),
    localPath: (key, signal) => metered('get', () => store.localPath(key, signal)),
    remove: (key) => metered('remove', () => store.remove(key)),
    removeAll: (prefix) => metered('remove', () => store.removeAll(prefix)),
    list: (prefix) => store.list(prefix),
    publicUrl: (key, options) => store.publicUrl(key, options),
    check: () => metered('check', () => store.check()),
    freeBytes: () => store.freeBytes(),
  };
}

/**
 * Counts the chunks that a source pushes into its stream. A data listener would start the flow, and a stream
 * in between would cost a copy.
 */
function counted(stream: Readable, count: (bytes: number) => void): Readable {
  const push = stream.push.bind(stream);
  stream.push = (chunk: Uint8Array | null, encoding?: BufferEncoding) => {
    if (chunk !== null) count(chunk.length);
    return push(chunk, encoding);
  };
  return stream;
}
