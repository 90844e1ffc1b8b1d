const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

export function isBlobKey(key: string): boolean {
  return key.length <= 512 && KEY.test(key);
}

/**
 * Refuses what is no blob key: keys are made by us, so anything else is a bug. No part begins with a dot,
 * which leaves `..` without a spelling and the stores free to keep dot files of their own.
 */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`Not a blob key: ${JSON.stringify(key)}`);
}

/** A prefix of `list` and `removeAll`: a key followed by `/`. */
export function assertBlobPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw new TypeError(`Not a blob prefix: ${JSON.stringify(prefix)}`);
  assertBlobKey(prefix.slice(0, -1));
}

/** What `get` and `localPath` throw when there is no such blob; a foreseen failure has another type. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';

  constructor(key: string) {
    super(`There is no blob ${key}`);
  }
}
