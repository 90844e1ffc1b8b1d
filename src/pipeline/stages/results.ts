import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { resultsPrefix } from '../../storage/blob-names.ts';
import type { BlobStore, LocalFile } from '../../storage/blob-store.ts';

/**
 * Versions of the cached results: raise one when its task gives another result for the same input. A result depends on those before it,
 * so its key also holds their versions.
 */
export const VERSIONS = {
  words: 3,
  video: 55,
  audio: 20,
  motion: 17,
  style: 15,
  plan: 61,
  report: 1,
  /** Depends on all measurements, so that a new version of a detector measures again. */
  refusal: 1,
} as const;
/** Version of posters and filmstrips, which depend on no other result. */
export const PICTURES_VERSION = 7;
/** Version of proxies, which depend on no other result. */
export const PROXY_VERSION = 5;
export type ResultKind = keyof typeof VERSIONS;
const SHA256_HEX_LENGTH = 64;
/** Cached words do not depend on measurements: a new version of a detector must not cost another transcription. */
const MEASURED = (Object.keys(VERSIONS) as ResultKind[]).filter((kind) => kind !== 'words');

/** Repeats the work when the store is usable again. */
export type RetryWhileStorageDown = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Results by the content of their inputs. `content` is the SHA-256 of a video in hex; if a result has more inputs, a dash and another hash
 * follow.
 */
export interface ResultStore {
  /** Undefined: not cached. Null: null is cached. */
  load<T>(kind: ResultKind, content: string): Promise<T | undefined>;
  has(kind: ResultKind, content: string): Promise<boolean>;
  save(kind: ResultKind, content: string, value: unknown): Promise<void>;
  /** The file of a result; null: none. */
  loadFile(kind: ResultKind, content: string): Promise<LocalFile | null>;
  /** Moves a finished file into the cache. */
  moveFile(kind: ResultKind, content: string, path: string): Promise<void>;
}

/**
 * Results cached in the blob store: a template is analysed once. They are removed with the last video that has their SHA-256.
 */
export class Results implements ResultStore {
  readonly #blobs: BlobStore;
  readonly #retryWhileStorageDown: RetryWhileStorageDown;

  /** `retryWhileStorageDown`: repeats work while the store is unusable; undefined: the failure is thrown. */
  constructor(blobs: BlobStore, retryWhileStorageDown: RetryWhileStorageDown = (work) => work()) {
    this.#blobs = blobs;
    this.#retryWhileStorageDown = retryWhileStorageDown;
  }

  async load<T>(kind: ResultKind, content: string): Promise<T | undefined> {
    const key = keyOf(kind, content, 'json');
    return this.#retryWhileStorageDown(async () => {
      if ((await this.#blobs.head(key)) === null) return undefined;
      return (await json(await this.#blobs.get(key))) as T;
    });
  }

  has(kind: ResultKind, content: string): Promise<boolean> {
    return this.#retryWhileStorageDown(
      async () => (await this.#blobs.head(keyOf(kind, content, 'json'))) !== null,
    );
  }

  async save(kind: ResultKind, content: string, value: unknown): Promise<void> {
    const key = keyOf(kind, content, 'json');
    const text = JSON.stringify(value);
    await this.#retryWhileStorageDown(() => this.#blobs.put(key, Readable.from([text])));
  }

  async loadFile(kind: ResultKind, content: string): Promise<LocalFile | null> {
    const key = keyOf(kind, content, 'bin');
    return this.#retryWhileStorageDown(async () =>
      (await this.#blobs.head(key)) === null ? null : this.#blobs.localPath(key),
    );
  }

  async moveFile(kind: ResultKind, content: string, path: string): Promise<void> {
    await this.#retryWhileStorageDown(() => this.#blobs.putFile(keyOf(kind, content, 'bin'), path));
  }
}

/** One hash over all inputs of a result. */
export function contentHash(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Key of a result that is JSON. */
export function resultBlobKey(kind: ResultKind, content: string): string {
  return keyOf(kind, content, 'json');
}

function keyOf(kind: ResultKind, content: string, extension: string): string {
  const before = kind === 'words' ? [kind] : MEASURED.slice(0, MEASURED.indexOf(kind) + 1);
  const versions = before.map((one) => VERSIONS[one]);
  const variant = content.slice(SHA256_HEX_LENGTH);
  return `${resultsPrefix(content.slice(0, SHA256_HEX_LENGTH))}${kind}-${versions.join('.')}${variant}.${extension}`;
}
