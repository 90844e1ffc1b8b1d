import { access, constants, lstat, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { Failure } from '../domain/errors.ts';
import { writeAtomically } from '../storage/whole-file.ts';
import { type CommandCall, type OptionTable, UsageError } from './command.ts';

/** Kinds of output. Each has one format and its file extensions; the first is the usual one. */
const KINDS = {
  video: { what: 'the video is written as MP4', extensions: ['.mp4', '.m4v'] },
  page: { what: 'the report is written as HTML', extensions: ['.html', '.htm'] },
  style: { what: 'the Style DNA is written as JSON', extensions: ['.json'] },
  picture: { what: 'the picture is written as PNG or JPEG', extensions: ['.png', '.jpg', '.jpeg'] },
  lut: { what: 'the LUT is written as a cube file', extensions: ['.cube'] },
} as const;

/** A block of common file systems. */
const TRIAL_BYTES = 4096;

export type OutputKind = keyof typeof KINDS;

export const OVERWRITE_OPTION = { overwrite: { type: 'boolean' } } as const satisfies OptionTable;

/** `subject`: the files that the option overwrites. */
export const overwriteHelp = (subject: string) =>
  `      --overwrite       replace ${subject}; without it a file that exists is refused`;

/**
 * Checks, before hours of work, that a command may write `file`. It must have the right kind, be none of the
 * inputs, and not exist unless `--overwrite` is set. Throws `UsageError`, `Failure`, or the error of the
 * system.
 */
export async function assertOutput(
  call: CommandCall,
  file: string,
  kind: OutputKind,
  inputs: readonly string[],
): Promise<void> {
  await assertWritable(file, kind);
  await assertOther(file, inputs);
  await assertAbsent([file], isOverwriting(call));
}

export function isOverwriting(call: CommandCall): boolean {
  return call.values['overwrite'] === true;
}

/** Throws `Failure` with the name of the first of these files that exists, unless `overwrite`. */
export async function assertAbsent(files: readonly string[], overwrite: boolean): Promise<void> {
  if (overwrite) return;
  for (const file of files) {
    if (await isThere(file))
      throw new Failure(
        'OUTPUT_EXISTS',
        `${file} exists already: name another file, or replace it with --overwrite`,
        { file },
      );
  }
}

/** A dangling link also counts as existing. */
export async function isThere(file: string): Promise<boolean> {
  return (await lstat(resolve(file)).catch(() => null)) !== null;
}

/**
 * Checks, before hours of work, that a file of this kind can be written at this path. Creates nothing: a missing folder
 * is more often a typing error than intended. Throws `UsageError`, or the error of the system.
 */
export async function assertWritable(file: string, kind: OutputKind): Promise<void> {
  const path = resolve(file);
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory())
    throw new UsageError(`${file} is a folder; name a file in it, such as ${exampleIn(file, kind)}`, {
      file,
    });
  assertExtension(file, kind);
  await assertFolder(dirname(file), dirname(path), file);
  if (there !== null && !there.isFile())
    throw new UsageError(`${file} is not a regular file; choose another output`, { file });
  if (there !== null) await access(path, constants.W_OK);
  await tryWriting(dirname(path), file);
}

/** Checks a folder for files, and creates it with `make`. Its parent folder must exist. */
export async function assertWritableFolder(
  folder: string,
  { make = false }: { readonly make?: boolean } = {},
): Promise<void> {
  const path = resolve(folder);
  const there = await stat(path).catch(() => null);
  if (there !== null && !there.isDirectory())
    throw new UsageError(`${folder} is a file, not a folder; choose another`, { file: folder });
  if (there === null) await assertFolder(dirname(folder), dirname(path), folder);
  await tryWriting(there === null ? dirname(path) : path, folder);
  if (make && there === null) await mkdir(path);
}

/** Tries to write, because permissions are not sufficient: a file system may be read-only or refuse files. */
async function tryWriting(folder: string, file: string): Promise<void> {
  const trial = join(folder, `.styledna-${process.pid}`);
  try {
    // A full disk accepts an empty file.
    await writeFile(trial, Buffer.alloc(TRIAL_BYTES));
  } catch (error) {
    throw Object.assign(error as Error, { path: trial, file });
  } finally {
    await rm(trial, { force: true });
  }
}

function assertExtension(file: string, kind: OutputKind): void {
  const { what, extensions } = KINDS[kind];
  const extension = extname(file);
  if ((extensions as readonly string[]).includes(extension.toLowerCase())) return;
  const right = join(dirname(file), `${basename(file, extension)}${extensions[0]}`);
  throw new UsageError(
    `${file} has the wrong name: ${what}, so it must end in ${extensions.join(' or ')}, as ${right} does`,
    { file },
  );
}

/** `file`: the option's value, in or below the folder. */
async function assertFolder(folder: string, path: string, file: string): Promise<void> {
  const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return null;
  });
  if (status === null)
    throw new UsageError(`There is no folder ${folder}; make it (mkdir -p ${folder}), or name another`, {
      file,
    });
  if (!status.isDirectory())
    throw new UsageError(`${folder} is a file, not a folder; choose another`, { file });
}

function exampleIn(folder: string, kind: OutputKind): string {
  return join(folder, `out${KINDS[kind].extensions[0]}`);
}

/** After a failure the previous file is unchanged. */
export function writeWhole(file: string, text: string): Promise<void> {
  return writeAtomically(file, (beside) => writeFile(beside, text));
}

/** Prevents that an output overwrites an input. Throws `Failure`. */
export async function assertOther(output: string, inputs: readonly string[]): Promise<void> {
  const identityOf = async (file: string) => {
    const status = await stat(resolve(file)).catch(() => null);
    return status && `${status.dev}:${status.ino}`;
  };
  const there = await identityOf(output);
  for (const input of inputs) {
    if (there !== null && there === (await identityOf(input)))
      throw new Failure('INPUT_UNSUPPORTED', `${output} is an input; choose another output`, {
        file: output,
      });
  }
}
