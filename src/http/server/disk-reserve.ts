import { statfs } from 'node:fs/promises';
import { Failure } from '../../domain/errors.ts';

const CHECK_EVERY_BYTES = 4 << 20;

/**
 * Reserves space on the disk of the data for the database, which cannot work without it, and for accepted
 * jobs.
 */
export class DiskReserve {
  readonly #folder: string;
  readonly #reserveBytes: number;
  #querying: Promise<number> | undefined;

  constructor(settings: { readonly DATA_DIR: string; readonly DISK_RESERVE_BYTES: number }) {
    this.#folder = settings.DATA_DIR;
    this.#reserveBytes = settings.DISK_RESERVE_BYTES;
  }

  /** Throws INSUFFICIENT_STORAGE when this many more bytes would reduce the reserve. */
  async assertFree(bytes: number): Promise<void> {
    const free = await this.#freeBytes();
    if (free - bytes >= this.#reserveBytes) return;
    throw new Failure(
      'INSUFFICIENT_STORAGE',
      `${free} bytes are free on the disk, and ${this.#reserveBytes} are reserved: ${bytes} more do not fit`,
    );
  }

  /** Passes bytes on while the reserve is untouched. Throws INSUFFICIENT_STORAGE. */
  async *guard(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let uncheckedBytes = CHECK_EVERY_BYTES;
    for await (const piece of bytes) {
      uncheckedBytes += piece.length;
      if (uncheckedBytes >= CHECK_EVERY_BYTES) {
        await this.assertFree(0);
        uncheckedBytes = 0;
      }
      yield piece;
    }
  }

  /**
   * Concurrent requests share one query. One for each request used 13 % of the answering thread under 32
   * clients that create jobs.
   */
  #freeBytes(): Promise<number> {
    this.#querying ??= statfs(this.#folder)
      .then(({ bavail, bsize }) => bavail * bsize)
      .finally(() => {
        this.#querying = undefined;
      });
    return this.#querying;
  }
}
