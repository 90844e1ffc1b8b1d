import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileFailure } from './file-failure.ts';
import { makeFolder } from './make-folder.ts';

const WRITE_BLOCK_BYTES = 1 << 20;
/** Larger pieces are written without a copy, which would cost more than a write. */
const LARGE_PIECE_BYTES = 1 << 18;
const SYNC_EVERY_BYTES = 64 << 20;
/** Interval of syncs for a slow source whose progress the caller records. */
const SYNC_EVERY_MS = 2_000;

export interface BlockOptions {
  /** Position of the first byte. */
  readonly at?: number;
  /** Called from time to time with the end of the durable bytes, before all is written. */
  readonly onDurable?: (end: number) => void;
}

/**
 * Writes in large blocks: a network stream may deliver small pieces, and each write costs a round trip to another
 * thread. The source continues during a write. When the source fails, its earlier bytes are written. Resolves
 * with the number of bytes.
 */
export async function writeInBlocks(
  handle: FileHandle,
  source: AsyncIterable<Uint8Array | string>,
  options: BlockOptions = {},
): Promise<number> {
  const writer = new BlockWriter(handle, options);
  try {
    for await (const piece of source)
      await writer.add(typeof piece === 'string' ? Buffer.from(piece) : piece);
  } finally {
    await writer.finish();
  }
  return writer.end - (options.at ?? 0);
}

/** Writes pieces as blocks. The caller must not change the bytes of a piece after `add`. */
class BlockWriter {
  readonly #handle: FileHandle;
  readonly #onDurable: BlockOptions['onDurable'];
  readonly #timer: NodeJS.Timeout | undefined;
  /** End of the last write, which may be active. */
  end: number;
  /** End of the last finished write. */
  #written: number;
  #synced: number;
  #block: Buffer | undefined;
  /** The block of the last write; free for new bytes when the write has finished. */
  #writingBlock: Buffer | undefined;
  #blockBytes = 0;
  #writing = Promise.resolve();
  #syncing = Promise.resolve();

  constructor(handle: FileHandle, { at = 0, onDurable }: BlockOptions) {
    this.#handle = handle;
    this.end = at;
    this.#written = at;
    this.#synced = at;
    this.#onDurable = onDurable;
    if (onDurable !== undefined) this.#timer = setInterval(() => this.#sync(), SYNC_EVERY_MS);
  }

  async add(piece: Uint8Array): Promise<void> {
    if (piece.length >= LARGE_PIECE_BYTES) {
      await this.#flush();
      await this.#write(piece);
      return;
    }
    for (let at = 0; at < piece.length; ) {
      this.#block ??= Buffer.allocUnsafe(WRITE_BLOCK_BYTES);
      const copiedBytes = Math.min(piece.length - at, this.#block.length - this.#blockBytes);
      this.#block.set(piece.subarray(at, at + copiedBytes), this.#blockBytes);
      at += copiedBytes;
      this.#blockBytes += copiedBytes;
      if (this.#blockBytes === this.#block.length) await this.#flush();
    }
  }

  async finish(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
    await this.#writing;
    // The system reports a failed write-back only once, so the last sync would not see it.
    await this.#syncing;
  }

  async #flush(): Promise<void> {
    if (this.#blockBytes === 0) return;
    const block = this.#block!;
    const bytes = block.subarray(0, this.#blockBytes);
    this.#blockBytes = 0;
    await this.#write(bytes);
    [this.#block, this.#writingBlock] = [this.#writingBlock, block];
  }

  /** Waits for the previous write and throws its failure; the next call throws the failure of this one. */
  async #write(bytes: Uint8Array): Promise<void> {
    await this.#writing;
    const from = this.end;
    this.end += bytes.length;
    this.#writing = writeAt(this.#handle, bytes, from).then(() => {
      this.#written = from + bytes.length;
    });
    this.#writing.catch(() => {});
    if (this.end - this.#synced >= SYNC_EVERY_BYTES) this.#sync();
  }

  /** Syncs the written bytes in the background. */
  #sync(): void {
    const written = this.#written;
    if (isSyncing || written === this.#synced) return;
    this.#synced = written;
    const synced = syncEarly(this.#handle).then(() => this.#onDurable?.(written));
    this.#syncing = Promise.all([this.#syncing, synced]).then(() => {});
    this.#syncing.catch(() => {});
  }
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** One at a time, because each blocks a thread of the pool while the disk syncs. */
let isSyncing = false;

/** Syncs early: the last sync, and syncs of the database in between, then take less time. */
async function syncEarly(handle: FileHandle): Promise<void> {
  isSyncing = true;
  try {
    await handle.datasync();
  } finally {
    isSyncing = false;
  }
}

/** Syncs the bytes of a file, or the entries of a folder. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Makes a folder for this user only, with its missing parents, which then exist also after a power loss. */
export async function makeDurableFolder(path: string): Promise<void> {
  for (const folder of await makeFolder(path, 0o700)) await sync(dirname(folder));
}

/** Runs `work` and throws expected errors of the file system as a `Failure`. */
export async function withFileFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileFailure(error);
  }
}

/** Null when the file does not exist. */
export async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
