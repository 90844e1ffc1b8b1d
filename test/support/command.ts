import type { TestContext } from 'node:test';
import { main } from '../../src/cli/run-command.ts';

/** Runs a command in this process: starting one takes longer than most of the answers. */
export function command(t: TestContext, ...words: readonly string[]) {
  return commandWith(t, {}, ...words);
}

export async function commandWith(
  t: TestContext,
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
) {
  const output = { log: '', error: '' };
  for (const name of ['log', 'error'] as const) {
    t.mock.method(console, name, (line: string) => {
      output[name] += `${line}\n`;
    });
  }
  const code = await main(words, environment);
  t.mock.restoreAll();
  return { code, stdout: output.log, stderr: output.error };
}
