import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { PartFiller } from './s3-parts.ts';

/** A third part fills in the meantime: 24 MiB of memory for each active object. */
const PARTS_AT_ONCE = 2;

export interface ObjectName {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Streams bytes into an object: in one request if they do not fill a part, else as a multipart upload, which
 * is removed when it fails. Throws the error of the source, the error of sending (which also ends the
 * source), or an `AbortError`.
 */
export async function putStream(
  send: S3Client['send'],
  name: ObjectName,
  bytes: Readable,
  signal?: AbortSignal,
): Promise<void> {
  // A source may be silent for long and end late after an abort. The stream in between ends at once.
  const body = new PassThrough();
  pipeline(bytes, body, signal === undefined ? {} : { signal }).catch(() => {});
  const filling = new PartFiller();
  const sending = new ObjectUpload(send, name, signal, (error) => body.destroy(error));
  try {
    for await (const chunk of body) {
      for (const part of filling.add(chunk)) await sending.add(part, () => filling.release(part));
    }
    await sending.end(filling.rest());
  } catch (error) {
    await sending.abort();
    if (signal?.aborted !== true) throw error;
    throw new DOMException('Storing was stopped', { name: 'AbortError', cause: signal.reason });
  }
}

/** A server that answers does so within this time; the sweep of multipart uploads removes what others begin. */
const BEGIN_MS = 1000;

/** An upload of one object: a multipart upload from its first whole part on. */
class ObjectUpload {
  readonly #send: S3Client['send'];
  readonly #name: ObjectName;
  readonly #onFailure: (error: Error) => void;
  readonly #stop = new AbortController();
  readonly #requestOptions: { readonly abortSignal: AbortSignal };
  readonly #pending = new Set<Promise<void>>();
  readonly #tags: string[] = [];
  #uploadId: string | undefined;
  #startedParts = 0;

  constructor(
    send: S3Client['send'],
    name: ObjectName,
    signal: AbortSignal | undefined,
    onFailure: (error: Error) => void,
  ) {
    this.#send = send;
    this.#name = name;
    this.#onFailure = onFailure;
    const signals = [this.#stop.signal, ...(signal === undefined ? [] : [signal])];
    this.#requestOptions = { abortSignal: AbortSignal.any(signals) };
  }

  /**
   * Sends a part as soon as fewer than `PARTS_AT_ONCE` are active. `onSent` is called when its buffer is
   * free. Throws the error of an earlier part.
   */
  async add(part: Buffer, onSent: () => void): Promise<void> {
    while (this.#pending.size >= PARTS_AT_ONCE) await Promise.race(this.#pending);
    this.#stop.signal.throwIfAborted();
    this.#uploadId ??= await this.#begin();
    this.#startedParts += 1;
    const sending = this.#sendPart(this.#startedParts, part)
      .then(onSent, (error: Error) => {
        if (!this.#stop.signal.aborted) this.#onFailure(error);
        this.#stop.abort(error);
      })
      .finally(() => this.#pending.delete(sending));
    this.#pending.add(sending);
  }

  /** Sends the last bytes and completes the object. */
  async end(rest: Buffer): Promise<void> {
    if (this.#uploadId === undefined) {
      await this.#send(new PutObjectCommand({ ...this.#name, Body: rest }), this.#requestOptions);
      return;
    }
    if (rest.length > 0) await this.add(rest, () => {});
    await Promise.all(this.#pending);
    this.#stop.signal.throwIfAborted();
    const Parts = this.#tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
    const completed = { ...this.#name, UploadId: this.#uploadId, MultipartUpload: { Parts } };
    await this.#send(new CompleteMultipartUploadCommand(completed), this.#requestOptions);
  }

  /** Removes the multipart upload; if this fails, the sweep of multipart uploads removes it. */
  async abort(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#pending);
    if (this.#uploadId === undefined) return;
    const request = { ...this.#name, UploadId: this.#uploadId };
    await this.#send(new AbortMultipartUploadCommand(request)).catch(() => {});
  }

  /** A stop ends it late: what the server has begun has a name only in its reply, and must be removed. */
  async #begin(): Promise<string> {
    const { abortSignal } = this.#requestOptions;
    const late = new AbortController();
    const stop = () => setTimeout(() => late.abort(abortSignal.reason), BEGIN_MS).unref();
    abortSignal.addEventListener('abort', stop, { once: true });
    try {
      const begun = new CreateMultipartUploadCommand(this.#name);
      return (await this.#send(begun, { abortSignal: late.signal })).UploadId!;
    } finally {
      abortSignal.removeEventListener('abort', stop);
    }
  }

  async #sendPart(number: number, part: Buffer): Promise<void> {
    const request = { ...this.#name, UploadId: this.#uploadId!, PartNumber: number, Body: part };
    const response = await this.#send(new UploadPartCommand(request), this.#requestOptions);
    this.#tags[number - 1] = response.ETag!;
  }
}
