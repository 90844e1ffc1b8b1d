import { createHash } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { foreseen, makeDurableFolder, orMissing, sync, writeInBlocks } from './durable-files.ts';

/** What is known of a partial file besides its bytes; its maker decides. */
export type PartialInfo = Readonly<Record<string, unknown>>;

const READ_BLOCK_BYTES = 1 << 20;

/**
 * Files that arrive in pieces, on the local disk: each has a folder of its own with its bytes and what is known of it.
 * How much has arrived is the size of the file, so that it cannot be wrong after a crash. Ids are made by us.
 */
export class PartialFiles<I extends PartialInfo> {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async create(id: string, info: I): Promise<void> {
    await foreseen(async () => {
      await makeDurableFolder(this.#folder(id));
      await using bytes = await open(this.path(id), 'wx', 0o600);
      await bytes.sync();
      await this.writeInfo(id, info);
    });
  }

  /** Null when there is none. */
  async info(id: string): Promise<I | null> {
    const text = await foreseen(() => orMissing(readFile(join(this.#folder(id), 'info.json'), 'utf8')));
    return text === null ? null : (JSON.parse(text) as I);
  }

  async writeInfo(id: string, info: I): Promise<void> {
    await foreseen(async () => {
      const path = join(this.#folder(id), 'info.json');
      await using file = await open(`${path}.new`, 'w', 0o600);
      await file.writeFile(JSON.stringify(info));
      await file.sync();
      await rename(`${path}.new`, path);
      await sync(this.#folder(id));
    });
  }

  /** Bytes that have arrived; null when the bytes were taken away. */
  async sizeBytes(id: string): Promise<number | null> {
    return (await foreseen(() => orMissing(stat(this.path(id)))))?.size ?? null;
  }

  /** Adds bytes at the end; they are on the disk when it resolves. When the source fails, what came before it stays. */
  async append(id: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    await foreseen(async () => {
      await using file = await open(this.path(id), 'a');
      await writeInBlocks(file, bytes);
      await file.sync();
    });
  }

  async truncate(id: string, sizeBytes: number): Promise<void> {
    await foreseen(() => truncate(this.path(id), sizeBytes));
  }

  /** SHA-256 of all that has arrived, in hex. */
  async sha256(id: string, signal: AbortSignal): Promise<string> {
    return foreseen(async () => {
      const hash = createHash('sha256');
      await using file = await open(this.path(id), 'r');
      for await (const chunk of file.createReadStream({ highWaterMark: READ_BLOCK_BYTES, signal })) {
        hash.update(chunk);
      }
      return hash.digest('hex');
    });
  }

  async removeBytes(id: string): Promise<void> {
    await foreseen(() => rm(this.path(id), { force: true }));
  }

  async remove(id: string): Promise<void> {
    await foreseen(() => rm(this.#folder(id), { recursive: true, force: true }));
  }

  async ids(): Promise<readonly string[]> {
    return (await foreseen(() => orMissing(readdir(this.#root)))) ?? [];
  }

  /** Where the bytes lie. */
  path(id: string): string {
    return join(this.#folder(id), 'bytes');
  }

  #folder(id: string): string {
    return join(this.#root, id);
  }
}
