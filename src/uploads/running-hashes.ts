import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Uploads beyond this number have no running hash: their files are read again at the end. */
const MAX_HASHES = 1000;

/** SHA-256 of the received bytes of a file. */
class RunningHash {
  readonly #hash: Hash = createHash('sha256');
  bytes = 0;

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
  }

  /** Finishes the hash. */
  hex(): string {
    return this.#hash.digest('hex');
  }
}

/**
 * Hashes of uploads between their pieces, which avoid reading a finished file again. They exist in memory
 * only, and are missing after a restart or when pieces arrived at several processes.
 */
export class RunningHashes {
  readonly #hashes = new Map<string, RunningHash>();

  /**
   * Removes and returns the hash of the first `bytes` bytes, to continue or finish it; null when there is
   * none.
   */
  remove(id: string, bytes: number): RunningHash | null {
    const found = this.#hashes.get(id);
    this.#hashes.delete(id);
    if (found?.bytes === bytes) return found;
    return bytes === 0 ? new RunningHash() : null;
  }

  store(id: string, hash: RunningHash | null): void {
    if (hash === null) return;
    if (this.#hashes.size >= MAX_HASHES) this.#hashes.delete(this.#hashes.keys().next().value!);
    this.#hashes.set(id, hash);
  }
}

const READ_BLOCK_BYTES = 1 << 20;

/** SHA-256 of a file, in hex. Throws the signal's reason. */
export async function fileSha256(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BLOCK_BYTES, signal }))
    hash.update(chunk);
  return hash.digest('hex');
}
