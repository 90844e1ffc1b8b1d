/**
 * An empty database as one file: a cluster with the tables of the service and of the queue, made once by
 * `scripts/build-database.ts`. PostgreSQL's initdb takes seconds at the first start of a service, writing the
 * same files a tenth of a second. A file of another PGlite or of other migrations is ignored.
 */
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { MIGRATIONS } from './schema.ts';

/** An uncompressed head, from which another version is recognized. */
const HEAD_BYTES = 64;
/** The highest level of zstd below its "ultra" levels: 9 MB become .75 MB in two seconds, once. */
const LEVEL = 19;
/** A cluster has 9 MB, or 41 if nothing is left out; a damaged file must not fill the memory. */
const MAX_BYTES = 256 * 2 ** 20;

/** The bytes of a file up to its last nonzero one; zeros follow up to its size. */
interface PackedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly writtenBytes: number;
}

interface Contents {
  readonly folders: readonly string[];
  readonly files: readonly PackedFile[];
}

/** Identifies the PGlite and the migrations of a cluster: 64 characters. */
function identity(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return createHash('sha256')
    .update(JSON.stringify([version, MIGRATIONS]))
    .digest('hex');
}

/** Packs a cluster that no process has open into a file to ship. */
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
 * Unpacks the cluster in `file` to the new folder `cluster`, without syncing it. False if the file is
 * missing, of another version or damaged; then it leaves no files.
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

/** Null if the checksum is wrong or the end is missing. */
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
