import type { Upload, Video } from './api-types.ts';
import { isStyleDnaError, reportedError, StyleDnaError } from './error.ts';
import { part } from './path-part.ts';
import { unexpectedResponse } from './response-text.ts';
import { sleep } from './sleep.ts';
import type { Transport } from './transport.ts';
import { type UploadProgress, UploadSpeed } from './upload-progress.ts';

/** Stores unfinished uploads; `localStorage` is one. */
export interface UploadStore {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, uploadId: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
}

export interface UploadOptions {
  /** Default: the file's own name. */
  readonly filename?: string;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly signal?: AbortSignal;
  /** Store of interrupted uploads; default: `localStorage` in a page, none elsewhere. */
  readonly store?: UploadStore | null;
  /** Size of each piece; default: as much as is sent in about half a second. */
  readonly pieceBytes?: number;
}

export const UPLOADS = '/api/v1/uploads';
export const TUS = { 'tus-resumable': '1.0.0' };
/** At 90 kB/s, a slow uplink, the first progress is seen after 1.5 s. */
const FIRST_PIECE_BYTES = 1 << 17;
/** At 90 kB/s .7 s; below, the requests cost more than the bytes; above, one is lost at a time that takes long to send again. */
const PIECE_BYTES = { least: 1 << 16, most: 1 << 24 };
const PIECE_SECONDS = 0.5;
const TRY_AGAIN_MS = 1000;

/**
 * The upload of one file by tus 1.0, in pieces. Each piece starts at the offset that the service reports. A
 * broken connection, a reloaded page or a restarted service therefore costs one piece, not the file.
 */
export class ResumableUpload {
  /** Resolves with the video when the service has checked it. */
  readonly done: Promise<Video>;
  readonly #transport: Transport;
  readonly #file: Blob;
  readonly #options: UploadOptions;
  readonly #ended = new AbortController();
  readonly #speed = new UploadSpeed();
  readonly #key: string;
  #uploadId: string | null = null;
  #sentBytes = 0;
  #state: UploadProgress['state'] = 'uploading';
  /** Aborts the current piece. */
  #piece = new AbortController();
  #resumed: { promise: Promise<void>; resolve: () => void } | null = null;

