/** Explains at the start of a service why a bucket cannot be used, and what to change. */
import { S3ServiceException } from '@aws-sdk/client-s3';
import { ConfigError, Failure } from '../domain/errors.ts';
import type { S3Settings } from '../settings/config.ts';
import type { BlobStore } from './blob-store.ts';

/**
 * Writes into the bucket and removes the test object again. Throws `ConfigError` without credentials in its
 * text.
 */
export async function assertBucketUsable(store: BlobStore, settings: S3Settings): Promise<void> {
  try {
    await store.check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const place = settings.endpoint ?? `Amazon S3 in ${settings.region}`;
    const [problem, remedy] = diagnosis(error.cause, settings);
    throw new ConfigError(
      `The bucket "${settings.bucket}" at ${place} cannot be used: ${problem}. ${remedy}`,
      {
        cause: error,
      },
    );
  }
}

function diagnosis(cause: unknown, { region }: S3Settings): readonly [wrong: string, right: string] {
  if (!(cause instanceof S3ServiceException)) {
    return [
      `no S3 server answers at this address (${codeOf(cause)})`,
      'S3_ENDPOINT must be the address of an S3 server that this machine can reach, such as http://127.0.0.1:9000.',
    ];
  }
  const status = cause.$metadata.httpStatusCode ?? 0;
  const detail = `${cause.name}, ${status}`;
  if (cause.name === 'NoSuchBucket' || status === 404)
    return [`the bucket does not exist (${detail})`, 'Create it, or set S3_BUCKET to an existing bucket.'];
  if (/InvalidAccessKeyId|SignatureDoesNotMatch/.test(cause.name) || status === 401) {
    return [
      `the credentials are not accepted (${detail})`,
      'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a key of this server.',
    ];
  }
  if (/Redirect|AuthorizationHeaderMalformed|Region/.test(cause.name) || status === 301)
    return [`it is not in the region ${region} (${detail})`, "Set S3_REGION to the bucket's region."];
  if (status === 403) {
    return [
      `the credentials do not permit writing (${detail})`,
      'Give the key the right to read, write, list and delete objects of this bucket, or set S3_BUCKET to another.',
    ];
  }
  return [`the server answered ${detail}`, 'See the log of the S3 server for the reason.'];
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no answer';
  return String((cause as NodeJS.ErrnoException).code ?? cause.name);
}
