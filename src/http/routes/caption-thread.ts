/** Entry of the thread that `caption-reader.ts` starts. */
import { Failure } from '../../domain/errors.ts';
import { parseCaptionFile } from '../../style/captions/file.ts';
import { answerOnThread } from '../../untrusted/thread.ts';
import type { CaptionResponse, CaptionTask } from './caption-reader.ts';

/** Cues that start later than this after the video's end suggest the captions of another video. */
const PAST_END_SECONDS = 1;

answerOnThread(responseOf);

function responseOf({ bytes, durationSeconds }: CaptionTask): CaptionResponse {
  try {
    const { cues, ...file } = parseCaptionFile(bytes);
    const past = cues.filter(({ startSeconds }) => startSeconds > durationSeconds + PAST_END_SECONDS);
    return { outline: { ...file, cueCount: cues.length, pastEndCount: past.length } };
  } catch (error) {
    if (error instanceof Failure) return { detail: error.detail, fields: error.fields };
    throw error;
  }
}
