import { createHash } from 'node:crypto';
import { validate as isUuid, v7 as newId } from 'uuid';
import { lock } from '../database/locks.ts';
import { claimTurn } from '../database/maintenance-turn.ts';
import { assertShare } from '../database/shares.ts';
import { Failure, isFailure, REQUEST_ERRORS, type RequestErrorCode } from '../domain/errors.ts';
import { SweepFailures } from '../domain/sweep-failures.ts';
import { videoBlobKey } from '../storage/blob-names.ts';
import type { UploadProgress } from '../storage/partial-blobs.ts';
import { fileSha256, RunningHashes } from './running-hashes.ts';
import { type HeldUpload, UploadLeases, unknownUpload } from './upload-leases.ts';
import {
  countOpenUploads,
  deleteUpload,
  type ExpiredUpload,
  endUpload,
  insertUpload,
  selectExpiredUploads,
  selectKnownUploads,
  selectUpload,
  type Upload,
  type UploadEnd,
} from './upload-store.ts';
import { newVideo, probeStored, type UploadParts } from './video-registration.ts';

export interface Piece {
  readonly offsetBytes: number;
  /** `Content-Length` of the piece; null: unknown. */
  readonly announcedBytes: number | null;
  readonly checksum: { readonly algorithm: string; readonly digest: string } | null;
  readonly bytes: AsyncIterable<Buffer>;
  /** Makes `bytes` throw soon. */
  readonly interrupt: () => void;
}

const SWEEP_MS = 3_600_000;
/** Age of a file without a row to which no request can still write. */
const ABANDONED_MS = 3_600_000;
const BATCH = 100;
/** A piece whose sender has been silent for this long is interrupted as soon as another request waits … */
const IDLE_MS = 200;
/** … and one that still arrives is interrupted when the other has waited for this long. */
const MAX_WAIT_MS = 3_000;

/**
 * Uploads in pieces, each of which may arrive at any process. The database stores their state, the storage
 * their bytes. A complete upload becomes a video with the upload's id, so that finishing it twice has no
 * effect.
 */
export class ResumableUploads {
  readonly #parts: UploadParts;
  readonly #closing: AbortSignal;
  readonly #hashes = new RunningHashes();
  readonly #leases: UploadLeases;

