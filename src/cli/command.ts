import type { ParseArgsConfig } from 'node:util';
import { didYouMean } from './did-you-mean.ts';

export type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** What a command is given: its arguments, parsed by its own table, and the world. */
export interface CommandCall {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** All of them. */
  readonly commands: CommandTable;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

/** All commands by name, each with one line of what it does, and read when it is called: to read them all takes a second. */
export type CommandTable = Readonly<Record<string, { readonly summary: string; load(): Promise<Command> }>>;

export interface Command {
  /** What follows `styledna NAME`. */
  readonly usage: string;
  /** The rest of the help: what it does, options, examples. */
  readonly help: string;
  readonly options: OptionTable;
  /** Of options that take one of a few words, or a list of them: which; under an empty name those of the argument. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Resolves with the exit code. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** Exit codes, as `--help` shows them. A comparison that finds nothing is told apart from one that failed, as by `cmp`. */
export const EXIT = { done: 0, bug: 1, usage: 2, refused: 3, nothing: 4, interrupted: 130 } as const;

/** The command was called wrongly: the message says how to call it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function stringOption(call: CommandCall, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** One of a few words, or undefined where the option was not given. Throws `UsageError`. */
export function choiceOption<Word extends string>(
  call: CommandCall,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = stringOption(call, name);
  if (value === undefined || (words as readonly string[]).includes(value)) return value as Word | undefined;
  throw new UsageError(
    `--${name} must be one of ${words.join(', ')}; got ${value}${didYouMean(value, words)}`,
  );
}

/** Takes exactly as many positional arguments as are named. */
export function takeArguments(call: CommandCall, ...names: string[]): string[] {
  if (call.positionals.length !== names.length) {
    const wanted = names.length === 0 ? 'no arguments' : names.join(' and ');
    throw new UsageError(`This command takes ${wanted}; it got ${call.positionals.length} argument(s)`);
  }
  return [...call.positionals];
}