  constructor(transport: Transport, file: Blob, options: UploadOptions) {
    this.#transport = transport;
    this.#file = file;
    this.#options = options;
    const { name = '', lastModified = '' } = file as Partial<File>;
    this.#key = `styledna:${transport.url(UPLOADS)}:${[name, lastModified, file.size, file.type].join(':')}`;
    options.signal?.addEventListener('abort', this.#giveUp, { once: true });
    if (options.signal?.aborted === true) this.#giveUp();
    this.done = this.#run().finally(() => options.signal?.removeEventListener('abort', this.#giveUp));
    // A later request for it still gets the error.
    this.done.catch(() => {});
  }

  /** Null until the service has created the upload. */
  get uploadId(): string | null {
    return this.#uploadId;
  }

  get progress(): UploadProgress {
    const { bytesPerSecond } = this.#speed;
    const left = this.#file.size - this.#sentBytes;
    return {
      state: this.#state,
      sentBytes: this.#sentBytes,
      totalBytes: this.#file.size,
      bytesPerSecond,
      secondsLeft: bytesPerSecond === null || bytesPerSecond <= 0 ? null : left / bytesPerSecond,
    };
  }

  pause(): void {
    if (this.#resumed !== null || this.#state === 'finished') return;
    let resolve = () => {};
    const promise = new Promise<void>((settle) => {
      resolve = settle;
    });
    this.#resumed = { promise, resolve };
    this.#piece.abort();
    this.#tell('paused');
  }

  resume(): void {
    if (this.#resumed === null) return;
    this.#resumed.resolve();
    this.#resumed = null;
    this.#speed.clear();
    this.#tell('uploading');
  }

  /** Cancels it: received bytes are removed. `done` rejects. */
  async abort(): Promise<void> {
    this.#ended.abort();
    this.#piece.abort();
    this.resume();
    await this.#forget();
    if (this.#uploadId === null) return;
    await this.#transport
      .response({ method: 'DELETE', path: this.#path, headers: TUS })
      .catch((error: unknown) => {
        if (!isStyleDnaError(error, 'UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED')) throw error;
      });
  }

  readonly #giveUp = (): void => {
    this.#ended.abort(this.#options.signal?.reason);
    this.#piece.abort();
    this.resume();
  };

  async #run(): Promise<Video> {
    const videoId = (await this.#begin()) ?? (await this.#send());
    await this.#forget();
    const video = await this.#transport.data<Video>({
      method: 'GET',
      path: `/api/v1/videos/${part(videoId)}`,
      options: { signal: this.#ended.signal },
      isPatient: true,
    });
    this.#sentBytes = this.#file.size;
    this.#tell('finished');
    return video;
  }

  /** Finds the upload that was interrupted, or begins one. Resolves with the video's id when all had arrived already. */
  async #begin(): Promise<string | null> {
    const known = (await this.#store?.getItem(this.#key)) ?? null;
    if (known !== null) {
      this.#uploadId = known;
      try {
        return await this.#synchronize();
      } catch (error) {
        if (!isStyleDnaError(error, 'UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED')) throw error;
        await this.#forget();
      }
    }
    const filename = this.#options.filename ?? (this.#file as Partial<File>).name ?? 'video';
    const upload = await this.#transport.data<Upload>({
      method: 'POST',
      path: UPLOADS,
      headers: creationHeaders(this.#file.size, filename),
      options: { signal: this.#ended.signal },
      // The service removes a second upload that a repeated request began.
      isRepeatable: true,
      isPatient: true,
    });
    this.#uploadId = upload.upload_id;
    await this.#store?.setItem(this.#key, upload.upload_id);
    this.#tell('uploading');
    return null;
  }

  /** Sends piece after piece; resolves with the video's id. */
  async #send(): Promise<string> {
    let progressAt = Date.now();
    for (;;) {
      await this.#resumed?.promise;
      this.#ended.signal.throwIfAborted();
      const before = this.#sentBytes;
      let videoId: string | null = null;
      try {
        videoId = await this.#sendPiece();
      } catch (error) {
        this.#ended.signal.throwIfAborted();
        const isPaused = this.#resumed !== null || this.#piece.signal.aborted;
        if (isPaused) {
          await this.#resumed?.promise;
          progressAt = Date.now();
        } else if (!isPassing(error) || Date.now() - progressAt > this.#transport.patienceMs) throw error;
        else if (!isStyleDnaError(error, 'UPLOAD_OFFSET_MISMATCH')) await this.#waitABit();
        videoId = await this.#synchronize();
      }
      if (videoId !== null) return videoId;
      if (this.#sentBytes > before) progressAt = Date.now();
    }
  }

  async #waitABit(): Promise<void> {
    this.#tell('waiting');
    this.#speed.clear();
    await sleep(TRY_AGAIN_MS, this.#ended.signal);
  }

  /** Resolves with the video's id after the last piece. */
  async #sendPiece(): Promise<string | null> {
    this.#piece = new AbortController();
    const end = Math.min(this.#file.size, this.#sentBytes + this.#pieceBytes);
    const begunAt = performance.now();
    const response = await this.#transport.response({
      method: 'PATCH',
      path: this.#path,
      headers: {
        ...TUS,
        'upload-offset': String(this.#sentBytes),
        'content-type': 'application/offset+octet-stream',
      },
      body: this.#file.slice(this.#sentBytes, end),
      options: { signal: this.#piece.signal },
      timeoutSeconds: null,
    });
    if (this.#speed.bytesPerSecond === null) this.#speed.add(this.#sentBytes, begunAt);
    const videoId = response.headers.get('x-video-id');
    this.#sentBytes = offsetOf(response, { from: this.#sentBytes, end, isLast: videoId !== null });
    this.#speed.add(this.#sentBytes, performance.now());
    this.#tell(this.#resumed === null ? 'uploading' : 'paused');
    return videoId;
  }

  /** Requests the received offset; resolves with the video's id when the file is complete. Throws if it is no video. */
  async #synchronize(): Promise<string | null> {
    await this.#settle();
    const upload = await this.#transport.data<Upload>({
      method: 'GET',
      path: this.#path,
      options: { signal: this.#ended.signal },
      isPatient: true,
    });
    if (upload.error != null) {
      await this.#forget();
      throw reportedError(upload.error);
    }
    this.#sentBytes = upload.offset_bytes;
    this.#speed.clear();
    this.#tell('uploading');
    return upload.video_id;
  }

  /**
   * Waits until the received part of an interrupted piece is stored. The service may still be storing it, and
   * would refuse the next piece, which would begin at the same offset.
   */
  async #settle(): Promise<void> {
    const question = {
      method: 'HEAD',
      path: this.#path,
      headers: TUS,
      options: { signal: this.#ended.signal },
      isPatient: true,
    } as const;
    await this.#transport.response(question).catch((error: unknown) => {
      // An answer without a body cannot contain the fault of the upload; the next request can.
      if (!(error instanceof StyleDnaError) || isPassing(error)) throw error;
    });
  }

  get #path(): string {
    return `${UPLOADS}/${part(String(this.#uploadId))}`;
  }

  get #pieceBytes(): number {
    const { bytesPerSecond } = this.#speed;
    const usual = bytesPerSecond === null ? FIRST_PIECE_BYTES : bytesPerSecond * PIECE_SECONDS;
    return (
      this.#options.pieceBytes ?? Math.round(Math.min(PIECE_BYTES.most, Math.max(PIECE_BYTES.least, usual)))
    );
  }

  get #store(): UploadStore | null {
    return this.#options.store === undefined ? pageStore() : this.#options.store;
  }

  async #forget(): Promise<void> {
    await this.#store?.removeItem(this.#key);
  }

  #tell(state: UploadProgress['state']): void {
    this.#state = state;
    this.#options.onProgress?.(this.progress);
  }
}

/** Offset of the next piece. Throws UNEXPECTED_ANSWER if it does not increase, which would never end. */
function offsetOf(
  response: Response,
  { from, end, isLast }: { readonly from: number; readonly end: number; readonly isLast: boolean },
): number {
  const header = response.headers.get('upload-offset');
  const offset = header === null ? end : Number(header);
  if (Number.isSafeInteger(offset) && offset <= end && (offset > from || isLast)) return offset;
  throw unexpectedResponse(
    response,
    `of the bytes ${from} to ${end} it received all up to ${JSON.stringify(header)}`,
  );
}

/** The next try may go well. */
function isPassing(error: unknown): boolean {
  return error instanceof StyleDnaError && error.retryable;
}

/** Only in pages: in Node, reading `localStorage` prints a warning. A page may be forbidden to read it. */
function pageStore(): UploadStore | null {
  try {
    const { document, localStorage } = globalThis as { document?: unknown; localStorage?: UploadStore };
    return document === undefined ? null : (localStorage ?? null);
  } catch {
    return null;
  }
}

/** Headers of the request that creates an upload. */
export function creationHeaders(lengthBytes: number, filename: string): Record<string, string> {
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(filename)));
  return { ...TUS, 'upload-length': String(lengthBytes), 'upload-metadata': `filename ${base64}` };
}
