import { constants } from 'node:fs';
import { access, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
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

/** The file appears whole, or not at all. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const path = resolve(file);
  const beside = `${path}.part`;
  try {
    await writeFile(beside, text);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Nobody means to write a result over what it is made from. Throws `Failure`. */
export async function assertOther(output: string, input: string): Promise<void> {
  const [one, other] = await Promise.all(
    [output, input].map((file) => stat(resolve(file)).catch(() => null)),
  );
  if (one && other && one.dev === other.dev && one.ino === other.ino) {
    throw new Failure('INPUT_UNSUPPORTED', `${output} is the file to measure; name another to write`);
  }
}
