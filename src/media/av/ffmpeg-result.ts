import { Failure, type JobErrorCode } from '../../domain/errors.ts';

/** AVERROR(ENOSPC): 28 on every platform that this runs on. */
const DISK_FULL = -28;
/** AVERROR(EFBIG), likewise. */
const FILE_TOO_LARGE = -27;

/**
 * The result of a call of FFmpeg, where it succeeded. Throws `Failure` INSUFFICIENT_STORAGE, else `code`; the system's EFBIG,
 * because the parent alone knows whose limit it was.
 */
export function succeeded(result: number, what: string, code: JobErrorCode = 'ENCODER_FAILED'): number {
  if (result >= 0) return result;
  if (result === DISK_FULL) throw new Failure('INSUFFICIENT_STORAGE', 'The disk is full');
  if (result === FILE_TOO_LARGE) throw Object.assign(new Error(`${what}: EFBIG`), { code: 'EFBIG' });
  throw new Failure(code, `${what} failed (FFmpeg error ${result})`);
}
