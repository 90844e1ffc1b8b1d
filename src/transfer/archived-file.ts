import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../domain/errors.ts';

/** The row of a job contains its style, config and publication: a few MB at most. */
const MAX_LINE_BYTES = 1 << 26;

/**
 * Opens a file of an export. An export can be hostile: only regular files are read, no symbolic link is
 * followed, and a FIFO or a device is neither awaited nor read. `parts`: names within the folder. Throws
 * `Failure`.
 */
export async function openArchived(folder: string, parts: readonly string[]): Promise<FileHandle> {
  const entry = parts.join('/');
  for (let depth = 1; depth < parts.length; depth++) {
    const within = parts.slice(0, depth);
    const status = await lstat(join(folder, ...within)).catch((cause) => {
      throw refusedEntry(within.join('/'), 'is missing', cause);
    });
    if (!status.isDirectory()) throw refusedEntry(within.join('/'), `is ${kindOf(status)}, not a folder`);
  }
  const path = join(folder, ...parts);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    async (cause) => {
      const status = await lstat(path).catch(() => null);
      throw refusedEntry(entry, status === null ? 'is missing' : `is ${kindOf(status)}`, cause);
    },
  );
  const status = await file.stat();
  if (status.isFile()) return file;
  await file.close();
  throw refusedEntry(entry, `is ${kindOf(status)}`);
}

/** Lines of a file of an export, without line ends. Throws like `openArchived`. */
export async function* archivedLines(folder: string, parts: readonly string[]): AsyncGenerator<string> {
  const file = await openArchived(folder, parts);
  let pieces: Buffer[] = [];
  let bytes = 0;
  const add = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MAX_LINE_BYTES)
      throw refusedEntry(parts.join('/'), `has a line of more than ${MAX_LINE_BYTES} bytes`);
    pieces.push(piece);
  };
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      yield Buffer.concat(pieces).toString('utf8');
      [pieces, bytes, from] = [[], 0, end + 1];
    }
    add(chunk.subarray(from));
  }
  if (bytes > 0) yield Buffer.concat(pieces).toString('utf8');
}

function kindOf(status: Awaited<ReturnType<typeof lstat>>): string {
  if (status.isSymbolicLink()) return 'a symbolic link';
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a FIFO';
  if (status.isSocket()) return 'a socket';
  return status.isFile() ? 'a file that cannot be read' : 'a device';
}

function refusedEntry(entry: string, problem: string, cause?: unknown): Failure {
  return new Failure(
    'VALIDATION_ERROR',
    `The export cannot be imported: ${entry} ${problem}; every entry must be a regular file in the folder. Nothing was imported`,
    { cause },
  );
}
