/**
 * The blob keys of each kind. A blob belongs to a video, a saved style, a job or the content of a video. Its key begins with
 * the owner's folder, so removing the folder removes everything of the owner.
 */
import { isBlobKey } from './blob-key.ts';

export function videoBlobKey(videoId: string): string {
  return `videos/${videoId}`;
}

/** The caption file that was uploaded for a video. */
export function captionsBlobKey(videoId: string): string {
  return `${videoBlobKey(videoId)}.captions`;
}

/** The picture of a saved style: a copy, which stays when its template is removed. */
export function stylePictureBlobKey(styleId: string): string {
  return `styles/${styleId}.jpg`;
}

/** All blobs of a job, one folder for each attempt. */
export function jobBlobPrefix(jobId: string): string {
  return `jobs/${jobId}/`;
}

export function attemptBlobPrefix(jobId: string, attempt: number): string {
  return `${jobBlobPrefix(jobId)}${attempt}/`;
}

export function outputBlobKey(jobId: string, attempt: number): string {
  return `${attemptBlobPrefix(jobId, attempt)}output.mp4`;
}

/** The timeline of a job's output: of pictures alone. */
export function outputTimelineBlobKey(jobId: string, attempt: number): string {
  return `${attemptBlobPrefix(jobId, attempt)}timeline.json`;
}

/** The captions at the start of a job whose video got other captions since. Empty: none. */
export function jobCaptionsBlobKey(jobId: string): string {
  return `${jobBlobPrefix(jobId)}captions`;
}

/** A preview frame of a running render. Only the newest two exist. */
export function frameBlobKey(jobId: string, attempt: number, sequence: number): string {
  return `${attemptBlobPrefix(jobId, attempt)}frame-${sequence}.jpg`;
}

/** Parts of an output that several workers render. They exist until an attempt has joined them. */
export function partsBlobPrefix(jobId: string): string {
  return `${jobBlobPrefix(jobId)}parts/`;
}

export function partBlobKey(jobId: string, partId: string): string {
  return `${partsBlobPrefix(jobId)}${partId}.mp4`;
}

/** Measurements of videos with these bytes; `sha256` in hex. */
export function resultsPrefix(sha256: string): string {
  return `results/${sha256.slice(0, 2)}/${sha256}/`;
}

export const PREVIEWS = 'previews/';

/** Previews of videos with these bytes; `sha256` in hex. Retention: one day. */
export function previewsPrefix(sha256: string): string {
  return `${PREVIEWS}${sha256.slice(0, 32)}/`;
}

export const SEGMENTS = 'segments/';

/** Long enough to change an edit on another day. */
export const SEGMENTS_TTL_MS = 7 * 86_400_000;

/** Rendered segments of edits whose first take has these bytes; `sha256` in hex. Retention: `SEGMENTS_TTL_MS`. */
export function segmentsPrefix(sha256: string): string {
  return `${SEGMENTS}${sha256.slice(0, 32)}/`;
}

/** The kinds of owners, each with the pattern that extracts the owner's id from a key. */
export const BLOB_OWNERS = {
  video: { root: 'videos/', pattern: /^videos\/([^/.]+)(?:\.captions)?$/ },
  style: { root: 'styles/', pattern: /^styles\/([^/.]+)\.jpg$/ },
  job: { root: 'jobs/', pattern: /^jobs\/([^/]+)\// },
  content: { root: 'results/', pattern: /^results\/[^/]+\/([^/]+)\// },
} as const;

/** Whether this module makes such keys, for an owner that can be removed. */
export function isOwnedBlobKey(key: string): boolean {
  return isBlobKey(key) && Object.values(BLOB_OWNERS).some(({ pattern }) => pattern.test(key));
}

export type BlobOwner = keyof typeof BLOB_OWNERS;
