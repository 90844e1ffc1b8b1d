/** What a service tells at its start about a bucket that it cannot use: what is wrong, what would be right. */
import { S3ServiceException } from '@aws-sdk/client-s3';
import { ConfigError, Failure } from '../domain/errors.ts';
import type { S3Settings } from '../settings/config.ts';
import type { BlobStore } from './blob-store.ts';

/** Writes into the bucket and removes it again. Throws `ConfigError`, without credentials in it. */
export async function assertBucketUsable(store: BlobStore, settings: S3Settings): Promise<void> {
  try {
    await store.check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const place = settings.endpoint ?? `Amazon S3 in ${settings.region}`;
    const [wrong, right] = diagnosis(error.cause, settings);
    throw new ConfigError(`The bucket "${settings.bucket}" at ${place} cannot be used: ${wrong}. ${right}`, {
      cause: error,
    });
  }
}

function diagnosis(cause: unknown, { region }: S3Settings): readonly [wrong: string, right: string] {
  if (!(cause instanceof S3ServiceException)) {
    return [
      `nothing answers there as S3 does (${codeOf(cause)})`,
      'S3_ENDPOINT must be the address of an S3 server that this machine can reach, such as http://127.0.0.1:9000.',
    ];
  }
  const status = cause.$metadata.httpStatusCode ?? 0;
  const said = `${cause.name}, ${status}`;
  if (cause.name === 'NoSuchBucket' || status === 404)
    return [`there is no such bucket (${said})`, 'Make it, or set S3_BUCKET to one that exists.'];
  if (/InvalidAccessKeyId|SignatureDoesNotMatch/.test(cause.name) || status === 401) {
    return [
      `the credentials are not accepted (${said})`,
      'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a key of this server.',
    ];
  }
  if (/Redirect|AuthorizationHeaderMalformed|Region/.test(cause.name) || status === 301)
    return [`it is not in the region ${region} (${said})`, "Set S3_REGION to the bucket's region."];
  if (status === 403) {
    return [
      `the credentials may not write there (${said})`,
      'Give the key the right to read, write, list and delete objects of this bucket, or set S3_BUCKET to another.',
    ];
  }
  return [`the server answered ${said}`, 'See its own log for the reason.'];
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no answer';
  return String((cause as NodeJS.ErrnoException).code ?? cause.name);
}
