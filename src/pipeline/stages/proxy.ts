import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { StoredProxy } from '../../domain/proxy.ts';
import type { StageOutcome, StageWork, VideoKind, VideoReference } from '../../domain/stage.ts';
import { resultsPrefix } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { localClip } from './clip-facts.ts';
import { PROXY_VERSION } from './results.ts';
import type { StageTools } from './stage-tools.ts';

type Content = Pick<VideoReference, 'sha256'>;

const FILES = {
  video: { extension: 'mp4', contentType: 'video/mp4' },
  image: { extension: 'jpg', contentType: 'image/jpeg' },
  audio: { extension: 'm4a', contentType: 'audio/mp4' },
} as const satisfies Record<VideoKind, { extension: string; contentType: string }>;

/** The stored proxy of a video's content; null: none. */
export async function storedProxy(
  blobs: Pick<BlobStore, 'head' | 'get'>,
  { sha256 }: Content,
): Promise<StoredProxy | null> {
  const key = keyOf(sha256, 'json');
  if ((await blobs.head(key)) === null) return null;
  return (await json(await blobs.get(key))) as StoredProxy;
}

/** Removes the description first: without it, the file counts as missing. */
export async function removeProxy(blobs: BlobStore, { sha256 }: Content): Promise<void> {
  for (const extension of ['json', ...Object.values(FILES).map((file) => file.extension)])
    await blobs.remove(keyOf(sha256, extension));
}

/** Makes the proxy of the source, unless a video of the same content has one. It is stored among the results of the content. */
export async function publishProxy(tools: StageTools, work: StageWork): Promise<StageOutcome> {
  const { blobs, retryWhileStorageDown } = tools;
  const stored = await retryWhileStorageDown(() => storedProxy(blobs, work.source));
  const { file } = stored ?? (await makeProxy(tools, work));
  return { warnings: [], publication: { style: null, output: file, artifacts: [] } };
}

async function makeProxy(tools: StageTools, work: StageWork): Promise<StoredProxy> {
  const { engine, blobs, retryWhileStorageDown } = tools;
  const { source, signal, onProgress } = work;
  const { sha256, durationSeconds } = source;
  await using workspace = await openWorkspace(engine.workRoot);
  const { folder } = workspace;
  await using sourceFile = await localClip(tools, source, signal);
  const proxyPath = join(folder, 'proxy');
  const outline = await engine.run(
    'proxy',
    { sourcePath: sourceFile.path, proxyPath, durationSeconds },
    { signal, onProgress, folder, source, mediaSeconds: durationSeconds },
  );
  const { extension, contentType } = FILES[outline.kind];
  const hash = createHash('sha256');
  await pipeline(createReadStream(proxyPath), hash);
  const blobKey = keyOf(sha256, extension);
  const { sizeBytes } = await retryWhileStorageDown(() => blobs.putFile(blobKey, proxyPath));
  const file = { name: `proxy.${extension}`, blobKey, contentType, sizeBytes, sha256: hash.digest('hex') };
  const made: StoredProxy = { ...outline, file };
  // Last: what it names is there.
  await retryWhileStorageDown(() => blobs.put(keyOf(sha256, 'json'), Readable.from([JSON.stringify(made)])));
  return made;
}

function keyOf(sha256: string, extension: string): string {
  return `${resultsPrefix(sha256)}proxy-${PROXY_VERSION}.${extension}`;
}
