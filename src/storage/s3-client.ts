import type { Agent as HttpsAgent } from 'node:https';
import { S3Client } from '@aws-sdk/client-s3';
import { BadResponse, guardedAgent } from '../network/guarded-http.ts';
import type { S3Settings } from '../settings/config.ts';
import { isMissing, s3Failure } from './s3-failure.ts';

/** A server that is there takes milliseconds; five seconds let two lost packets be sent again. */
const CONNECT_MS = 5_000;
/**
 * A server that has said nothing for so long is away. The longest honest silence is the joining of a large upload's parts,
 * and Amazon's sends blanks meanwhile (S3 API Reference, "CompleteMultipartUpload"). With its three tries a request ends
 * after a minute and a half.
 */
const SILENCE_MS = 30_000;
/**
 * A request ends after this, its tries and its bytes included, whatever trickles in meanwhile. It leaves a part of 8 MiB a line of
 * 28 kB/s; Amazon needs "several minutes" to join the parts of a very large upload.
 */
const WHOLE_MS = 5 * 60_000;
/** The SDK's own number. */
const MAX_CONNECTIONS = 50;
const AGENT = { keepAlive: true, maxSockets: MAX_CONNECTIONS };

export function newS3Client(settings: S3Settings): S3Client {
  const client = new S3Client({
    region: settings.region,
    // Servers other than Amazon's seldom have a host name per bucket, and few know trailing checksums.
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: guardedAgent('http:', AGENT),
      httpsAgent: guardedAgent('https:', AGENT) as HttpsAgent,
    },
  });
  client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request);
      const { statusCode = 200 } = result.response as { readonly statusCode?: number };
      // The SDK takes all below 300 for a success.
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
export function sendWithFailures(client: S3Client, wholeMs = WHOLE_MS): S3Client['send'] {
  const send = async (
    command: Parameters<S3Client['send']>[0],
    options: { readonly abortSignal?: AbortSignal } = {},
  ) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), wholeMs);
    const { abortSignal = late.signal } = options;
    try {
      return await client.send(command, { abortSignal: AbortSignal.any([abortSignal, late.signal]) });
    } catch (error) {
      throw isMissing(error) ? error : s3Failure(error);
    } finally {
      clearTimeout(timer);
    }
  };
  return send as S3Client['send'];
}
