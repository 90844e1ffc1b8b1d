import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { Failure, isFailure } from '../../domain/errors.ts';
import { displayName } from './file-name.ts';

const PART_NAME = 'file';
/** More than any form that names one file needs. */
const LIMITS = { files: 16, fields: 64, parts: 80, fieldSize: 65536, headerPairs: 100, headerSize: 16384 };

/**
 * What a form may hold beside the content of its files: boundaries, part headers, values of fields, whatever stands before and
 * after. Forms of browsers and clients stay below 2 KiB; the parser cuts a longer part header short without a word.
 */
const FORM_BYTES = 128 * 1024;

/** Takes the bytes of the file to their place; when the stream fails it rejects, after clean-up. */
export type Sink = (bytes: Readable) => Promise<void>;

/**
 * Streams the part named `file` of a multipart/form-data body (RFC 7578) into `sink`; memory does not grow
 * with its size. Resolves with the file's display name once the whole body was read and the sink is done.
 * Throws MALFORMED_MULTIPART, MISSING_FILE, FILE_TOO_LARGE, or what `body` and `sink` throw; the sink
 * has always ended by then.
 */
export async function receiveFile(
  headers: IncomingMessage['headers'],
  body: AsyncIterable<Buffer>,
  maxFileBytes: number,
  sink: Sink,
): Promise<string> {
  const receipt = new Receipt(sink);
  const form = openForm(headers, maxFileBytes);
  const read = Promise.withResolvers<void>();
  form.on('file', (name, file, filename) => receipt.take(name, file, filename));
  form.on('field', (name) => receipt.note(name));
  form.on('error', (error) => receipt.fail(malformed('The body is not valid multipart', error)));
  form.on('partsLimit', () => receipt.fail(malformed(`The body has more than ${LIMITS.parts} parts`)));
  form.on('finish', () => read.resolve());
  let written = 0;
  try {
    for await (const chunk of body) {
      written += chunk.length;
      if (!form.write(chunk)) await receipt.drained(form);
      if (written - receipt.fileBytes > FORM_BYTES) throw receipt.overlong();
    }
    form.end();
    await Promise.race([read.promise, receipt.failed]);
    return await Promise.race([receipt.done(), receipt.failed]);
  } catch (error) {
    receipt.fail(error);
    throw (await receipt.storageFailure()) ?? error;
  }
}

/** What arrived of the form, and the first thing that went wrong. */
class Receipt {
  readonly failed: Promise<never>;
  readonly #sink: Sink;
  readonly #reject: (reason: unknown) => void;
  readonly #others = new Set<string>();
  readonly #files: BusboyFileStream[] = [];
  #fileName: string | undefined;
  #stream: Readable | undefined;
  #storing: Promise<void> | undefined;
  #failure: { readonly reason: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(sink: Sink) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => {});
    this.failed = promise;
    this.#reject = reject;
    this.#sink = sink;
  }

  /** Of all files in the form, the one that is wanted or not. */
  get fileBytes(): number {
    return this.#files.reduce((sum, file) => sum + file.bytesRead, 0);
  }

  take(name: string, file: BusboyFileStream, filename: string | undefined): void {
    this.#files.push(file);
    file.on('error', (error) => this.fail(malformed('The body ends in the middle of a part', error)));
    if (name !== PART_NAME || this.#stream !== undefined) {
      if (name === PART_NAME) this.fail(malformed('The body has more than one part named "file"'));
      else this.note(name);
      file.resume();
      return;
    }
    file.on('limit', () =>
      this.fail(new Failure('FILE_TOO_LARGE', 'The file is larger than this service takes')),
    );
    this.#fileName = displayName(filename);
    this.#stream = file;
    this.#storing = this.#sink(file);
    this.#storing.catch((error: unknown) => this.fail(error));
  }

  note(name: string): void {
    this.#others.add(name);
  }

  fail(error: unknown): void {
    this.#failure ??= { reason: error };
    this.#reject(error);
    this.#wake?.();
    this.#stream?.destroy(error instanceof Error ? error : new Error('The upload failed'));
  }

  /** Throws what has gone wrong. No race of promises: each would stay with `failed` until the upload is over. */
  drained(form: BusboyInstance): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure.reason);
      const settle = () => {
        form.off('drain', settle);
        this.#wake = undefined;
        if (this.#failure === undefined) resolve();
        else reject(this.#failure.reason);
      };
      this.#wake = settle;
      form.once('drain', settle);
    });
  }

  async done(): Promise<string> {
    await this.#storing;
    if (this.#fileName !== undefined) return this.#fileName;
    const names = [...this.#others].slice(0, 5).map((name) => JSON.stringify(String(name).slice(0, 64)));
    const found = names.length === 0 ? 'no part' : `only ${names.join(', ')}`;
    throw new Failure('MISSING_FILE', `Send the video in a part named "file"; the body has ${found}`);
  }

  overlong(): Failure {
    const hint =
      this.#fileName === undefined ? '. Send the video in a part named "file", with a file name' : '';
    return malformed(
      `Part headers and fields may take ${FORM_BYTES} bytes beside the file, and take more${hint}`,
    );
  }

  /**
   * Waits for the sink to end. A disk that filled up breaks the part's stream off before the sink has said why: its
   * own failure is the cause then.
   */
  async storageFailure(): Promise<Failure | undefined> {
    try {
      await this.#storing;
      return undefined;
    } catch (error) {
      return isFailure(error, 'INSUFFICIENT_STORAGE', 'STORAGE_UNAVAILABLE', 'SERVICE_UNAVAILABLE')
        ? error
        : undefined;
    }
  }
}

function openForm(headers: IncomingMessage['headers'], maxFileBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: { ...LIMITS, fileSize: maxFileBytes },
      preservePath: true,
      // A client may leave the file's name out.
      isPartAFile: (name, type, filename) =>
        name === PART_NAME || filename !== undefined || type === 'application/octet-stream',
    });
  } catch (error) {
    throw malformed('The Content-Type has no usable boundary', error);
  }
}

function malformed(detail: string, cause?: unknown): Failure {
  return new Failure('MALFORMED_MULTIPART', detail, cause === undefined ? {} : { cause });
}