  /** `closing` aborts when the service begins to stop. */
  constructor(parts: UploadParts, closing: AbortSignal) {
    this.#parts = parts;
    this.#closing = closing;
    this.#leases = new UploadLeases(parts.database, parts.metrics);
    closing.addEventListener('abort', () => this.#leases.interruptAll());
  }

  /** Call before any other method. */
  start(): Promise<void> {
    return this.#leases.start();
  }

  stop(): Promise<void> {
    return this.#leases.stop();
  }

  /** Throws FILE_TOO_LARGE, INVALID_VIDEO for an empty file, RATE_LIMITED when too many are open. */
  async create(request: {
    readonly lengthBytes: number;
    readonly fileName: string;
    readonly metadata: string | null;
    readonly client: string;
  }): Promise<Upload> {
    const { lengthBytes, client } = request;
    const { MAX_UPLOAD_BYTES: most, MAX_OPEN_UPLOADS: maxOpen } = this.#parts.config;
    if (lengthBytes > most) {
      throw new Failure(
        'FILE_TOO_LARGE',
        `A file may have at most ${most} bytes; this one has ${lengthBytes}`,
      );
    }
    if (lengthBytes === 0) throw new Failure('INVALID_VIDEO', 'The file is empty');
    const uploadId = newId();
    return this.#parts.database.transaction(async (transaction) => {
      // Concurrent creations count each other.
      await lock(transaction, 'uploads');
      assertShare('open uploads', maxOpen, await countOpenUploads(transaction, client));
      return insertUpload(transaction, { ...request, uploadId });
    });
  }

  /** The current state, also while a piece is arriving. Throws UPLOAD_NOT_FOUND, UPLOAD_EXPIRED. */
  async get(uploadId: string): Promise<Upload> {
    const upload = isUuid(uploadId) ? await selectUpload(this.#parts.database, uploadId) : null;
    if (upload === null) throw unknownUpload(uploadId);
    assertNotExpired(upload);
    return isComplete(upload) && upload.info.end === null ? this.settled(uploadId) : upload;
  }

  /**
   * The state after the arriving piece has ended. Finishes a complete upload first; its failure is part of
   * the result.
   */
  settled(uploadId: string): Promise<Upload> {
    return this.#withLease(uploadId, async ({ upload }) => {
      assertNotExpired(upload);
      return isComplete(upload) ? this.#finish(upload) : upload;
    });
  }

  /**
   * Adds a piece; with the last one the upload becomes a video. Throws UPLOAD_OFFSET_MISMATCH,
   * UPLOAD_CHECKSUM_MISMATCH, FILE_TOO_LARGE, errors of `bytes`, and errors of an invalid video.
   */
  append(uploadId: string, piece: Piece): Promise<Upload> {
    const incoming = new IncomingPiece(piece);
    return this.#leases.hold(
      uploadId,
      (waitedMs) => incoming.yieldTo(waitedMs),
      async (held) => {
        const { upload } = held;
        assertNotExpired(upload);
        assertOpen(upload);
        const { offsetBytes } = upload.arrived;
        if (piece.offsetBytes !== offsetBytes) {
          const detail = `The upload has ${offsetBytes} bytes; the piece begins at ${piece.offsetBytes}`;
          throw new Failure('UPLOAD_OFFSET_MISMATCH', detail);
        }
        const now = isComplete(upload)
          ? await this.#assertNoMoreBytes(upload, piece)
          : await this.#write(held, incoming);
        incoming.hasEnded = true;
        if (!isComplete(now)) return now;
        const finished = await this.#finish(now);
        assertOpen(finished);
        return finished;
      },
    );
  }

  /** Throws UPLOAD_NOT_FOUND, UPLOAD_EXPIRED. */
  remove(uploadId: string): Promise<void> {
    return this.#withLease(uploadId, async ({ upload }) => {
      assertNotExpired(upload);
      await this.#remove(upload);
    });
  }

  /** Removes expired uploads and abandoned files if this is due and no other process does it. */
  async sweepInTurn(): Promise<void> {
    if (await claimTurn(this.#parts.database, 'uploads', SWEEP_MS)) await this.sweep(new Date());
  }

  /** A removal that fails does not stop the others. Throws `AggregateError` at the end; the next sweep repeats them. */
  async sweep(now: Date): Promise<void> {
    const { database, partials } = this.#parts;
    const failures = new SweepFailures();
    await failures.collect(this.#sweepExpired(now, failures));
    const before = new Date(Date.now() - ABANDONED_MS);
    await failures.collect(partials.sweep(before, (ids) => selectKnownUploads(database, ids)));
    failures.throwIfAny();
  }

  async #sweepExpired(now: Date, failures: SweepFailures): Promise<void> {
    for (let last: ExpiredUpload | null = null; ; ) {
      const expired: ExpiredUpload[] = await selectExpiredUploads(this.#parts.database, now, BATCH, last);
      for (const { uploadId } of expired) {
        const removal = this.#withLease(uploadId, ({ upload }) => this.#remove(upload));
        await failures.collect(
          removal.catch((error: unknown) => {
            // Its client has removed it in the meantime.
            if (!isFailure(error, 'UPLOAD_NOT_FOUND')) throw error;
          }),
        );
      }
      if (expired.length < BATCH) return;
      last = expired.at(-1)!;
    }
  }

  /** Runs short work with the lease of an upload, without interruption. */
  #withLease<T>(uploadId: string, work: (held: HeldUpload) => Promise<T>): Promise<T> {
    return this.#leases.hold(uploadId, () => {}, work);
  }

  /**
   * Answers an empty piece of a client that lost the last answer. Throws FILE_TOO_LARGE for bytes beyond the
   * length.
   */
  async #assertNoMoreBytes(upload: Upload, piece: Piece): Promise<Upload> {
    if ((piece.announcedBytes ?? 0) > 0) throw tooManyBytes(0);
    for await (const chunk of piece.bytes) if (chunk.length > 0) throw tooManyBytes(0);
    return upload;
  }

  /** Stores the bytes of a piece and records their number. Only recorded bytes count as arrived. */
  async #write(held: HeldUpload, incoming: IncomingPiece): Promise<Upload> {
    const { uploadId, info, arrived: before } = held.upload;
    const { checksum } = incoming.piece;
    const remainingBytes = info.lengthBytes - before.offsetBytes;
    if ((incoming.piece.announcedBytes ?? 0) > remainingBytes) throw tooManyBytes(remainingBytes);
    const hash = checksum === null ? null : createHash(checksum.algorithm);
    const running = this.#hashes.remove(uploadId, before.offsetBytes);
    const bytes = incoming.bytes(remainingBytes, (chunk) => {
      held.assertHeld();
      hash?.update(chunk);
      running?.update(chunk);
    });
    const { partials } = this.#parts;
    // Without the rest of the piece its checksum cannot verify the beginning.
    const onDurable =
      checksum === null ? (arrived: UploadProgress) => held.recordAtRenewal(arrived) : () => {};
    const arrived = await partials.append(uploadId, before, bytes, onDurable);
    const isIntact = hash === null || hash.digest('base64') === checksum?.digest;
    if (incoming.error !== null && checksum !== null) throw incoming.error.error;
    if (!isIntact)
      throw new Failure(
        'UPLOAD_CHECKSUM_MISMATCH',
        'The piece does not match its checksum and was not stored; send it again',
      );
    const recorded = await held.record(arrived);
    this.#hashes.store(uploadId, running);
    await partials.removeSuperseded(uploadId, before, arrived);
    if (incoming.error !== null) throw incoming.error.error;
    return recorded;
  }

  /** Creates the video of a complete upload and stores the outcome. Throws retryable failures. */
  async #finish(upload: Upload): Promise<Upload> {
    const { uploadId, arrived } = upload;
    if (upload.info.end !== null) return upload;
    try {
      await this.#makeVideo(upload);
      return await this.#end(upload, 'finished');
    } catch (error) {
      if (!isFailure(error) || !(error.code in REQUEST_ERRORS)) throw error;
      const code = error.code as RequestErrorCode;
      if (REQUEST_ERRORS[code].retryable) throw error;
      await this.#parts.partials.remove(uploadId, arrived);
      await this.#parts.blobs.remove(videoBlobKey(uploadId));
      const { detail, fields } = error;
      return this.#end(upload, { code, detail, ...(fields.length === 0 ? {} : { fields }) });
    }
  }

  async #makeVideo({ uploadId, info, arrived }: Upload): Promise<void> {
    const parts = this.#parts;
    if ((await parts.videos.get(uploadId)).state !== 'unknown') return;
    const blobKey = videoBlobKey(uploadId);
    await parts.partials.complete(uploadId, arrived, blobKey);
    await using local = await parts.blobs.localPath(blobKey, this.#closing);
    const probed = await probeStored(parts, local.path, this.#closing);
    const running = this.#hashes.remove(uploadId, info.lengthBytes);
    const sha256 = running?.hex() ?? (await fileSha256(local.path, this.#closing));
    const file = { fileName: info.fileName, sizeBytes: info.lengthBytes, sha256 };
    await parts.videos.insert(newVideo(parts.config, uploadId, file, probed), null);
  }

  async #end(upload: Upload, end: UploadEnd): Promise<Upload> {
    await endUpload(this.#parts.database, upload.uploadId, end);
    return { ...upload, info: { ...upload.info, end } };
  }

  /**
   * Removes the bytes first: after a crash the row remains, and its removal is repeated. A finished video is
   * not removed.
   */
  async #remove({ uploadId, arrived, info: { end } }: Upload): Promise<void> {
    await this.#parts.partials.remove(uploadId, arrived);
    if (end === null && (await this.#parts.videos.get(uploadId)).state === 'unknown')
      await this.#parts.blobs.remove(videoBlobKey(uploadId));
    await deleteUpload(this.#parts.database, uploadId);
  }
}

/** A piece that is being read. */
class IncomingPiece {
  readonly piece: Piece;
  /** Whether all bytes were read: an interruption would only lose the answer. */
  hasEnded = false;
  /** The error that ended the piece early. */
  error: { readonly error: unknown } | null = null;
  /** Start of the sender's present silence; null: the storage is working. */
  #waitingSinceMs: number | null = null;

  constructor(piece: Piece) {
    this.piece = piece;
  }

  /** Yields bytes until the piece ends or fails; never throws. */
  async *bytes(maxBytes: number, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
    let left = maxBytes;
    this.#waitingSinceMs = performance.now();
    try {
      for await (const chunk of this.piece.bytes) {
        this.#waitingSinceMs = null;
        left -= chunk.length;
        if (left < 0) throw tooManyBytes(maxBytes);
        onChunk(chunk);
        yield chunk;
        this.#waitingSinceMs = performance.now();
      }
    } catch (error) {
      this.error = { error };
    } finally {
      this.hasEnded = true;
    }
  }

  yieldTo(waitedMs: number | null): void {
    if (this.hasEnded) return;
    const isIdle = this.#waitingSinceMs !== null && performance.now() - this.#waitingSinceMs > IDLE_MS;
    if (waitedMs === null || isIdle || waitedMs > MAX_WAIT_MS) this.piece.interrupt();
  }
}

/** Throws the error that ended the upload without a video. */
export function assertOpen({ info: { end } }: Upload): void {
  if (end !== null && end !== 'finished')
    throw new Failure(end.code, end.detail, { fields: end.fields ?? [] });
}

function assertNotExpired({ info: { expiresAt } }: Upload): void {
  if (expiresAt.getTime() > Date.now()) return;
  throw new Failure('UPLOAD_EXPIRED', `The upload expired ${expiresAt.toISOString()}`);
}

function isComplete({ arrived, info }: Upload): boolean {
  return arrived.offsetBytes >= info.lengthBytes;
}

function tooManyBytes(bytes: number): Failure {
  return new Failure('FILE_TOO_LARGE', `Only ${bytes} bytes remain by Upload-Length; the piece has more`);
}
