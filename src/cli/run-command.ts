import { parseArgs } from 'node:util';
import { VERSION } from '../package/version.ts';
import { commonWorkRoot, sweepWorkspaces } from '../pipeline/engine/workspace.ts';
import { visibleText } from '../received/visible-text.ts';
import { type Command, EXIT, UsageError } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { didYouMean } from './did-you-mean.ts';
import { Interruption } from './interruption.ts';
import { printJson } from './print.ts';

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
    const message = `There is no command "${name}"${didYouMean(name, Object.keys(COMMANDS))}`;
    if (isForMachine(rest)) printJson({ error: { code: 'USAGE_ERROR', message, field: null } });
    return complain(`${message}\nTry: styledna --help`, EXIT.usage);
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    console.log(helpOf(name, await command.load()));
    return EXIT.done;
  }
  return runOne(name, command.load, rest, environment);
}

async function runOne(
  name: string,
  load: () => Promise<Command>,
  words: string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  using interruption = new Interruption();
  const command = await load();
  let given: ReturnType<typeof parse> | null = null;
  try {
    given = parse(name, command, words);
    const { positionals, values } = given;
    // Removes working folders of killed commands; those of other users cannot be removed.
    await sweepWorkspaces(commonWorkRoot()).catch(() => {});
    return await command.run({
      positionals,
      values,
      environment,
      commands: COMMANDS,
      signal: interruption.signal,
    });
  } catch (error) {
    const isJson = isForMachine(words);
    if (interruption.signal.aborted) {
      const message = 'Interrupted; nothing was left behind.';
      if (isJson) printJson({ error: { code: 'INTERRUPTED', message, field: null } });
      return complain(message, EXIT.interrupted);
    }
    // Loaded only here, because the error types take longer to load than most commands.
    const { failureReport } = await import('./failure-report.ts');
    const report = failureReport({ name, usage: command.usage, given }, error);
    if (isJson) printJson({ error: report.error });
    return complain(visibleText(report.message), report.exitCode);
  }
}

/** Also of words that cannot be parsed, and of commands without the option. What follows `--` is an argument. */
function isForMachine(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).includes('--json');
}

function parse(name: string, { options }: Command, words: string[]) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(--?[^'=]+)/.exec(message)?.[1] : undefined;
    if (unknown === undefined) {
      const field = /'(?:-\w, )?(--[\w-]+)/.exec(message)?.[1];
      throw new UsageError(message.replaceAll('\n', ' '), field === undefined ? {} : { field });
    }
    const known = Object.keys(options).map((option) => `--${option}`);
    throw new UsageError(`${name} has no option ${unknown}${didYouMean(unknown, known)}`, { field: unknown });
  }
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

styledna COMMAND --help shows its options. Exit codes: 0 done, 1 a bug, 2 wrong call or settings, 3 the input or the
system refused, 4 compared and nothing shared (match), 130 interrupted. With --json, an error is printed as
{"error": {"code", "message", "field"}} on standard output too; field is the option or argument at fault.`;
}

function helpOf(name: string, { usage, help }: Command): string {
  return `Usage: styledna ${name} ${usage}\n\n${help}`;
}
