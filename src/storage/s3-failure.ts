import { S3ServiceException } from '@aws-sdk/client-s3';
import { Failure } from '../errors.ts';

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** Whether an answer says that the object does not exist. A missing bucket is another thing. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    error.name !== 'NoSuchBucket'
  );
}

/** An error of the S3 client as a foreseen failure; any other value as it is. */
export function s3Failure(error: unknown): unknown {
  if (error instanceof S3ServiceException) {
    const status = error.$metadata.httpStatusCode ?? 0;
    if (status === 507 || error.name === 'QuotaExceeded') {
      return new Failure('INSUFFICIENT_STORAGE', 'The storage of the service is full', {
        retryAfterSeconds: 60,
        cause: error,
      });
    }
    return unavailable(`The storage of the service answered ${error.name}`, error);
  }
  if (!(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (error.name === 'TimeoutError' || NETWORK.has(code)) {
    return unavailable('The storage of the service cannot be reached', error);
  }
  return error;
}

function unavailable(detail: string, cause: unknown): Failure {
  return new Failure('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds: 5, cause });
}
