import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure } from '../errors.ts';
import { placeWhole } from '../pipeline/whole-file.ts';
import { makeFolder } from '../storage/make-folder.ts';

/** Sees to it, before hours of work, that a file can be written there. Throws `Failure`, or what the system says. */
export async function assertWritable(file: string): Promise<void> {
  const path = resolve(file);
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory())
    throw new Failure('INPUT_UNSUPPORTED', `${file} is a folder; name a file to write`);
  await makeFolder(dirname(path));
  await access(there === null ? dirname(path) : path, constants.W_OK);
}

/** A failure leaves what was there before. */
export function writeWhole(file: string, text: string): Promise<void> {
  return placeWhole(file, (beside) => writeFile(beside, text));
}

/** Nobody means to write a result over what it is made from. Throws `Failure`. */
export async function assertOther(output: string, inputs: readonly string[]): Promise<void> {
  const identityOf = async (file: string) => {
    const status = await stat(resolve(file)).catch(() => null);
    return status && `${status.dev}:${status.ino}`;
  };
  const there = await identityOf(output);
  for (const input of inputs) {
    if (there !== null && there === (await identityOf(input)))
      throw new Failure('INPUT_UNSUPPORTED', `${output} is a file to read; name another to write`);
  }
}
