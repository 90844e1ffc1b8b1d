import { parseArgs } from 'node:util';
import { isStyleDnaError } from '../client/error.ts';
import { ConfigError } from '../config.ts';
import { DirectoryLockedError } from '../database/directory-lock.ts';
import { Failure } from '../errors.ts';
import { commonWorkRoot, sweepWorkspaces } from '../pipeline/workspace.ts';
import { VERSION } from '../version.ts';
import { type Command, EXIT, UsageError } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { didYouMean } from './did-you-mean.ts';
import { Interruption } from './interruption.ts';

/** Runs one command line; resolves with the exit code. */
export async function main(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(overview());
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version') {
    console.log(VERSION);
    return EXIT.done;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const nearest = didYouMean(name, Object.keys(COMMANDS));
    return complain(`There is no command "${name}"${nearest}\nTry: styledna --help`, EXIT.usage);
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(helpOf(name, command));
    return EXIT.done;
  }
  return runOne(name, command, rest, environment);
}

async function runOne(
  name: string,
  command: Command,
  words: string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  using interruption = new Interruption();
  try {
    const { positionals, values } = parse(name, command, words);
    // What a command left that was killed; of another user's it is not ours to remove.
    await sweepWorkspaces(commonWorkRoot()).catch(() => {});
    return await command.run({
      positionals,
      values,
      environment,
      commands: COMMANDS,
      signal: interruption.signal,
    });
  } catch (error) {
    return report(name, error, interruption.signal.aborted);
  }
}

function parse(name: string, { options }: Command, words: string[]) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(--?[^'=]+)/.exec(message)?.[1] : undefined;
    if (unknown === undefined) throw new UsageError(message);
    const known = Object.keys(options).map((option) => `--${option}`);
    throw new UsageError(`${name} has no option ${unknown}${didYouMean(unknown, known)}`);
  }
}

function report(name: string, error: unknown, interrupted: boolean): number {
  if (interrupted) return complain('Interrupted; nothing was left behind.', EXIT.interrupted);
  if (error instanceof UsageError)
    return complain(`${error.message}\nTry: styledna ${name} --help`, EXIT.usage);
  if (error instanceof ConfigError) return complain(error.message, EXIT.usage);
  if (error instanceof Failure) return complain(`${error.detail} (${error.code})`, EXIT.refused);
  if (isStyleDnaError(error))
    return complain(`The service says: ${error.message} (${error.code})`, EXIT.refused);
  if (error instanceof DirectoryLockedError) return complain(error.message, EXIT.refused);
  if (isSystemRefusal(error)) return complain(inWords(error), EXIT.refused);
  return complain(error instanceof Error ? (error.stack ?? error.message) : String(error), EXIT.bug);
}

/** What the user or the administrator can change: a port in use, a folder that may not be written, a full disk. */
const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is in use by another program',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  ECONNREFUSED: 'nothing listens there',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file is in the way',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
};

function isSystemRefusal(
  error: unknown,
): error is NodeJS.ErrnoException & { address?: string; port?: number } {
  return error instanceof Error && 'syscall' in error && 'code' in error && String(error.code) in REFUSALS;
}

function inWords(error: NodeJS.ErrnoException & { address?: string; port?: number }): string {
  const host = error.port === undefined ? error.address : `${error.address}:${error.port}`;
  const what = error.path ?? host ?? 'The system';
  return `${what}: ${REFUSALS[error.code!]} (${error.code}, ${error.syscall})`;
}

function complain(message: string, code: number): number {
  console.error(message);
  return code;
}

function overview(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(17)} ${summary}`);
  return `StyleDNA ${VERSION}: measures the style of a template video and renders your video in it.

Usage: styledna COMMAND …

${rows.join('\n')}

styledna COMMAND --help tells more. Exit codes: 0 done, 1 a bug, 2 wrong call or settings, 3 the input or the
system refused, 4 compared and nothing shared (match), 130 interrupted.`;
}

function helpOf(name: string, { usage, help }: Command): string {
  return `Usage: styledna ${name} ${usage}\n\n${help}`;
}
