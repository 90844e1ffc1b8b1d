import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { resultsPrefix } from '../../storage/blob-names.ts';
import type { BlobStore, LocalFile } from '../../storage/blob-store.ts';

/**
 * Versions of what is kept: raise one when its task would answer otherwise for the same input.
 * A result depends on those before it, so its key holds their versions as well.
 */
export const VERSIONS = { video: 38, audio: 11, motion: 15, style: 9, plan: 37, report: 1 } as const;
/** Of posters and filmstrips, which depend on nothing else. */
export const PICTURES_VERSION = 2;
export type ResultKind = keyof typeof VERSIONS;
const SHA256_HEX_LENGTH = 64;
const ORDER = Object.keys(VERSIONS) as ResultKind[];

/** Does the work again when the store it needs can be used again. */
export type Patiently = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Results by the content that they were made from. `content` is the SHA-256 of a video in hex; where a result depends on
 * more, a dash and another hash follow.
 */
export interface ResultStore {
  /** Undefined when there is none; a kept null is null. */
  load<T>(kind: ResultKind, content: string): Promise<T | undefined>;
  has(kind: ResultKind, content: string): Promise<boolean>;
  save(kind: ResultKind, content: string, value: unknown): Promise<void>;
  /** A file that belongs to a result; null when there is none. */
  loadFile(kind: ResultKind, content: string): Promise<LocalFile | null>;
  /** Takes a finished file over. */
  moveFile(kind: ResultKind, content: string, path: string): Promise<void>;
}

/**
 * Results kept among the blobs: a template analysed once costs nothing the second time. They are removed with the last
 * video that has their SHA-256.
 */
export class Results implements ResultStore {
  readonly #blobs: BlobStore;
  readonly #patiently: Patiently;

  /** `patiently`: how to meet a store that cannot be used; left out, its failure is thrown. */
  constructor(blobs: BlobStore, patiently: Patiently = (work) => work()) {
    this.#blobs = blobs;
    this.#patiently = patiently;
  }

  async load<T>(kind: ResultKind, content: string): Promise<T | undefined> {
    const key = keyOf(kind, content, 'json');
    return this.#patiently(async () => {
      if ((await this.#blobs.head(key)) === null) return undefined;
      return (await json(await this.#blobs.get(key))) as T;
    });
  }

  has(kind: ResultKind, content: string): Promise<boolean> {
    return this.#patiently(async () => (await this.#blobs.head(keyOf(kind, content, 'json'))) !== null);
  }

  async save(kind: ResultKind, content: string, value: unknown): Promise<void> {
    const key = keyOf(kind, content, 'json');
    const text = JSON.stringify(value);
    await this.#patiently(() => this.#blobs.put(key, Readable.from([text])));
  }

  async loadFile(kind: ResultKind, content: string): Promise<LocalFile | null> {
    const key = keyOf(kind, content, 'bin');
    return this.#patiently(async () =>
      (await this.#blobs.head(key)) === null ? null : this.#blobs.localPath(key),
    );
  }

  async moveFile(kind: ResultKind, content: string, path: string): Promise<void> {
    await this.#patiently(() => this.#blobs.putFile(keyOf(kind, content, 'bin'), path));
  }
}

/** One hash over everything that a result depends on. */
export function contentHash(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function keyOf(kind: ResultKind, content: string, extension: string): string {
  const versions = ORDER.slice(0, ORDER.indexOf(kind) + 1).map((one) => VERSIONS[one]);
  const variant = content.slice(SHA256_HEX_LENGTH);
  return `${resultsPrefix(content.slice(0, SHA256_HEX_LENGTH))}${kind}-${versions.join('.')}${variant}.${extension}`;
}
