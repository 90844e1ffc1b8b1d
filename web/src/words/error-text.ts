/** Failures in plain words: what happened, what it means for the person, what to do. */
import type { FieldError, JobError } from '../../../src/client/api-types.ts';
import { isStyleDnaError, type StyleDnaError } from '../../../src/client/error.ts';
import { refusalWords } from '../../../src/domain/refusals.ts';

export interface ErrorText {
  readonly title: string;
  readonly advice: string;
  /** The service's own message as a detail; null if it adds nothing. */
  readonly technical: string | null;
}

type Words = readonly [title: string, advice: string];

/** Texts by the service's error codes. Codes that requests and jobs share have the same text. */
const WORDS: Readonly<Record<string, Words>> = {
  UNAUTHORIZED: ['You are not signed in', 'Sign in where you reach this service, then reload this page.'],
  FORBIDDEN: ['You may not do this', 'Ask the operator of this service for access.'],
  UNSUPPORTED_VIDEO_FORMAT: [
    'This file format is not supported',
    'Use MP4, MOV, MKV, WebM, AVI or MPEG, or for a look also a JPEG, PNG, WebP, GIF or AVIF picture.',
  ],
  INVALID_VIDEO: ['This file cannot be used', 'It may be damaged. Export it again and try that file.'],
  INVALID_CAPTIONS: [
    'These captions cannot be read',
    'Use a SubRip (.srt) or WebVTT (.vtt) file. The details say which lines are wrong.',
  ],
  VIDEO_LIMIT_EXCEEDED: [
    'This video is too large for this service',
    'Use a shorter or smaller version of it.',
  ],
  FILE_TOO_LARGE: ['This file is too large', 'Use a shorter version, or export it at a lower bit rate.'],
  INSUFFICIENT_STORAGE: [
    'The storage of the service is full',
    'Delete videos or jobs that are no longer needed in the library, then try again.',
  ],
  VIDEO_NOT_FOUND: ['This video is no longer here', 'It was deleted. Add it again.'],
  TEMPLATE_VIDEO_NOT_FOUND: [
    'The look is no longer here',
    'Its video was deleted. Add it again, or choose another.',
  ],
  STYLE_NOT_FOUND: ['The saved look is no longer here', 'It was deleted. Choose another look.'],
  STYLE_NAME_TAKEN: ['Another look has this name', 'Choose another name.'],
  VIDEO_EXPIRED: ['This video has expired', 'The service deletes videos after some time. Add it again.'],
  RESULT_EXPIRED: [
    'This result has expired',
    'The service deletes results after some time. Render it again.',
  ],
  JOB_NOT_FOUND: ['This job does not exist', 'It was deleted, or the link is incomplete.'],
  VIDEO_IN_USE: [
    'A job still needs this video',
    'Wait for the job to end, or cancel it; then delete the video.',
  ],
  QUEUE_FULL: ['The queue is full', 'Try again when some of the jobs have ended.'],
  DRAINING: ['The service is about to restart', 'Try again in a minute.'],
  RATE_LIMITED: ['Too many requests', 'Wait a moment, then try again.'],
  SERVICE_UNAVAILABLE: ['The service is unavailable', 'It is trying to recover. Try again in a minute.'],
  STORAGE_UNAVAILABLE: [
    'The service could not reach its storage',
    'Try again. If it happens again, tell the operator of the service.',
  ],
  VALIDATION_ERROR: ['Some settings are not valid', 'The details below say what.'],
  VIDEO_IMPORTING: [
    'The video is still being imported',
    'The service is downloading it. Try again in a minute.',
  ],
  IMPORT_FAILED: [
    'The video could not be imported',
    'Check that its address returns the file itself, not a page.',
  ],
  EDIT_IMPOSSIBLE: ['The edit is not possible as requested', 'The details below say what to change.'],
  INPUT_CORRUPT: ['The video is damaged', 'Export it again from the original program, and add that file.'],
  INPUT_UNSUPPORTED: [
    'The video uses a feature that is not supported',
    'Convert it to MP4 (H.264) and add that file.',
  ],
  INPUT_LIMIT_EXCEEDED: [
    'The video is too large for this service',
    'Use a shorter or smaller version of it.',
  ],
  TRANSCRIPTION_UNAVAILABLE: [
    'This service cannot transcribe speech',
    'Its operator can connect a transcription engine. Turn “Captions from speech” off.',
  ],
  TRANSCRIPTION_FAILED: [
    'The speech could not be transcribed',
    'The transcription engine failed. Try again later, or turn “Captions from speech” off.',
  ],
  STAGE_TIMEOUT: ['This took too long', 'The machine may be busy. Try again, or use a lower quality.'],
  WORKER_LOST: ['The connection to the rendering machine was lost', 'Nothing is lost: try again.'],
  OUT_OF_MEMORY: ['There was not enough memory', 'Choose a smaller size, and try again.'],
  ENCODER_FAILED: [
    'The video could not be written',
    'Try again; if it happens again, choose another quality.',
  ],
  OUTPUT_VERIFY_FAILED: ['The result failed verification and was not published', 'Try again.'],
};
const UNKNOWN: Words = [
  'Something went wrong',
  'Try again. If it happens again, send the details below to the operator of the service.',
];
const AWAY: Words = ['The service does not answer', 'This page tries again until it answers.'];

/** Of a file that is not sent. */
export const EMPTY_FILE: ErrorText = {
  title: 'This file is empty',
  advice: 'It has 0 bytes: its copy or export did not end. Make it again.',
  technical: null,
};

/** Text of any thrown value. */
export function errorTextOf(error: unknown): ErrorText {
  if (isStyleDnaError(error))
    return refusedText(error.fields, technicalOf(error)) ?? errorTextOfCode(error.code, technicalOf(error));
  return named(UNKNOWN, error instanceof Error ? error.message : String(error));
}

/** Text of an error that a job or a preview reports. */
export function errorTextOfJob({
  code,
  detail,
  fields = [],
}: Pick<JobError, 'code' | 'detail' | 'fields'>): ErrorText {
  return refusedText(fields, detail) ?? errorTextOfCode(code, detail);
}

/** The first refusal that has words of its own. */
function refusedText(fields: readonly FieldError[], technical: string): ErrorText | null {
  const [words] = fields.map(refusalWords).filter((one) => one !== null);
  return words === undefined ? null : { ...words, technical };
}

export function errorTextOfCode(code: string, technical: string | null): ErrorText {
  if (code === 'CONNECTION_FAILED') return named(AWAY, technical);
  return named(WORDS[code] ?? UNKNOWN, technical);
}

function named([title, advice]: Words, technical: string | null): ErrorText {
  return { title, advice, technical };
}

function technicalOf(error: StyleDnaError): string {
  const fields = error.fields.map(({ path, message }) => `${path}: ${message}`);
  const request = error.requestId === null ? [] : [`request ${error.requestId}`];
  return [`${error.code}: ${error.detail}`, ...fields, ...request].join('\n');
}
