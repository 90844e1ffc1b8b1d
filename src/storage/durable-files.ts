import { type FileHandle, open } from 'node:fs/promises';
import { fileFailure } from './file-failure.ts';

const WRITE_BLOCK_BYTES = 1 << 20;

/**
 * Writes in large blocks, since a network stream comes in small pieces and each write costs a trip to another thread;
 * one block is filled while the other is written. When the source fails, what it gave before is written.
 */
export async function writeInBlocks(
  handle: FileHandle,
  source: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  let [filling, resting] = [Buffer.allocUnsafe(WRITE_BLOCK_BYTES), Buffer.allocUnsafe(WRITE_BLOCK_BYTES)];
  let filled = 0;
  let writing = Promise.resolve();
  const flush = async () => {
    await writing;
    writing = handle.writeFile(filling.subarray(0, filled));
    // Its failure is met by the next flush.
    writing.catch(() => {});
    [filling, resting] = [resting, filling];
    filled = 0;
  };
  try {
    for await (const piece of source) {
      const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
      for (let at = 0; at < chunk.length; ) {
        const taken = Math.min(chunk.length - at, filling.length - filled);
        filling.set(chunk.subarray(at, at + taken), filled);
        at += taken;
        filled += taken;
        if (filled === filling.length) await flush();
      }
    }
  } finally {
    await flush();
    await writing;
  }
}

/** A file's bytes, or a folder's entries. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Runs `work` and throws the foreseen troubles of the file system as a `Failure`. */
export async function foreseen<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileFailure(error);
  }
}

/** Null when the file does not exist. */
export async function orMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
