import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { z } from 'zod';
import { Failure } from '../domain/errors.ts';
import type { S3Settings } from '../settings/config.ts';
import { videoBlobKey } from './blob-names.ts';
import type { BlobStore } from './blob-store.ts';
import type { PartialBlobs, UploadProgress } from './partial-blobs.ts';
import { newS3Client, sendWithFailures } from './s3-client.ts';
import { isMissing } from './s3-failure.ts';
import { PART_BYTES, PartFiller } from './s3-parts.ts';

/** Longer than the retention of an upload, and than any request that makes a blob in parts. */
const MULTIPART_RETENTION_MS = 48 * 3_600_000;

const multipartStateSchema = z.object({
  /** Id of the multipart upload; null: no whole part has arrived. */
  multipart: z.string().nullable(),
  /** Entity tags of the parts, each of `PART_BYTES`. */
  parts: z.array(z.string()),
});
type MultipartState = z.output<typeof multipartStateSchema>;

/**
 * Partial blobs in a bucket: a multipart upload, and an extra object for bytes that do not fill a part. The
 * caller records the entity tag of each part, so that an abandoned writer cannot replace one: S3 would refuse
 * to join it. Uses no local disk, and memory for at most two parts.
 */
export class S3PartialBlobs implements PartialBlobs {
  readonly #send: S3Client['send'];
  readonly #bucket: string;
  readonly #blobs: BlobStore;
  readonly #multipartRetentionMs: number;

  constructor(settings: S3Settings, blobs: BlobStore, multipartRetentionMs = MULTIPART_RETENTION_MS) {
    this.#multipartRetentionMs = multipartRetentionMs;
    this.#send = sendWithFailures(newS3Client(settings));
    this.#bucket = settings.bucket;
    this.#blobs = blobs;
  }

  async append(
    id: string,
    from: UploadProgress,
    bytes: AsyncIterable<Buffer>,
    onDurable: (arrived: UploadProgress) => void,
  ): Promise<UploadProgress> {
    let { multipart, parts } = multipartStateOf(from);
    const arrival = (offsetBytes: number): UploadProgress => ({
      offsetBytes,
      storeState: { multipart, parts },
    });
    let sending: Promise<void> = Promise.resolve();
    const filling = new PartFiller(await this.#tail(id, from));
    // Resolves when the previous part has been sent: one part fills while another is sent.
    const sendPart = async (part: Buffer) => {
      await sending;
      const upload = multipart ?? (await this.#begin(id));
      multipart = upload;
      sending = this.#sendPart(id, upload, parts.length + 1, part).then((tag) => {
        parts = [...parts, tag];
        filling.release(part);
        onDurable(arrival(parts.length * PART_BYTES));
      });
      // The next one to await it throws its failure.
      sending.catch(() => {});
    };
    for await (const chunk of bytes) {
      for (const part of filling.add(chunk)) await sendPart(part);
    }
    await sending;
    const tail = filling.rest();
    const arrived = arrival(parts.length * PART_BYTES + tail.length);
    if (tail.length > 0) await this.#blobs.put(tailKey(id, arrived.offsetBytes), Readable.from([tail]));
    return arrived;
  }

  async removeSuperseded(id: string, before: UploadProgress, now: UploadProgress): Promise<void> {
    if (tailBytes(before) > 0 && before.offsetBytes !== now.offsetBytes)
      await this.#blobs.remove(tailKey(id, before.offsetBytes));
  }

  async complete(id: string, arrived: UploadProgress, blobKey: string): Promise<void> {
    const isComplete = async () => (await this.#blobs.head(blobKey))?.sizeBytes === arrived.offsetBytes;
    if (await isComplete()) return this.#removeTails(id);
    const { multipart, parts } = multipartStateOf(arrived);
    const tail = await this.#tail(id, arrived);
    if (multipart === null) {
      await this.#blobs.put(blobKey, Readable.from([tail]));
    } else {
      try {
        const tags =
          tail.length === 0 ? parts : [...parts, await this.#sendPart(id, multipart, parts.length + 1, tail)];
        await this.#join(blobKey, multipart, tags);
      } catch (error) {
        if (!isMissing(error)) throw error;
        // Joined before a crash, or by a request whose answer was lost.
        if (!(await isComplete())) throw bytesLost();
      }
    }
    await this.#removeTails(id);
  }

  async remove(id: string, arrived: UploadProgress): Promise<void> {
    const { multipart } = multipartStateOf(arrived);
    if (multipart !== null) await this.#abort(videoBlobKey(id), multipart);
    await this.#removeTails(id);
  }

  /**
   * Aborts multipart uploads that a process created but did not record before it ended, also those of other
   * blobs.
   */
  async sweep(before: Date): Promise<void> {
    const oldest = new Date(Math.min(before.getTime(), Date.now() - this.#multipartRetentionMs));
    let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    do {
      const page = await this.#send(new ListMultipartUploadsCommand({ Bucket: this.#bucket, ...marker }));
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated !== undefined && Initiated < oldest) await this.#abort(Key!, UploadId!);
      }
      marker = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : {};
    } while (marker.KeyMarker !== undefined);
  }

  async #begin(id: string): Promise<string> {
    const created = await this.#send(
      new CreateMultipartUploadCommand({ Bucket: this.#bucket, Key: videoBlobKey(id) }),
    );
    return created.UploadId!;
  }

  async #sendPart(id: string, upload: string, number: number, part: Buffer): Promise<string> {
    const request = { Bucket: this.#bucket, Key: videoBlobKey(id), UploadId: upload, PartNumber: number };
    const response = await this.#send(new UploadPartCommand({ ...request, Body: part })).catch((error) => {
      throw isMissing(error) ? bytesLost() : error;
    });
    return response.ETag!;
  }

  async #join(blobKey: string, upload: string, tags: readonly string[]): Promise<void> {
    const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
    await this.#send(
      new CompleteMultipartUploadCommand({
        Bucket: this.#bucket,
        Key: blobKey,
        UploadId: upload,
        MultipartUpload: { Parts },
      }),
    );
  }

  async #abort(key: string, upload: string): Promise<void> {
    const request = { Bucket: this.#bucket, Key: key, UploadId: upload };
    await this.#send(new AbortMultipartUploadCommand(request)).catch((error) => {
      if (!isMissing(error)) throw error;
    });
  }

  async #tail(id: string, arrived: UploadProgress): Promise<Buffer> {
    const sizeBytes = tailBytes(arrived);
    if (sizeBytes === 0) return Buffer.alloc(0);
    const key = tailKey(id, arrived.offsetBytes);
    if ((await this.#blobs.head(key))?.sizeBytes !== sizeBytes) throw bytesLost();
    return buffer(await this.#blobs.get(key));
  }

  #removeTails(id: string): Promise<void> {
    return this.#blobs.removeAll(`uploads/${id}/`);
  }
}

function multipartStateOf({ storeState }: UploadProgress): MultipartState {
  return storeState === null ? { multipart: null, parts: [] } : multipartStateSchema.parse(storeState);
}

/** Bytes after the whole parts. */
function tailBytes(arrived: UploadProgress): number {
  return arrived.offsetBytes - multipartStateOf(arrived).parts.length * PART_BYTES;
}

/** The name contains the end position: an abandoned writer writes another object, or the same bytes. */
function tailKey(id: string, offsetBytes: number): string {
  return `uploads/${id}/${offsetBytes}`;
}

function bytesLost(): Failure {
  return new Failure('UPLOAD_NOT_FOUND', 'The bytes of the upload are lost; send the file again');
}
