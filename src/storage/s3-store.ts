import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { BadResponse } from '../network/guarded-http.ts';
import type { S3Settings } from '../settings/config.ts';
import { assertBlobKey, assertBlobPrefix, BlobMissingError } from './blob-key.ts';
import type { BlobInfo, BlobStore, LocalFile, PublicUrlOptions } from './blob-store.ts';
import { contentDisposition } from './content-disposition.ts';
import { removeOrDefer } from './deferred-removals.ts';
import { withFileFailures } from './durable-files.ts';
import { clearIncoming, incomingName } from './incoming-files.ts';
import { collectAfterChunk } from './received-memory.ts';
import { newS3Client, sendWithFailures } from './s3-client.ts';
import { isMissing, s3Failure } from './s3-failure.ts';
import { putStream } from './s3-put.ts';

/** Long enough to watch a long video from a link that was opened once. */
const PUBLIC_URL_SECONDS = 3600;

/** A check sends a few bytes; while one hangs no other starts. */
const CHECK_MS = 5_000;

/**
 * The reader of an object may wait for this long in total, plus a second for each 64 KiB received. Silence of
 * 30 s ends it earlier.
 */
const BODY_MS = 60_000;
const SLOW_BODY_BYTES_PER_SECOND = 64 << 10;

/** Shorter limits for tests. */
export interface S3Limits {
  /** Limit of one request, without the body of an object. */
  readonly requestMs?: number;
  /** Limit of the wait for the body of an object, without the share for its size. */
  readonly bodyMs?: number;
}

/** A blob store in a bucket. `scratchDir` is the local folder for copies that `localPath` makes. */
export async function openS3Store(
  settings: S3Settings,
  scratchDir: string,
  limits: S3Limits = {},
): Promise<BlobStore> {
  await clearIncoming(scratchDir);
  return new S3Store(settings, scratchDir, limits);
}

class S3Store implements BlobStore {
  readonly #client: S3Client;
  readonly #send: S3Client['send'];
  readonly #bucket: string;
  readonly #scratchDir: string;
  readonly #bodyMs: number;

  constructor(settings: S3Settings, scratchDir: string, { requestMs, bodyMs = BODY_MS }: S3Limits) {
    this.#bodyMs = bodyMs;
    this.#bucket = settings.bucket;
    this.#scratchDir = scratchDir;
    this.#client = newS3Client(settings);
    this.#send = sendWithFailures(this.#client, requestMs);
  }

  put(key: string, bytes: Readable, signal?: AbortSignal): Promise<BlobInfo> {
    assertBlobKey(key);
    return withFileFailures(async () => {
      signal?.throwIfAborted();
      await putStream(this.#send, { Bucket: this.#bucket, Key: key }, bytes, signal);
      return this.#info(key);
    });
  }

  async putFile(key: string, path: string): Promise<BlobInfo> {
    const info = await this.put(key, createReadStream(path, { highWaterMark: 1 << 18 }));
    await withFileFailures(() => unlink(path));
    return info;
  }

  async head(key: string): Promise<BlobInfo | null> {
    assertBlobKey(key);
    return nullIfMissing(this.#info(key));
  }

  async get(key: string, range?: { start: number; end: number }): Promise<Readable> {
    assertBlobKey(key);
    const response = await nullIfMissing(
      this.#send(
        new GetObjectCommand({
          Bucket: this.#bucket,
          Key: key,
          ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
        }),
      ),
    );
    if (response === null) throw new BlobMissingError(key);
    // In Node the SDK's body is the response itself.
    return Readable.from(bodyBytes(response.Body as Readable, this.#bodyMs), {
      objectMode: false,
      highWaterMark: 1 << 18,
    });
  }

  localPath(key: string, signal?: AbortSignal): Promise<LocalFile> {
    return withFileFailures(async () => {
      const bytes = await this.get(key);
      const path = join(this.#scratchDir, incomingName());
      const drop = () => removeOrDefer(path);
      try {
        await mkdir(this.#scratchDir, { recursive: true });
        await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }), {
          ...(signal === undefined ? {} : { signal }),
        });
      } catch (error) {
        await drop();
        throw error;
      }
      return { path, [Symbol.asyncDispose]: drop };
    });
  }

  async remove(key: string): Promise<void> {
    assertBlobKey(key);
    await nullIfMissing(this.#send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key })));
  }

  async removeAll(prefix: string): Promise<void> {
    // One request for each blob: the request for many needs an MD5 header that newer SDKs do not send.
    for await (const key of this.list(prefix)) await this.remove(key);
  }

  async *list(prefix: string): AsyncIterable<string> {
    assertBlobPrefix(prefix);
    let token: string | undefined;
    do {
      const page = await this.#send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: prefix,
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
      );
      for (const object of page.Contents ?? []) if (object.Key !== undefined) yield object.Key;
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  publicUrl(key: string, options: PublicUrlOptions): Promise<string> {
    assertBlobKey(key);
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentType: options.contentType,
      ResponseContentDisposition: contentDisposition(options.fileName, options.download),
    });
    return getSignedUrl(this.#client, command, { expiresIn: PUBLIC_URL_SECONDS });
  }

  async check(): Promise<void> {
    // A key cannot contain `@`, which names of incoming files contain.
    const key = `check/${incomingName().replaceAll('@', '_')}`;
    const bounded = { abortSignal: AbortSignal.timeout(CHECK_MS) };
    await this.#send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, Body: 'check' }), bounded);
    await this.#send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }), bounded);
  }

  async freeBytes(): Promise<null> {
    return null;
  }

  async #info(key: string): Promise<BlobInfo> {
    const head = await this.#send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key }));
    return {
      sizeBytes: head.ContentLength ?? 0,
      modifiedAt: head.LastModified ?? new Date(0),
      ...(head.ETag === undefined ? {} : { entityTag: head.ETag }),
    };
  }
}

/**
 * The bytes of an object, with errors of the connection as a `Failure`. Throws SERVICE_UNAVAILABLE when the
 * server makes the reader wait too long in total; the reader's own time does not count.
 */
async function* bodyBytes(body: Readable, bodyMs: number): AsyncGenerator<Buffer> {
  let waitedMs = 0;
  let receivedBytes = 0;
  let sinceMs = performance.now();
  try {
    for await (const chunk of body) {
      waitedMs += performance.now() - sinceMs;
      receivedBytes += chunk.length;
      if (waitedMs > bodyMs + (receivedBytes / SLOW_BODY_BYTES_PER_SECOND) * 1000)
        throw new BadResponse(`sent ${receivedBytes} bytes in ${Math.round(waitedMs / 1000)} s`);
      yield chunk;
      collectAfterChunk(chunk.length);
      sinceMs = performance.now();
    }
  } catch (error) {
    throw s3Failure(error);
  }
}

async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
