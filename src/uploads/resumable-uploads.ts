import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { validate as isUuid, v7 as newId } from 'uuid';
import { Failure, isFailure, REQUEST_ERRORS, type RequestErrorCode } from '../errors.ts';
import { videoBlobKey } from '../storage/blob-names.ts';
import { PartialFiles } from '../storage/partial-files.ts';
import type { VideoProbe } from '../videos/video.ts';
import { RunningHashes } from './running-hashes.ts';
import { UploadLocks } from './upload-locks.ts';
import { newVideo, probeStored, type RegistrationParts } from './video-registration.ts';

type UploadInfo = {
  readonly lengthBytes: number;
  readonly fileName: string;
  /** `Upload-Metadata` as it was sent. */
  readonly metadata: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Found out before the bytes are given away, so that a crash after that loses nothing. */
  readonly found?: { readonly sha256: string; readonly probed: VideoProbe };
  readonly end?: 'finished' | { readonly code: RequestErrorCode; readonly detail: string };
};

export interface Upload {
  readonly uploadId: string;
  readonly info: UploadInfo;
  readonly offsetBytes: number;
}

export interface Piece {
  readonly offsetBytes: number;
  /** What the piece says of itself before it is read; null when it does not. */
  readonly announcedBytes: number | null;
  readonly checksum: { readonly algorithm: string; readonly digest: string } | null;
  readonly bytes: AsyncIterable<Buffer>;
  /** Makes `bytes` end soon, by throwing. */
  readonly interrupt: () => void;
}

const KEPT_MS = 24 * 3_600_000;

/**
 * Uploads that arrive in pieces and may be interrupted. They wait on the local disk; a whole one becomes a video whose
 * id is the upload's, which makes finishing it twice harmless.
 */
export class ResumableUploads {
  readonly #parts: RegistrationParts;
  readonly #closing: AbortSignal;
  readonly #files: PartialFiles<UploadInfo>;
  readonly #hashes = new RunningHashes();
  readonly #locks = new UploadLocks();
  /** Begun and not yet ended; null until it is first asked for. */
  #open: Promise<Set<string>> | null = null;

