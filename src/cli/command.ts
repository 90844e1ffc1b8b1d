import type { ParseArgsConfig } from 'node:util';
import { didYouMean } from './did-you-mean.ts';

export type OptionTable = NonNullable<ParseArgsConfig['options']>;

/** A call of a command: its parsed arguments, the environment and a signal. */
export interface CommandCall {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** All of them. */
  readonly commands: CommandTable;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

/** All commands by name, each with a summary. A module is loaded when its command is called: loading all takes a second. */
export type CommandTable = Readonly<Record<string, { readonly summary: string; load(): Promise<Command> }>>;

export interface Command {
  /** The arguments after `styledna NAME`. */
  readonly usage: string;
  /** The rest of the help: purpose, options, examples. */
  readonly help: string;
  readonly options: OptionTable;
  /** Words that an option accepts, alone or in a list; the empty name is the argument. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Resolves with the exit code. */
  readonly run: (call: CommandCall) => Promise<number>;
}

/** Exit codes, as `--help` shows them. Like `cmp`, a comparison without a match has its own code. */
export const EXIT = { done: 0, bug: 1, usage: 2, refused: 3, nothing: 4, interrupted: 130 } as const;

/** A wrong call; the message shows the right one. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The option or argument at fault; null: the call as a whole, or that of `file`. */
  readonly field: string | null;
  /** The file at fault, as the call names it. */
  readonly file: string | undefined;

  /** A message about an option begins with it: then `field` can be left out. */
  constructor(message: string, { field, file }: { readonly field?: string; readonly file?: string } = {}) {
    super(message);
    this.field = field ?? /^--[a-z-]+/.exec(message)?.[0] ?? null;
    this.file = file;
  }
}

export function stringOption(call: CommandCall, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The word of an option, undefined if the option is missing. Throws `UsageError` for other words. */
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

/** The positional arguments, one for each name. Throws `UsageError` for another number of them. */
export function takeArguments(call: CommandCall, ...names: string[]): string[] {
  if (call.positionals.length !== names.length) {
    const wanted = names.length === 0 ? 'no arguments' : names.join(' and ');
    const field = names[Math.min(call.positionals.length, names.length - 1)];
    throw new UsageError(
      `This command takes ${wanted}; it got ${call.positionals.length} argument(s)`,
      field === undefined ? {} : { field },
    );
  }
  return [...call.positionals];
}
