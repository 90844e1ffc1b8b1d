import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileFailure } from './file-failure.ts';
import { makeFolder } from './make-folder.ts';

const WRITE_BLOCK_BYTES = 1 << 20;
/** From this on a piece is written as it is: to copy it would cost more than a write. */
const LARGE_PIECE_BYTES = 1 << 18;
const SYNC_EVERY_BYTES = 64 << 20;
/** The same for a slow source whose progress somebody writes down. */
const SYNC_EVERY_MS = 2_000;

export interface BlockOptions {
  /** Where the first byte goes. */
  readonly at?: number;
  /** Told where what is on the disk ends, now and then before all is written. */
  readonly onDurable?: (end: number) => void;
}

/**
 * Writes in large blocks, since a network stream may come in small pieces and each write costs a trip to another
 * thread; the source goes on while one is written. When the source fails, what it gave before is written. Resolves with how
 * many bytes that were.
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

/** The bytes that are handed in must not be changed afterwards. */
class BlockWriter {
  readonly #handle: FileHandle;
  readonly #onDurable: BlockOptions['onDurable'];
  readonly #timer: NodeJS.Timeout | undefined;
  /** Where the last write ends, that may be under way. */
  end: number;
  /** Where the last write ended that is over. */
  #written: number;
  #synced: number;
  #filling: Buffer | undefined;
  /** Its memory rests until the write that reads it has ended. */
  #resting: Buffer | undefined;
  #filled = 0;
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
      this.#filling ??= Buffer.allocUnsafe(WRITE_BLOCK_BYTES);
      const taken = Math.min(piece.length - at, this.#filling.length - this.#filled);
      this.#filling.set(piece.subarray(at, at + taken), this.#filled);
      at += taken;
      this.#filled += taken;
      if (this.#filled === this.#filling.length) await this.#flush();
    }
  }

  async finish(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
    await this.#writing;
    // The system reports a failed write-back once: the last sync would no longer hear of it.
    await this.#syncing;
  }

  async #flush(): Promise<void> {
    if (this.#filled === 0) return;
    const block = this.#filling!;
    const bytes = block.subarray(0, this.#filled);
    this.#filled = 0;
    await this.#write(bytes);
    [this.#filling, this.#resting] = [this.#resting, block];
  }

  /** Waits for the write before it, whose failure it throws; its own is met by the next call. */
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

  /** Sends what was written to the disk while more is coming. */
  #sync(): void {
    const written = this.#written;
    if (syncing || written === this.#synced) return;
    this.#synced = written;
    const synced = syncBeforehand(this.#handle).then(() => this.#onDurable?.(written));
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

/** One at a time, because each holds a thread of the pool for as long as the disk takes. */
let syncing = false;

/**
 * Sends what was written so far to the disk while more is coming: the last sync, and the database's in between, then
 * wait for little.
 */
async function syncBeforehand(handle: FileHandle): Promise<void> {
  syncing = true;
  try {
    await handle.datasync();
  } finally {
    syncing = false;
  }
}

/** A file's bytes, or a folder's entries. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Makes a folder for us alone, and those above it that are missing: after a power loss they are all still there. */
export async function makeDurableFolder(path: string): Promise<void> {
  for (const folder of await makeFolder(path, 0o700)) await sync(dirname(folder));
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