  /** `closing` aborts when the service begins to stop. */
  constructor(parts: RegistrationParts, closing: AbortSignal) {
    this.#parts = parts;
    this.#closing = closing;
    this.#files = new PartialFiles(join(parts.config.DATA_DIR, 'uploads'));
    closing.addEventListener('abort', () => this.#locks.interruptAll());
  }

  /** Throws FILE_TOO_LARGE, INVALID_VIDEO for an empty file, RATE_LIMITED when too many are open. */
  async create(lengthBytes: number, fileName: string, metadata: string | null): Promise<Upload> {
    const { MAX_UPLOAD_BYTES: most } = this.#parts.config;
    if (lengthBytes > most) {
      throw new Failure('FILE_TOO_LARGE', `A file may take ${most} bytes; this one has ${lengthBytes}`);
    }
    if (lengthBytes === 0) throw new Failure('INVALID_VIDEO', 'The file is empty');
    const open = await this.#openOnes();
    const { MAX_OPEN_UPLOADS: maxOpen } = this.#parts.config;
    if (open.size >= maxOpen) {
      throw new Failure('RATE_LIMITED', `${maxOpen} uploads are open, as many as this service keeps`, {
        retryAfterSeconds: 60,
      });
    }
    const now = Date.now();
    const info: UploadInfo = {
      lengthBytes,
      fileName,
      metadata,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + KEPT_MS).toISOString(),
    };
    const uploadId = newId();
    // Before the first wait: creations at the same moment count each other.
    open.add(uploadId);
    await this.#files.create(uploadId, info).catch((error) => {
      open.delete(uploadId);
      throw error;
    });
    return { uploadId, info, offsetBytes: 0 };
  }

  /** As it stands, while a piece may be arriving. Throws UPLOAD_NOT_FOUND, UPLOAD_EXPIRED. */
  async get(uploadId: string): Promise<Upload> {
    const upload = await this.#read(uploadId);
    return isWhole(upload) ? this.settled(uploadId) : upload;
  }

  /** As it stands once the piece that was arriving is over; a whole upload is finished first. Its failure is in it. */
  settled(uploadId: string): Promise<Upload> {
    return this.#alone(uploadId, async () => {
      const upload = await this.#read(uploadId);
      return isWhole(upload) ? this.#finish(upload) : upload;
    });
  }

  /**
   * Adds a piece; with the last one the upload becomes a video. Throws UPLOAD_OFFSET_MISMATCH,
   * UPLOAD_CHECKSUM_MISMATCH, FILE_TOO_LARGE, what `bytes` throws, and what makes the whole no video.
   */
  append(uploadId: string, piece: Piece): Promise<Upload> {
    let arrived = false;
    const interrupt = () => {
      if (!arrived) piece.interrupt();
    };
    return this.#locks.hold(uploadId, interrupt, async () => {
      const upload = await this.#read(uploadId);
      assertOpen(upload);
      if (piece.offsetBytes !== upload.offsetBytes) {
        const detail = `${upload.offsetBytes} bytes have arrived; the piece begins at ${piece.offsetBytes}`;
        throw new Failure('UPLOAD_OFFSET_MISMATCH', detail);
      }
      if (!isWhole(upload)) await this.#write(upload, piece);
      arrived = true;
      const now = await this.#read(uploadId);
      if (!isWhole(now)) return now;
      const finished = await this.#finish(now);
      assertOpen(finished);
      return finished;
    });
  }

  /** Throws UPLOAD_NOT_FOUND, UPLOAD_EXPIRED. */
  remove(uploadId: string): Promise<void> {
    return this.#alone(uploadId, async () => {
      await this.#read(uploadId);
      await this.#remove(uploadId);
    });
  }

  /** Removes uploads whose time is over. */
  async sweep(now: Date): Promise<void> {
    for (const uploadId of await this.#files.ids()) {
      const info = await this.#files.info(uploadId);
      if (info !== null && Date.parse(info.expiresAt) > now.getTime()) continue;
      await this.#alone(uploadId, () => this.#remove(uploadId));
    }
  }

  /** For what is over soon by itself. */
  #alone<T>(uploadId: string, work: () => Promise<T>): Promise<T> {
    return this.#locks.hold(uploadId, () => {}, work);
  }

  async #read(uploadId: string): Promise<Upload> {
    const info = isUuid(uploadId) ? await this.#files.info(uploadId) : null;
    if (info === null) {
      throw new Failure('UPLOAD_NOT_FOUND', `There is no upload ${JSON.stringify(uploadId.slice(0, 100))}`);
    }
    if (Date.parse(info.expiresAt) <= Date.now()) {
      throw new Failure('UPLOAD_EXPIRED', `The upload expired ${info.expiresAt}`);
    }
    return { uploadId, info, offsetBytes: (await this.#files.sizeBytes(uploadId)) ?? info.lengthBytes };
  }

  async #write({ uploadId, info, offsetBytes }: Upload, piece: Piece): Promise<void> {
    const room = info.lengthBytes - offsetBytes;
    if ((piece.announcedBytes ?? 0) > room) throw tooLong(info);
    const hash = piece.checksum === null ? null : createHash(piece.checksum.algorithm);
    const running = this.#hashes.take(uploadId, offsetBytes);
    async function* watched(): AsyncGenerator<Buffer> {
      let left = room;
      for await (const chunk of piece.bytes) {
        left -= chunk.length;
        if (left < 0) throw tooLong(info);
        hash?.update(chunk);
        running?.update(chunk);
        yield chunk;
      }
    }
    try {
      await this.#files.append(uploadId, watched());
      if (hash === null || hash.digest('base64') === piece.checksum?.digest) {
        this.#hashes.keep(uploadId, running);
        return;
      }
    } catch (error) {
      // Without the rest of the piece its checksum cannot vouch for the beginning.
      if (hash !== null) await this.#files.truncate(uploadId, offsetBytes);
      throw error;
    }
    await this.#files.truncate(uploadId, offsetBytes);
    throw new Failure('UPLOAD_CHECKSUM_MISMATCH', 'The piece was not kept; send it again');
  }

  /** Makes the video of a whole upload, and remembers how that ended. What may end otherwise later is thrown. */
  async #finish(upload: Upload): Promise<Upload> {
    const { uploadId } = upload;
    if (upload.info.end !== undefined) return upload;
    try {
      await this.#makeVideo(upload);
      return await this.#end(upload, 'finished');
    } catch (error) {
      if (!isFailure(error) || !(error.code in REQUEST_ERRORS)) throw error;
      const code = error.code as RequestErrorCode;
      if (REQUEST_ERRORS[code].retryable) throw error;
      await this.#files.removeBytes(uploadId);
      return this.#end(upload, { code, detail: error.detail });
    }
  }

  async #makeVideo(upload: Upload): Promise<void> {
    const { uploadId, info } = upload;
    const parts = this.#parts;
    if ((await parts.videos.get(uploadId)).state !== 'unknown') return;
    const found = info.found ?? (await this.#find(upload, this.#closing));
    if (info.found === undefined) await this.#files.writeInfo(uploadId, { ...info, found });
    const blobKey = videoBlobKey(uploadId);
    if ((await this.#files.sizeBytes(uploadId)) !== null) {
      await parts.blobs.putFile(blobKey, this.#files.path(uploadId));
    } else if ((await parts.blobs.head(blobKey)) === null) {
      throw new Failure('UPLOAD_NOT_FOUND', 'The bytes of the upload are lost; send the file again');
    }
    const file = { fileName: info.fileName, sizeBytes: info.lengthBytes, sha256: found.sha256 };
    await parts.videos.insert(newVideo(parts.config, uploadId, file, found.probed), null);
  }

  async #find({ uploadId, info: { lengthBytes } }: Upload, signal: AbortSignal) {
    const probed = await probeStored(this.#parts, this.#files.path(uploadId), signal);
    const running = this.#hashes.take(uploadId, lengthBytes);
    return { probed, sha256: running?.hex() ?? (await this.#files.sha256(uploadId, signal)) };
  }

  async #end(upload: Upload, end: UploadInfo['end'] & {}): Promise<Upload> {
    const info = { ...upload.info, end };
    await this.#files.writeInfo(upload.uploadId, info);
    (await this.#openOnes()).delete(upload.uploadId);
    return { ...upload, info };
  }

  async #remove(uploadId: string): Promise<void> {
    await this.#files.remove(uploadId);
    (await this.#openOnes()).delete(uploadId);
  }

  #openOnes(): Promise<Set<string>> {
    this.#open ??= this.#findOpen().catch((error) => {
      this.#open = null;
      throw error;
    });
    return this.#open;
  }

  async #findOpen(): Promise<Set<string>> {
    const open = new Set<string>();
    for (const uploadId of await this.#files.ids()) {
      const info = await this.#files.info(uploadId);
      if (info !== null && info.end === undefined) open.add(uploadId);
    }
    return open;
  }
}

/** Throws what ended the upload as no video. */
export function assertOpen({ info: { end } }: Upload): void {
  if (typeof end === 'object') throw new Failure(end.code, end.detail);
}

function isWhole({ offsetBytes, info }: Upload): boolean {
  return offsetBytes >= info.lengthBytes;
}

function tooLong({ lengthBytes }: UploadInfo): Failure {
  return new Failure('FILE_TOO_LARGE', `Upload-Length was ${lengthBytes} bytes; more are coming`);
}
