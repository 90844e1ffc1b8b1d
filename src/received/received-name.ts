import { resolve } from 'node:path';
import { StyleDnaError } from '../client/error.ts';

/**
 * Begins with a letter or digit: no hidden files, no options of other programs. No separators, colons, control
 * characters, spaces.
 */
const PLAIN = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?$/;
/** Names of Windows devices, with any extension ("Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The path in `folder` for a name that a service sent. Only plain base names are accepted, on all systems. Throws
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
