import { constants } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StageWork } from '../../domain/stage.ts';
import { frameBlobKey } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';

/** The folder is looked at this often at most; a child writes a frame every 1.5 s. */
const LOOK_MS = 250;
/** What a child leaves of 640 pixels takes 20 to 90 kB: more is no frame. */
const MAX_BYTES = 400_000;
/** The one before is left for those who are reading it. */
const KEPT = 2;
/** A store that hangs does not keep the end of the work waiting. */
const END_MS = 2000;
/** `frame-` and milliseconds of the output's time. */
const NAME = /^frame-(\d{1,9})\.jpg$/;

/**
 * Frames that a rendering child leaves in its folder while it draws, handed on to where every process can read them. They are for
 * looking at: what goes wrong with one is nobody's trouble. Dispose of it when the rendering has ended; nothing is left then.
 */
export class LiveFrames implements AsyncDisposable {
  readonly #blobs: Pick<BlobStore, 'put' | 'remove'>;
  readonly #work: Pick<StageWork, 'jobId' | 'attempt' | 'onFrame'>;
  readonly #folder: string;
  #sequence = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #passing: Promise<void> = Promise.resolve();
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

  /** To be called at each sign of progress. */
  storeNewest(): void {
    if (this.#isBusy || performance.now() - this.#lookedAtMs < LOOK_MS) return;
    this.#lookedAtMs = performance.now();
    this.#isBusy = true;
    this.#passing = this.#pass()
      .catch(() => {})
      .finally(() => {
        this.#isBusy = false;
      });
  }

  async #pass(): Promise<void> {
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
    if (sequence > KEPT) await this.#blobs.remove(frameBlobKey(jobId, attempt, sequence - KEPT));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { jobId, attempt } = this.#work;
    const ended = this.#passing.then(async () => {
      const first = Math.max(1, this.#sequence - KEPT);
      for (let sequence = first; sequence <= this.#sequence; sequence++)
        await this.#blobs.remove(frameBlobKey(jobId, attempt, sequence));
    });
    await Promise.race([ended.catch(() => {}), sleep(END_MS, undefined, { ref: false })]);
  }
}

/** Null for what is no small file: a child may have been taken over by what it decodes, and a link would lead out of its folder. */
async function readFrame(path: string): Promise<Buffer | null> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stat = await file.stat();
  return stat.isFile() && stat.size > 0 && stat.size <= MAX_BYTES ? await file.readFile() : null;
}
