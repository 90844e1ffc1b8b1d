/**
 * An empty database as one file: a cluster with our tables and the queue's, made once by `scripts/build-database.ts`. PostgreSQL's
 * initdb takes seconds at the first start of a service; to write the same files takes a tenth of one. A file of another PGlite or of
 * other migrations is passed over.
 */
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MIGRATIONS } from './schema.ts';

/** In front of the compressed rest, so that a file of another version is known by its first bytes. */
const HEAD_BYTES = 64;
/** zstd's best short of its "ultra" levels: 9 MB become .75 MB in two seconds, once. */
const LEVEL = 19;
/** A cluster has 9 MB, or 41 where nothing was left out of it; a damaged file shall not fill the memory. */
const MAX_BYTES = 256 * 2 ** 20;

/** What of a file is written; zeros follow up to its length. */
interface PackedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly writtenBytes: number;
}

interface Contents {
  readonly folders: readonly string[];
  readonly files: readonly PackedFile[];
}

/** Of the PGlite and the migrations that a cluster was made by: 64 characters. */
function identity(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return createHash('sha256')
    .update(JSON.stringify([version, MIGRATIONS]))
    .digest('hex');
}

/** The cluster, which nobody has open, as a file to ship. */
export function packCluster(cluster: string): Buffer {
  const entries = readdirSync(cluster, { recursive: true, withFileTypes: true });
  const nameOf = ({ parentPath, name }: (typeof entries)[number]) =>
    join(parentPath, name).slice(cluster.length + 1);
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map(nameOf)
    .sort();
  const names = entries
    .filter((entry) => entry.isFile())
    .map(nameOf)
    .sort();
  const parts: Buffer[] = [];
  const files = names.map((name) => {
    const bytes = readFileSync(join(cluster, name));
    const written = bytes.subarray(0, lengthWithoutZeros(bytes));
    parts.push(written);
    return { name, sizeBytes: bytes.length, writtenBytes: written.length };
  });
  const contents = Buffer.from(`${JSON.stringify({ folders, files } satisfies Contents)}\n`);
  const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = constants;
  const params = {
    [ZSTD_c_compressionLevel]: LEVEL,
    [ZSTD_c_checksumFlag]: 1,
  };
  const packed = zstdCompressSync(Buffer.concat([contents, ...parts]), { params });
  return Buffer.concat([Buffer.from(identity()), packed]);
}

/**
 * Writes the cluster that `file` holds to `cluster`, which is not there yet, without syncing it. False where there is no such file,
 * or one of another version, or a damaged one: nothing is left then.
 */
export function unpackCluster(file: string, cluster: string): boolean {
  const packed = readIfThere(file);
  if (packed === null || packed.toString('latin1', 0, HEAD_BYTES) !== identity()) return false;
  const bytes = decompressed(packed.subarray(HEAD_BYTES));
  if (bytes === null) return false;
  const end = bytes.indexOf('\n');
  const { folders, files }: Contents = JSON.parse(bytes.toString('utf8', 0, end));
  mkdirSync(cluster, { recursive: true });
  for (const folder of folders) mkdirSync(join(cluster, folder));
  let at = end + 1;
  for (const { name, sizeBytes, writtenBytes } of files) {
    writePadded(join(cluster, name), bytes.subarray(at, at + writtenBytes), sizeBytes);
    at += writtenBytes;
  }
  return true;
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

/** Null where the checksum is wrong, or the end is missing. */
function decompressed(packed: Buffer): Buffer | null {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: MAX_BYTES });
  } catch {
    return null;
  }
}

function lengthWithoutZeros(bytes: Buffer): number {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length--;
  return length;
}

function writePadded(path: string, bytes: Buffer, sizeBytes: number): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    if (sizeBytes > bytes.length) ftruncateSync(descriptor, sizeBytes);
  } finally {
    closeSync(descriptor);
  }
}
