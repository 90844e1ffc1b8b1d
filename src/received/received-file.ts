import { createWriteStream } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StyleDnaError } from '../client/error.ts';
import { writeAtomically } from '../storage/whole-file.ts';

/** StyleDNA announces the length of every file. A proxy that compresses text removes it. */
const MAX_UNANNOUNCED_BYTES = 1 << 30;

export interface Announced {
  /** From the job's list of files; null or left out: the file is not listed. */
  readonly sizeBytes?: number | null;
  readonly signal: AbortSignal;
}

/**
 * Writes the body of a response, completely or not at all. Replaces a link in the file's place, and does not follow it.
 * Throws `StyleDnaError`: UNEXPECTED_ANSWER if the size is not the announced one or exceeds the disk,
 * CONNECTION_FAILED.
 */
export async function receiveFile(
  response: Response,
  file: string,
  { sizeBytes = null, signal }: Announced,
): Promise<void> {
  const length = response.headers.get('content-length');
  const announced =
    sizeBytes ?? (length === null || response.headers.has('content-encoding') ? null : +length);
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  await writeAtomically(file, async (beside) => {
    if (announced !== null) await assertRoom(announced, file);
    const write = createWriteStream(beside, { flags: 'wx' });
    try {
      await pipeline(body, measured(announced, file), write, { signal });
    } catch (error) {
      throw receivingError(error, file, signal);
    }
  }).finally(() => body.destroy());
}

/** The body of a small file, in memory. Throws as `receiveFile`. */
export async function receivedBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw unexpected('The file', `it is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Passes bytes through. Fails if there are more or fewer than announced. */
function measured(announced: number | null, file: string): Transform {
  let received = 0;
  const most = announced ?? MAX_UNANNOUNCED_BYTES;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received <= most) return done(null, chunk);
      const rule =
        announced === null
          ? `${most} bytes, the limit without an announced size`
          : `the announced ${most} bytes`;
      done(unexpected(file, `it is longer than ${rule}`));
    },
    flush(done) {
      const isWhole = announced === null || received === announced;
      done(isWhole ? null : unexpected(file, `it has ${received} of the announced ${announced} bytes`));
    },
  });
}

async function assertRoom(bytes: number, file: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(resolve(file)));
  if (bytes > bavail * bsize)
    throw unexpected(file, `it is announced with ${bytes} bytes, and the disk has ${bavail * bsize} left`);
}

function unexpected(file: string, detail: string): StyleDnaError {
  return new StyleDnaError({
    code: 'UNEXPECTED_ANSWER',
    message: `${file} was not received`,
    detail,
  });
}

/** Errors of the disk are passed on; all others are errors of the connection. */
function receivingError(error: unknown, file: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof StyleDnaError || isOfDisk(error)) return error;
  return new StyleDnaError({
    code: 'CONNECTION_FAILED',
    message: `${file} was not received`,
    detail: 'the connection broke before its end',
    retryable: true,
    cause: error,
  });
}

function isOfDisk(error: unknown): boolean {
  return ['open', 'write', 'close'].includes(String((error as NodeJS.ErrnoException).syscall));
}
