import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { StyleDnaClient } from '../client/client.ts';
import { receiveFile } from '../received/received-file.ts';
import { receivedJob } from '../received/received-job.ts';
import { receivedPath } from '../received/received-name.ts';

const OUTPUT = 'output.mp4';

/** Writes files of a completed job, each completely or not at all; resolves with their paths. */
export async function fetchFiles(
  client: StyleDnaClient,
  jobId: string,
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const { artifacts } = receivedJob(await client.getJobResult(jobId, {}, { signal }));
  const known = [OUTPUT, ...artifacts.map(({ name }) => name)];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`The job has no ${unknown.join(', ')}; it has ${known.join(', ')}`);
  // Names come from an agent and the service can be hostile: all are checked before the first file is written.
  const wanted = names.map((name) => ({ name, path: receivedPath(folder, name) }));
  await mkdir(resolve(folder), { recursive: true });
  for (const { name, path } of wanted) {
    const response = await (name === OUTPUT
      ? client.getOutput(jobId, { signal })
      : client.getArtifact(jobId, name, { signal }));
    const sizeBytes = artifacts.find((artifact) => artifact.name === name)?.size_bytes ?? null;
    await receiveFile(response, path, { sizeBytes, signal });
  }
  return wanted.map(({ path }) => path);
}
