import type { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { BadResponse, guardedAgent } from '../network/guarded-http.ts';
import type { S3Settings } from '../settings/config.ts';
import { isMissing, s3Failure } from './s3-failure.ts';

/** A running server accepts within milliseconds; five seconds allow two retransmissions. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A server that sends nothing for this long counts as down. The longest valid silence is the joining of a
 * large upload's parts, during which Amazon sends blanks (S3 API Reference, "CompleteMultipartUpload"). With
 * its three tries a request ends after a minute and a half.
 */
const SOCKET_TIMEOUT_MS = 30_000;
/**
 * Limit of a request with its tries and its bytes. A part of 8 MiB needs 28 kB/s; Amazon needs "several
 * minutes" to join the parts of a very large upload.
 */
const REQUEST_TIMEOUT_MS = 5 * 60_000;
/** The SDK's default. */
const MAX_CONNECTIONS = 50;
const AGENT = { keepAlive: true, maxSockets: MAX_CONNECTIONS };

export function newS3Client(settings: S3Settings): S3Client {
  const client = new S3Client({
    region: settings.region,
    // Few other servers than Amazon's have a host name for each bucket or support trailing checksums.
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      httpAgent: guardedAgent('http:', AGENT),
      httpsAgent: guardedAgent('https:', AGENT) as HttpsAgent,
    },
  });
  client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request);
      const { statusCode = 200 } = result.response as { readonly statusCode?: number };
      // The SDK treats every status below 300 as a success.
      if (statusCode < 200) throw new BadResponse(`answered ${statusCode}`, statusCode);
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
  return client;
}

/**
 * The client's `send` with a deadline for the request and its answer, except the body of a `GetObject`, which the caller reads. Throws
 * the SDK's error for a missing object, and any other error as a `Failure`.
 */
export function sendWithFailures(client: S3Client, timeoutMs = REQUEST_TIMEOUT_MS): S3Client['send'] {
  const send = async (
    command: Parameters<S3Client['send']>[0],
    options: { readonly abortSignal?: AbortSignal } = {},
  ) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const { abortSignal = deadline.signal } = options;
    try {
      return await client.send(command, { abortSignal: AbortSignal.any([abortSignal, deadline.signal]) });
    } catch (error) {
      throw isMissing(error) ? error : s3Failure(error);
    } finally {
      clearTimeout(timer);
    }
  };
  return send as S3Client['send'];
}
