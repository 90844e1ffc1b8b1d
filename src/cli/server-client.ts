/** Access to a service: loaded only with `--server`. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { isStyleDnaError, StyleDnaClient } from '../client/client.ts';
import { Failure } from '../domain/errors.ts';
import { assertFile } from '../pipeline/direct/direct.ts';
import { receivedShare } from '../received/received-progress.ts';
import { visibleLine } from '../received/visible-text.ts';

export function clientOf(server: string): StyleDnaClient {
  // A user waits at the terminal: an unreachable service is reported soon.
  return new StyleDnaClient({ baseUrl: server, patienceSeconds: 20, retries: 1 });
}

/** Statuses of a refused file: too large, no video, or an unusable video. */
const REFUSED_FILE = [413, 415, 422];

/**
 * Sends a file, or has the service import it from its http address; resolves with its id. Throws `Failure` if the file
 * is missing or refused.
 */
export async function sendFile(
  client: StyleDnaClient,
  file: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (fraction: number) => void },
): Promise<string> {
  if (/^https?:\/\//i.test(file)) return importFile(client, file, { signal, onProgress });
  await assertFile(file, file);
  const upload = client.upload(await openAsBlob(file), {
    filename: basename(file),
    signal,
    onProgress: ({ sentBytes, totalBytes }) => onProgress(totalBytes === 0 ? 0 : sentBytes / totalBytes),
  });
  const { video_id } = await upload.done.catch((error: unknown) => {
    if (!isStyleDnaError(error) || !REFUSED_FILE.includes(error.status)) throw error;
    throw new Failure('INPUT_UNSUPPORTED', `"${file}": ${visibleLine(error.detail)}`, { cause: error });
  });
  onProgress(1);
  return video_id;
}

async function importFile(
  client: StyleDnaClient,
  url: string,
  { signal, onProgress }: Parameters<typeof sendFile>[2],
): Promise<string> {
  const { video_id } = await client.waitForImport(
    { url },
    {
      signal,
      onUpdate: ({ received_bytes: received, size_bytes: all }) => onProgress(receivedShare(received, all)),
    },
  );
  onProgress(1);
  return video_id;
}
