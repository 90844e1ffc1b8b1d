import { Failure, type JobErrorCode } from '../../domain/errors.ts';

/** AVERROR(ENOSPC): 28 on all supported platforms. */
const DISK_FULL = -28;
/** AVERROR(EFBIG): 27 on all supported platforms. */
const FILE_TOO_LARGE = -27;

/**
 * Returns the result of an FFmpeg call if it succeeded. Throws `Failure` INSUFFICIENT_STORAGE or `code`; an error with code EFBIG
 * for a file size limit, because only the parent process knows the limit's origin.
 */
export function checkResult(result: number, action: string, code: JobErrorCode = 'ENCODER_FAILED'): number {
  if (result >= 0) return result;
  if (result === DISK_FULL) throw new Failure('INSUFFICIENT_STORAGE', 'The disk is full');
  if (result === FILE_TOO_LARGE) throw Object.assign(new Error(`${action}: EFBIG`), { code: 'EFBIG' });
  throw new Failure(code, `${action} failed (FFmpeg error ${result})`);
}
