import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure } from '../errors.ts';

/** Sees to it, before hours of work, that a file can be written there. Throws `Failure`, or what the system says. */
export async function assertWritable(file: string): Promise<void> {
  const path = resolve(file);
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory())
    throw new Failure('INPUT_UNSUPPORTED', `${file} is a folder; name a file to write`);
  await mkdir(dirname(path), { recursive: true });
  await access(there === null ? dirname(path) : path, constants.W_OK);
}
