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
import type { Arrival, PartialBlobs } from './partial-blobs.ts';
import { newS3Client, sendWithFailures } from './s3-client.ts';
import { isMissing } from './s3-failure.ts';
import { PART_BYTES, PartFiller } from './s3-parts.ts';

/** Longer than an upload is kept, or any request that makes a blob in parts may last. */
const MULTIPART_KEPT_MS = 48 * 3_600_000;

const placeSchema = z.object({
  /** Of the multipart upload; null: no whole part has arrived. */
  multipart: z.string().nullable(),
  /** Entity tags of the parts, each of `PART_BYTES`. */
  parts: z.array(z.string()),
});
type Place = z.output<typeof placeSchema>;

/**
 * Partial blobs in a bucket: a multipart upload, and what does not fill a part as an object beside it. A part's entity tag is written
 * down by the caller, so that a writer that was given up cannot slip another part in: S3 would refuse to join it. Nothing
 * is kept on the local disk, and no more than two parts in memory.
 */
export class S3PartialBlobs implements PartialBlobs {
  readonly #send: S3Client['send'];
  readonly #bucket: string;
  readonly #blobs: BlobStore;
  readonly #multipartKeptMs: number;

  constructor(settings: S3Settings, blobs: BlobStore, multipartKeptMs = MULTIPART_KEPT_MS) {
    this.#multipartKeptMs = multipartKeptMs;
    this.#send = sendWithFailures(newS3Client(settings));
    this.#bucket = settings.bucket;
    this.#blobs = blobs;
  }

  async append(
    id: string,
    from: Arrival,
    bytes: AsyncIterable<Buffer>,
    onDurable: (arrived: Arrival) => void,
  ): Promise<Arrival> {
    let { multipart, parts } = placeOf(from);
    const arrival = (offsetBytes: number): Arrival => ({ offsetBytes, place: { multipart, parts } });
    let sending: Promise<void> = Promise.resolve();
    const filling = new PartFiller(await this.#tail(id, from));
    // Resolves when the part before it has been sent: one fills while one is sent.
    const sendPart = async (part: Buffer) => {
      await sending;
      const upload = multipart ?? (await this.#begin(id));
      multipart = upload;
      sending = this.#sendPart(id, upload, parts.length + 1, part).then((tag) => {
        parts = [...parts, tag];
        filling.release(part);
        onDurable(arrival(parts.length * PART_BYTES));
      });
      // Its failure is met by whoever waits for it next.
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

  async tidy(id: string, before: Arrival, now: Arrival): Promise<void> {
    if (tailBytes(before) > 0 && before.offsetBytes !== now.offsetBytes)
      await this.#blobs.remove(tailKey(id, before.offsetBytes));
  }

  async complete(id: string, arrived: Arrival, blobKey: string): Promise<void> {
    const isThere = async () => (await this.#blobs.head(blobKey))?.sizeBytes === arrived.offsetBytes;
    if (await isThere()) return this.#removeTails(id);
    const { multipart, parts } = placeOf(arrived);
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
        if (!(await isThere())) throw lost();
      }
    }
    await this.#removeTails(id);
  }

  async remove(id: string, arrived: Arrival): Promise<void> {
    const { multipart } = placeOf(arrived);
    if (multipart !== null) await this.#abort(videoBlobKey(id), multipart);
    await this.#removeTails(id);
  }

  /** Multipart uploads that a process began and did not live to write down, those of other blobs as well. */
  async sweep(before: Date): Promise<void> {
    const oldest = new Date(Math.min(before.getTime(), Date.now() - this.#multipartKeptMs));
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
    const begun = await this.#send(
      new CreateMultipartUploadCommand({ Bucket: this.#bucket, Key: videoBlobKey(id) }),
    );
    return begun.UploadId!;
  }

  async #sendPart(id: string, upload: string, number: number, part: Buffer): Promise<string> {
    const request = { Bucket: this.#bucket, Key: videoBlobKey(id), UploadId: upload, PartNumber: number };
    const answer = await this.#send(new UploadPartCommand({ ...request, Body: part })).catch((error) => {
      throw isMissing(error) ? lost() : error;
    });
    return answer.ETag!;
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

  async #tail(id: string, arrived: Arrival): Promise<Buffer> {
    const sizeBytes = tailBytes(arrived);
    if (sizeBytes === 0) return Buffer.alloc(0);
    const key = tailKey(id, arrived.offsetBytes);
    if ((await this.#blobs.head(key))?.sizeBytes !== sizeBytes) throw lost();
    return buffer(await this.#blobs.get(key));
  }

  #removeTails(id: string): Promise<void> {
    return this.#blobs.removeAll(`uploads/${id}/`);
  }
}

function placeOf({ place }: Arrival): Place {
  return place === null ? { multipart: null, parts: [] } : placeSchema.parse(place);
}

/** What has arrived beyond the whole parts. */
function tailBytes(arrived: Arrival): number {
  return arrived.offsetBytes - placeOf(arrived).parts.length * PART_BYTES;
}

/** Its end is in its name: a writer that was given up writes another object, or the same bytes. */
function tailKey(id: string, offsetBytes: number): string {
  return `uploads/${id}/${offsetBytes}`;
}

function lost(): Failure {
  return new Failure('UPLOAD_NOT_FOUND', 'The bytes of the upload are lost; send the file again');
}
