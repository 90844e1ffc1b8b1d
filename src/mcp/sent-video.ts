import { openAsBlob, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { StyleDnaClient } from '../client/client.ts';

const VIDEO_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Ids of files sent by this process, by path, size and time, so that each is sent once. */
const sent = new Map<string, string>();

/**
 * The id of a video: `video` itself, or that of a local file after its upload. Throws if the file does not
 * exist.
 */
export async function sentVideo(client: StyleDnaClient, video: string, signal: AbortSignal): Promise<string> {
  if (VIDEO_ID.test(video)) return video;
  if (/^https?:\/\//.test(video)) return (await client.waitForImport({ url: video }, { signal })).video_id;
  const path = resolve(video);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) {
    throw new Error(
      `There is no file ${path}; give the path or the http address of a video or image, or a video_id`,
    );
  }
  const key = [path, found.size, found.mtimeMs].join('\n');
  const known = sent.get(key);
  if (known !== undefined && (await isThere(client, known, signal))) return known;
  const upload = client.upload(await openAsBlob(path), { filename: basename(path), signal });
  const { video_id } = await upload.done;
  sent.set(key, video_id);
  return video_id;
}

async function isThere(client: StyleDnaClient, videoId: string, signal: AbortSignal): Promise<boolean> {
  return client.getVideo(videoId, { signal }).then(
    () => true,
    () => false,
  );
}
