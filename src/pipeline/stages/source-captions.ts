/** Finds the words that a plan may show. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { confidentFacts } from '../../analysis/confident-facts.ts';
import type { JobWork } from '../../domain/stage.ts';
import type { Transcript } from '../../domain/transcription.ts';
import { captionsBlobKey, jobCaptionsBlobKey } from '../../storage/blob-names.ts';
import type { LocalFile } from '../../storage/blob-store.ts';
import { writeSubRip } from '../../style/captions/file.ts';
import { captionsOfWords } from '../../style/captions/sentences.ts';
import type { Style } from '../../style/model/schema.ts';
import { wantsCaptions } from '../../style/plan/captions.ts';
import { openWorkspace } from '../engine/workspace.ts';
import { clipFactsOf, localClip } from './clip-facts.ts';
import { spokenWordsOf } from './spoken-words.ts';
import type { WorkTools } from './stage-tools.ts';

/** A caption file, the text track of a video, or a transcript, also as JSON; `sha256` is that of the file. */
export type CaptionSource =
  | { readonly origin: 'file'; readonly bytes: Buffer; readonly sha256: string }
  | {
      readonly origin: 'speech';
      readonly bytes: Buffer;
      readonly sha256: string;
      readonly transcript: Transcript;
    }
  | { readonly origin: 'track'; readonly blobKey: string; readonly sha256: string };

/**
 * A caption file of the job or video, else the source's speech if the config requests it, else the source's text track. Throws what
 * `spokenWordsOf` throws.
 */
export async function captionsOf(
  tools: WorkTools,
  work: JobWork,
  style: Style | null,
): Promise<CaptionSource | null> {
  const { config } = work;
  if (wantsCaptions(style, config, 'file')) {
    const bytes = await captionFileBytes(tools, work);
    if (bytes !== null && bytes.length > 0) return { origin: 'file', bytes, sha256: hashOf(bytes) };
  }
  if (wantsCaptions(style, config, 'speech')) return speechOf(tools, work);
  const { blobKey, sha256 } = work.source;
  return wantsCaptions(style, config, 'track') ? { origin: 'track', blobKey, sha256 } : null;
}

function captionFileBytes(
  { blobs, retryWhileStorageDown }: WorkTools,
  { jobId, source: { videoId } }: JobWork,
): Promise<Buffer | null> {
  const read = async (key: string) =>
    (await blobs.head(key)) === null ? null : buffer(await blobs.get(key));
  return retryWhileStorageDown(async () => {
    // In this order: a new file of the video is stored after the job's own copy of the old one.
    const current = await read(captionsBlobKey(videoId));
    const own = jobId === undefined ? null : await read(jobCaptionsBlobKey(jobId));
    return own ?? current;
  });
}

/** Null without a request for transcription, without speech, or if the words are already in the picture. */
async function speechOf(tools: WorkTools, work: JobWork): Promise<CaptionSource | null> {
  const { source, signal } = work;
  const facts = confidentFacts(await clipFactsOf(tools, source, { signal }));
  if (facts.audio === null || facts.video.captions.style !== null) return null;
  const transcript = await spokenWordsOf(tools, work);
  const bytes = Buffer.from(JSON.stringify(transcript));
  return { origin: 'speech', bytes, sha256: hashOf(bytes), transcript };
}

/** A copy, which later captions of the video do not change. */
export async function captionsFile(
  tools: WorkTools,
  captions: CaptionSource,
  signal: AbortSignal,
): Promise<LocalFile> {
  if (captions.origin === 'track') return localClip(tools, captions, signal);
  await using stack = new AsyncDisposableStack();
  const workspace = stack.use(await openWorkspace(tools.engine.workRoot));
  const path = join(workspace.folder, 'captions');
  await writeFile(path, captions.bytes);
  const resources = stack.move();
  return { path, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Words from speech as SubRip in the source's time, to be corrected and sent as its caption file; null: the words have another origin. */
export function speechFile(captions: CaptionSource | null): string | null {
  if (captions?.origin !== 'speech') return null;
  const sentences = captionsOfWords(captions.transcript.words).map(({ text, ...times }) => ({
    ...times,
    lines: [text],
  }));
  return sentences.length === 0 ? null : writeSubRip(sentences);
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
