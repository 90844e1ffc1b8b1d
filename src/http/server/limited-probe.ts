import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Failure } from '../../domain/errors.ts';
import type { HttpParts } from './parts.ts';
import { Semaphore } from './semaphore.ts';

type Probe = HttpParts['probe'];

/** Each is a process that reads a whole file: more would only compete for memory. */
export const PROBES_AT_ONCE = Math.max(2, availableParallelism());
/** An ordinary probe takes less than a second. A slower one releases its slot and continues. */
const QUICK_SLOT_MS = 5_000;
/** Limit of all probes, including slow ones, as a multiple of `limit`. */
const SLOW_FACTOR = 4;
/** 36 megapixels are decoded in about two seconds. */
const STILL_MS = 10_000;

/** PNG, JPEG, and the containers of WebP and AVIF. */
const STILLS: readonly ((head: Buffer) => boolean)[] = [
  (head) => head.readUInt32BE(0) === 0x89504e47,
  (head) => head.readUInt16BE(0) === 0xffd8,
  (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  (head) => head.toString('latin1', 4, 12) === 'ftypavif',
];

/**
 * Limits concurrent probes to `limit`; slow probes do not count, so that others need not wait for them. A
 * still image whose probe exceeds `STILL_MS` is refused as INVALID_VIDEO.
 */
export function limitedProbe(limit: number, probe: Probe, quickSlotMs = QUICK_SLOT_MS): Probe {
  const quick = new Semaphore(limit);
  const all = new Semaphore(limit * SLOW_FACTOR);
  return async (path, signal) => {
    using _permit = await all.acquire(signal);
    using _slot = new QuickSlot(await quick.acquire(signal), quickSlotMs);
    return await withinStillLimit(path, signal, probe);
  };
}

/** Released after a time limit, or when its probe ends. */
class QuickSlot {
  readonly #timer: NodeJS.Timeout;
  #permit: Disposable | null;

  constructor(permit: Disposable, afterMs: number) {
    this.#permit = permit;
    this.#timer = setTimeout(() => this[Symbol.dispose](), afterMs).unref();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#permit?.[Symbol.dispose]();
    this.#permit = null;
  }
}

async function withinStillLimit(path: string, signal: AbortSignal, probe: Probe) {
  if (!(await isStill(path))) return probe(path, signal);
  const late = AbortSignal.timeout(STILL_MS);
  try {
    return await probe(path, AbortSignal.any([signal, late]));
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    throw new Failure('INVALID_VIDEO', `The image cannot be decoded within ${STILL_MS / 1000} s`, {
      cause: error,
    });
  }
}

const HEAD_BYTES = 16;

async function isStill(path: string): Promise<boolean> {
  await using file = await open(path).catch(() => null);
  if (file === null) return false;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return bytesRead === HEAD_BYTES && STILLS.some((matches) => matches(buffer));
}
