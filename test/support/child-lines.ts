import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A script run as a process of its own, and every line it has written. */
export interface ScriptProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** Resolves with the first line that `wanted` accepts. Throws when the script ends first. */
  line(expected: (line: string) => boolean): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export function runScript(script: URL, parameters: readonly string[]): ScriptProcess {
  const child = spawn(process.execPath, [script.pathname, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout! });
  reader.on('line', (line) => lines.push(line));
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return {
    child,
    lines,
    kill,
    async line(expected) {
      for (;;) {
        const found = lines.find(expected);
        if (found !== undefined) return found;
        await Promise.race([
          once(reader, 'line'),
          exited.then(([code, signal]) => {
            throw new Error(`the script ended (${code ?? signal})`);
          }),
        ]);
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await kill('SIGKILL');
    },
  };
}
