import { resolve } from 'node:path';
import { StyleDnaError } from '../client/error.ts';

/** Begins with a letter or digit: no dot files, no options of other programs. No separators, colons, controls, blanks. */
const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/;
/** Windows opens a device by such a name, whatever its extension ("Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The path of a file in `folder` under a name that a service sent: plain base names only, whichever system reads them. Throws
 * `StyleDnaError` UNEXPECTED_ANSWER.
 */
export function receivedPath(folder: string, name: string): string {
  if (PLAIN.test(name) && !DEVICE.test(name)) return resolve(folder, name);
  throw new StyleDnaError({
    code: 'UNEXPECTED_ANSWER',
    message: 'The service sent a file name that is not safe to write',
    detail: `${JSON.stringify(name.slice(0, 100))}; names such as grade.cube are written`,
  });
}
