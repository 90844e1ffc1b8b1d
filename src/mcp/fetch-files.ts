import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StyleDnaClient } from '../client/client.ts';
import { placeWhole } from '../pipeline/whole-file.ts';

const OUTPUT = 'output.mp4';

/** Writes files of a completed job, each whole or not at all; resolves with their paths. */
export async function fetchFiles(
  client: StyleDnaClient,
  jobId: string,
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const { artifacts } = await client.getJobResult(jobId, {}, { signal });
  const known = [OUTPUT, ...artifacts.map(({ name }) => name)];
  // Names come from an agent: only those that the job has become paths.
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`The job has no ${unknown.join(', ')}; it has ${known.join(', ')}`);
  await mkdir(resolve(folder), { recursive: true });
  const written: string[] = [];
  for (const name of names) {
    const path = resolve(folder, name);
    const answer = await (name === OUTPUT
      ? client.getOutput(jobId, { signal })
      : client.getArtifact(jobId, name, { signal }));
    const bytes = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
    await placeWhole(path, (beside) => pipeline(bytes, createWriteStream(beside), { signal }));
    written.push(path);
  }
  return written;
}
