import { Failure } from '../domain/errors.ts';
import type { VideoImport } from './video.ts';

/** The error for a client that needs a video still being imported or not imported: VIDEO_IMPORTING or IMPORT_FAILED. */
export function importFailure({ videoId, error, receivedBytes }: VideoImport): Failure {
  if (error !== null)
    return new Failure('IMPORT_FAILED', `The video ${videoId} could not be imported. ${error.detail}`);
  return new Failure('VIDEO_IMPORTING', `${receivedBytes} bytes of the video ${videoId} have arrived`, {
    retryAfterSeconds: 1,
  });
}
