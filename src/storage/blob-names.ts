/**
 * Where each kind of blob lies. A blob belongs to a video, to a job or to the content of a video, and its key begins
 * with that owner's folder: who removes an owner removes the folder, without knowing what is in it.
 */
import { isBlobKey } from './blob-key.ts';

export function videoBlobKey(videoId: string): string {
  return `videos/${videoId}`;
}

/** The caption file that was sent for a video. */
export function captionsBlobKey(videoId: string): string {
  return `${videoBlobKey(videoId)}.captions`;
}

/** Everything a job leaves, one folder for each attempt. */
export function jobBlobPrefix(jobId: string): string {
  return `jobs/${jobId}/`;
}

export function attemptBlobPrefix(jobId: string, attempt: number): string {
  return `${jobBlobPrefix(jobId)}${attempt}/`;
}

export function outputBlobKey(jobId: string, attempt: number): string {
  return `${attemptBlobPrefix(jobId, attempt)}output.mp4`;
}

/** The timeline of a job's output, for its comparison; no client reads it. */
export function outputTimelineBlobKey(jobId: string, attempt: number): string {
  return `${attemptBlobPrefix(jobId, attempt)}timeline.json`;
}

/** The captions that a job began with, where its video was given others since; empty: none. */
export function jobCaptionsBlobKey(jobId: string): string {
  return `${jobBlobPrefix(jobId)}captions`;
}

/** A frame of what is being rendered: there while it is the newest, or the one before. */
export function frameBlobKey(jobId: string, attempt: number, sequence: number): string {
  return `${attemptBlobPrefix(jobId, attempt)}frame-${sequence}.jpg`;
}

/** Parts of an output that is rendered by several workers: there until it is put together, whichever attempt does so. */
export function partsBlobPrefix(jobId: string): string {
  return `${jobBlobPrefix(jobId)}parts/`;
}

export function partBlobKey(jobId: string, partId: string): string {
  return `${partsBlobPrefix(jobId)}${partId}.mp4`;
}

/** What was measured on videos with these bytes; `sha256` in hex. */
export function resultsPrefix(sha256: string): string {
  return `results/${sha256.slice(0, 2)}/${sha256}/`;
}

export const PREVIEWS = 'previews/';

/** Previews of videos with these bytes; `sha256` in hex. They are kept for a day. */
export function previewsPrefix(sha256: string): string {
  return `${PREVIEWS}${sha256.slice(0, 32)}/`;
}

/** The three kinds of owners, each with the pattern that finds the owner in a key. */
export const BLOB_OWNERS = {
  video: { root: 'videos/', pattern: /^videos\/([^/.]+)(?:\.captions)?$/ },
  job: { root: 'jobs/', pattern: /^jobs\/([^/]+)\// },
  content: { root: 'results/', pattern: /^results\/[^/]+\/([^/]+)\// },
} as const;

/** Whether a key is one that this module makes, of an owner that can remove it. */
export function isOwnedBlobKey(key: string): boolean {
  return isBlobKey(key) && Object.values(BLOB_OWNERS).some(({ pattern }) => pattern.test(key));
}

export type BlobOwner = keyof typeof BLOB_OWNERS;
