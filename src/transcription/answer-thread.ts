/** Entry of the thread that `answer-reader.ts` starts. */
import { TranscriptionFailure } from '../domain/transcription.ts';
import { answerOnThread } from '../untrusted/thread.ts';
import type { AnswerResult, AnswerTask } from './answer-reader.ts';
import { answerText } from './answer-text.ts';
import { transcriptOf } from './transcript.ts';

answerOnThread(({ bytes, contentType, limits }: AnswerTask): AnswerResult => {
  try {
    return { transcript: transcriptOf(answerText(bytes, contentType), limits) };
  } catch (error) {
    if (error instanceof TranscriptionFailure) return { failure: error.message };
    throw error;
  }
});
