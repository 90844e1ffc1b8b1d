import { S3ServiceException } from '@aws-sdk/client-s3';
import { Failure } from '../domain/errors.ts';

/** Whether an answer reports that the object does not exist. A missing bucket is another error. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    error.name !== 'NoSuchBucket'
  );
}

/**
 * Converts an error of a request to a `Failure`. Errors without a valid answer mean that the server cannot be
 * used: a broken connection, a timeout, an unknown name, a certificate, a proxy's page instead of XML.
 */
export function s3Failure(error: unknown): Failure {
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
  return unavailable('The storage of the service cannot be reached', error);
}

function unavailable(detail: string, cause: unknown): Failure {
  return new Failure('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds: 5, cause });
}
