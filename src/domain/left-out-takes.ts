/** Takes of an edit that cannot be used: left out, unless somebody requested them. Pure. */
import type { EditOptions } from './edit-options.ts';
import { type ErrorCode, Failure, type JobErrorCode } from './errors.ts';
import type { EditWork, LeftOutTake, Warning } from './stage.ts';

/** Failures of unusable takes by their video ids in lower case; the detail of each names the file. */
export type RefusedTakes = ReadonlyMap<string, Failure>;

/** Errors of an imported file that cannot be used, with the codes of an upload. */
const IMPORT_CODES: Readonly<Partial<Record<ErrorCode, JobErrorCode>>> = {
  UNSUPPORTED_VIDEO_FORMAT: 'INPUT_UNSUPPORTED',
  INVALID_VIDEO: 'INPUT_CORRUPT',
  VIDEO_LIMIT_EXCEEDED: 'INPUT_LIMIT_EXCEEDED',
  FILE_TOO_LARGE: 'INPUT_LIMIT_EXCEEDED',
};

interface ImportError {
  readonly code: ErrorCode;
  readonly detail: string;
}

/** The failure of a job whose input could not be imported. `which`: its part in the job. */
export function importJobFailure(which: string, { code, detail }: ImportError): Failure {
  return new Failure(IMPORT_CODES[code] ?? 'IMPORT_FAILED', `The ${which} could not be imported. ${detail}`);
}

export function takeImportFailure(filename: string, error: ImportError): Failure {
  return importJobFailure(`take "${filename}"`, error);
}

/** Whether an edit cannot do without a take: it must be used, or a slot is pinned to it. Ids are in lower case. */
export function isRequestedTake({ takes, pins }: EditOptions, videoId: string): boolean {
  return (
    takes.some((take) => take.video_id === videoId && take.must_use) ||
    pins.some((pin) => pin.video_id === videoId)
  );
}

/**
 * The options without the refused takes and their bans, and all takes that are left out. `before`: takes that were left out already. Throws
 * the failure of a requested take, and the reasons of all if none is left.
 */
export function leaveOutTakes(
  options: EditOptions,
  refused: RefusedTakes,
  before: readonly LeftOutTake[] = [],
): { readonly options: EditOptions; readonly leftOut: readonly LeftOutTake[] } {
  for (const [videoId, failure] of refused) if (isRequestedTake(options, videoId)) throw failure;
  const found = [...refused].map(([videoId, { detail: reason }]) => ({ videoId, reason }));
  const leftOut = [...before, ...found];
  const isUsed = ({ video_id }: { readonly video_id: string }) => !refused.has(video_id);
  const takes = options.takes.filter(isUsed);
  const [first] = refused.values();
  if (takes.length === 0 && first !== undefined) throw allRefused(first, leftOut);
  return { options: { ...options, takes, bans: options.bans.filter(isUsed) }, leftOut };
}

/** An edit without its refused takes. Throws as `leaveOutTakes`. */
export function withoutTakes(edit: EditWork, refused: RefusedTakes): EditWork {
  const takes = edit.takes.filter(({ videoId }) => !refused.has(videoId));
  return { ...edit, takes, ...leaveOutTakes(edit.options, refused, edit.leftOut) };
}

export function leftOutWarnings(leftOut: readonly LeftOutTake[] = []): Warning[] {
  return leftOut.map(({ reason }) => ({
    code: 'TAKE_LEFT_OUT',
    message: `A take is left out. ${reason}`,
  }));
}

/** One refusal as it is, several with the reason of each. */
function allRefused(first: Failure, leftOut: readonly LeftOutTake[]): Failure {
  if (leftOut.length === 1) return first;
  const reasons = leftOut.map(({ reason }) => reason).join('; ');
  return new Failure(first.code, `None of the takes can be used: ${reasons}`);
}
