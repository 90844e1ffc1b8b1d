/** Results of decoding and measuring, cached in the folder for temporary files: a change of later steps costs only their time. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/**
 * What `record` gave of a clip the first time, by the clip's path, size and time of its last change. `kind`: a folder of its own;
 * `version`: raised when the recorded results change.
 */
export async function recordedOnce<Recorded>(
  { kind, version, path }: { readonly kind: string; readonly version: number; readonly path: string },
  record: (path: string) => Promise<Recorded>,
): Promise<Recorded> {
  const folder = join(tmpdir(), 'styledna-bench', kind);
  const { size, mtimeMs } = statSync(path);
  const key = createHash('sha256')
    .update(JSON.stringify([version, path, size, mtimeMs]))
    .digest('hex');
  const file = join(folder, `${key.slice(0, 24)}.bin`);
  if (existsSync(file)) return deserialize(readFileSync(file)) as Recorded;
  const recorded = await record(path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.part`, serialize(recorded));
  renameSync(`${file}.part`, file);
  return recorded;
}
