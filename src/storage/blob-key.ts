const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

export function isBlobKey(key: string): boolean {
  return key.length <= 512 && KEY.test(key);
}

/**
 * Throws for an invalid blob key. Only this service makes keys, so an invalid one is a bug. No part begins
 * with a dot: this excludes `..` and reserves dot files for the stores.
 */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`Not a blob key: ${JSON.stringify(key)}`);
}

/** A prefix of `list` and `removeAll`: a key followed by `/`. */
export function assertBlobPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw new TypeError(`Not a blob prefix: ${JSON.stringify(prefix)}`);
  assertBlobKey(prefix.slice(0, -1));
}

/** Thrown by `get` and `localPath` when the blob does not exist; expected failures have another type. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';

  constructor(key: string) {
    super(`There is no blob ${key}`);
  }
}
