import { constants } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StageWork } from '../../domain/stage.ts';
import { frameBlobKey } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';

/** Minimum time between two reads of the folder; a child writes a frame every 1.5 s. */
const POLL_MS = 250;
/** Frames of 640 pixels take 20 to 90 kB. */
const MAX_BYTES = 400_000;
/** The newest, and the one before it for clients that are reading it. */
const STORED_FRAMES = 2;
/** A store that hangs must not delay the end of the work. */
const END_MS = 2000;
/** `frame-` and milliseconds of the output's time. */
const NAME = /^frame-(\d{1,9})\.jpg$/;

/**
 * Stores the frames that a rendering child writes into its folder, so that every process can show them. Faults are ignored: live
 * frames are optional. Disposing it after the rendering removes the stored frames.
 */
export class LiveFrames implements AsyncDisposable {
  readonly #blobs: Pick<BlobStore, 'put' | 'remove'>;
  readonly #work: Pick<StageWork, 'jobId' | 'attempt' | 'onFrame'>;
  readonly #folder: string;
  #sequence = 0;
  #polledAtMs = Number.NEGATIVE_INFINITY;
  #storing: Promise<void> = Promise.resolve();
  #isBusy = false;

  constructor(
    blobs: Pick<BlobStore, 'put' | 'remove'>,
    work: Pick<StageWork, 'jobId' | 'attempt' | 'onFrame'>,
    folder: string,
  ) {
    this.#blobs = blobs;
    this.#work = work;
    this.#folder = folder;
  }

  /** Call it at each report of progress. */
  storeNewest(): void {
    if (this.#isBusy || performance.now() - this.#polledAtMs < POLL_MS) return;
    this.#polledAtMs = performance.now();
    this.#isBusy = true;
    this.#storing = this.#store()
      .catch(() => {})
      .finally(() => {
        this.#isBusy = false;
      });
  }

  async #store(): Promise<void> {
    const found = (await readdir(this.#folder)).flatMap((name) => {
      const [, milliseconds] = NAME.exec(name) ?? [];
      return milliseconds === undefined ? [] : [{ name, atSeconds: Number(milliseconds) / 1000 }];
    });
    const newest = found.sort((one, other) => one.atSeconds - other.atSeconds).at(-1);
    if (newest === undefined) return;
    const bytes = await readFrame(join(this.#folder, newest.name));
    for (const { name } of found) await rm(join(this.#folder, name), { force: true });
    if (bytes === null) return;
    const sequence = ++this.#sequence;
    const { jobId, attempt } = this.#work;
    await this.#blobs.put(frameBlobKey(jobId, attempt, sequence), Readable.from([bytes]));
    this.#work.onFrame?.({ sequence, atSeconds: newest.atSeconds });
    if (sequence > STORED_FRAMES)
      await this.#blobs.remove(frameBlobKey(jobId, attempt, sequence - STORED_FRAMES));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { jobId, attempt } = this.#work;
    const ended = this.#storing.then(async () => {
      const first = Math.max(1, this.#sequence - STORED_FRAMES);
      for (let sequence = first; sequence <= this.#sequence; sequence++)
        await this.#blobs.remove(frameBlobKey(jobId, attempt, sequence));
    });
    await Promise.race([ended.catch(() => {}), sleep(END_MS, undefined, { ref: false })]);
  }
}

/** Null: not a small regular file. A hostile video may control the child, and a link would lead out of its folder. */
async function readFrame(path: string): Promise<Buffer | null> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await file.stat();
  return stat.isFile() && stat.size > 0 && stat.size <= MAX_BYTES ? await file.readFile() : null;
}
