import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Failure } from '../../domain/errors.ts';
import type { HttpParts } from './parts.ts';
import { Semaphore } from './semaphore.ts';

type Probe = HttpParts['probe'];

/** Each is a process of its own that reads a whole file: many at once would only take memory from each other. */
export const PROBES_AT_ONCE = Math.max(2, availableParallelism());
/** An ordinary probe takes less than a second. A slower one gives its place away and goes on. */
const PLACE_MS = 5_000;
/** How many times as many run in all, the slow ones included. */
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
 * The same probe, at most `most` at once, but for those that take longer than others shall wait for. A still that takes longer than any
 * honest one is refused as INVALID_VIDEO.
 */
export function limitedProbe(most: number, probe: Probe, placeMs = PLACE_MS): Probe {
  const quick = new Semaphore(most);
  const all = new Semaphore(most * SLOW_FACTOR);
  return async (path, signal) => {
    using _permit = await all.take(signal);
    using _place = new Place(await quick.take(signal), placeMs);
    return await withinStillLimit(path, signal, probe);
  };
}

/** Released after a while, or when its probe ends. */
class Place {
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
