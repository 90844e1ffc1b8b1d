import { parseArgs } from 'node:util';
import { ConfigError } from '../config.ts';
import { Failure } from '../errors.ts';
import { VERSION } from '../version.ts';
import { type Command, EXIT, UsageError } from './command.ts';
import { COMMANDS } from './command-table.ts';

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
  const command = COMMANDS[name];
  if (command === undefined) return complain(`There is no command "${name}".\n\n${overview()}`, EXIT.usage);
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
  const interruption = new AbortController();
  const interrupt = () => interruption.abort(new Error('Interrupted'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    const { positionals, values } = parse(command, words);
    return await command.run({ positionals, values, environment, signal: interruption.signal });
  } catch (error) {
    return report(name, error, interruption.signal.aborted);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

function parse(command: Command, words: string[]) {
  try {
    return parseArgs({ args: words, options: command.options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function report(name: string, error: unknown, interrupted: boolean): number {
  if (interrupted) return complain('Interrupted; nothing was left behind.', EXIT.interrupted);
  if (error instanceof UsageError)
    return complain(`${error.message}\nTry: styledna ${name} --help`, EXIT.usage);
  if (error instanceof ConfigError) return complain(error.message, EXIT.usage);
  if (error instanceof Failure) return complain(`${error.detail} (${error.code})`, EXIT.refused);
  if (error instanceof Error && 'forPeople' in error) return complain(error.message, EXIT.refused);
  return complain(error instanceof Error ? (error.stack ?? error.message) : String(error), EXIT.bug);
}

function complain(message: string, code: number): number {
  console.error(message);
  return code;
}

function overview(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(9)} ${summary}`);
  return `StyleDNA ${VERSION}: measures the style of a template video and renders your video in it.

Usage: styledna COMMAND …

${rows.join('\n')}

styledna COMMAND --help tells more. Exit codes: 0 done, 1 a bug, 2 wrong call or settings, 3 the input or the
system refused, 130 interrupted.`;
}

function helpOf(name: string, { usage, help }: Command): string {
  return `Usage: styledna ${name} ${usage}\n\n${help}`;
}
