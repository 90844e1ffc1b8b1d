import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BlobMissingError } from '../../storage/blob-key.ts';
import { resultsPrefix } from '../../storage/blob-names.ts';
import type { BlobStore, LocalFile } from '../../storage/blob-store.ts';

/**
 * Versions of the cached results: raise one when its task gives another result for the same input. A result depends on those before it,
 * so its key also holds their versions.
 */
export const VERSIONS = {
  words: 3,
  video: 62,
  audio: 27,
  motion: 17,
  style: 21,
  plan: 108,
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

/** Measurements, which several stages of a job read one after the other. Plans and pictures are larger and read once. */
const REMEMBERED: readonly ResultKind[] = ['video', 'audio', 'motion', 'style'];
/** Of their JSON: a talk of 34 s has .21 MB, so that some 20 minutes of footage fit. Longer measurements are parsed again. */
const REMEMBERED_CHARACTERS = 8e6;

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
  readonly #recent = new RecentValues(REMEMBERED_CHARACTERS);

  /** `retryWhileStorageDown`: repeats work while the store is unusable; undefined: the failure is thrown. */
  constructor(blobs: BlobStore, retryWhileStorageDown: RetryWhileStorageDown = (work) => work()) {
    this.#blobs = blobs;
    this.#retryWhileStorageDown = retryWhileStorageDown;
  }

  async load<T>(kind: ResultKind, content: string): Promise<T | undefined> {
    const key = keyOf(kind, content, 'json');
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent.value as T;
    const stored = await this.#retryWhileStorageDown(async () => {
      try {
        return await text(await this.#blobs.get(key));
      } catch (error) {
        if (error instanceof BlobMissingError) return undefined;
        throw error;
      }
    });
    if (stored === undefined) return undefined;
    const value: unknown = JSON.parse(stored);
    if (REMEMBERED.includes(kind)) this.#recent.add(key, value, stored.length);
    return value as T;
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

/** The newest parsed values, up to a total length of their texts. Their keys name their content, so that they never change. */
class RecentValues {
  readonly #most: number;
  readonly #values = new Map<string, { readonly value: unknown; readonly characters: number }>();
  #characters = 0;

  constructor(mostCharacters: number) {
    this.#most = mostCharacters;
  }

  get(key: string): { readonly value: unknown } | undefined {
    const found = this.#values.get(key);
    if (found === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, found);
    return found;
  }

  add(key: string, value: unknown, characters: number): void {
    if (characters > this.#most || this.#values.has(key)) return;
    this.#values.set(key, { value, characters });
    this.#characters += characters;
    for (const [oldest, { characters: freed }] of this.#values) {
      if (this.#characters <= this.#most) return;
      this.#values.delete(oldest);
      this.#characters -= freed;
    }
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
