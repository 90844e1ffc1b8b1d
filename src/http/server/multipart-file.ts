import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { Failure, isFailure } from '../../domain/errors.ts';
import { displayName } from './file-name.ts';

const PART_NAME = 'file';
/** More than any form with one file needs. */
const LIMITS = { files: 16, fields: 64, parts: 80, fieldSize: 65536, headerPairs: 100, headerSize: 16384 };

/**
 * Limit of a form's bytes apart from the content of its files: boundaries, part headers, field values,
 * preamble and epilogue. Forms of browsers and clients need less than 2 KiB; the parser truncates longer part
 * headers silently.
 */
const FORM_BYTES = 128 * 1024;

/** Stores the bytes of the file. When the stream fails it rejects after cleaning up. */
export type Sink = (bytes: Readable) => Promise<void>;

/**
 * Streams the part named `file` of a multipart/form-data body (RFC 7578) into `sink`; memory use does not
 * depend on its size. Resolves with the file's display name once the whole body was read and the sink has
 * finished. Throws MALFORMED_MULTIPART, MISSING_FILE, FILE_TOO_LARGE, and errors of `body` and `sink`; the
 * sink has always ended by then.
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
  form.on('file', (name, file, filename) => receipt.addFile(name, file, filename));
  form.on('field', (name) => receipt.addField(name));
  form.on('error', (error) => receipt.fail(malformed('The body is not valid multipart', error)));
  form.on('partsLimit', () => receipt.fail(malformed(`The body has more than ${LIMITS.parts} parts`)));
  form.on('finish', () => read.resolve());
  let written = 0;
  try {
    for await (const chunk of body) {
      written += chunk.length;
      if (!form.write(chunk)) await receipt.drained(form);
      if (written - receipt.fileBytes > FORM_BYTES) throw receipt.formTooLarge();
    }
    form.end();
    await Promise.race([read.promise, receipt.failed]);
    return await Promise.race([receipt.done(), receipt.failed]);
  } catch (error) {
    receipt.fail(error);
    throw (await receipt.storageFailure()) ?? error;
  }
}

/** The received part of the form, and its first error. */
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

  /** Bytes of all files in the form, including unused ones. */
  get fileBytes(): number {
    return this.#files.reduce((sum, file) => sum + file.bytesRead, 0);
  }

  addFile(name: string, file: BusboyFileStream, filename: string | undefined): void {
    this.#files.push(file);
    file.on('error', (error) => this.fail(malformed('The body ends in the middle of a part', error)));
    if (name !== PART_NAME || this.#stream !== undefined) {
      if (name === PART_NAME) this.fail(malformed('The body has more than one part named "file"'));
      else this.addField(name);
      file.resume();
      return;
    }
    file.on('limit', () =>
      this.fail(new Failure('FILE_TOO_LARGE', 'The file is larger than this service accepts')),
    );
    this.#fileName = displayName(filename);
    this.#stream = file;
    this.#storing = this.#sink(file);
    this.#storing.catch((error: unknown) => this.fail(error));
  }

  addField(name: string): void {
    this.#others.add(name);
  }

  fail(error: unknown): void {
    this.#failure ??= { reason: error };
    this.#reject(error);
    this.#wake?.();
    this.#stream?.destroy(error instanceof Error ? error : new Error('The upload failed'));
  }

  /**
   * Throws the first error. Not a race of promises: each would be referenced by `failed` until the upload
   * ends.
   */
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

  formTooLarge(): Failure {
    const hint =
      this.#fileName === undefined ? '. Send the video in a part named "file", with a file name' : '';
    return malformed(`Part headers and fields have more than the permitted ${FORM_BYTES} bytes${hint}`);
  }

  /**
   * Waits for the sink to end. A full disk breaks the part's stream before the sink reports the reason: its
   * own failure is then the cause.
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
      // A client may omit the file's name.
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
