/** The program as a process of its own: exit code, output and files. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { commonWorkRoot } from '../../src/pipeline/engine/workspace.ts';
import { PROGRAM } from './program.ts';

/** Runs commands in `folder`. The process of the test gets their folder for temporary files, too. */
export class ProgramRuns {
  readonly #folder: string;
  /** For the commands' own temporary files. */
  readonly temporary = mkdtempSync(join(tmpdir(), 'styledna-cli-'));

  constructor(folder: string) {
    this.#folder = folder;
    process.env['TMPDIR'] = this.temporary;
    process.once('exit', () => rmSync(this.temporary, { recursive: true, force: true }));
  }

  begin(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: this.#folder,
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: this.temporary, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
      ([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr }),
    );
    return { child, ended };
  }

  /** Nothing of ours stays in the folder for temporary files. */
  assertNothingLeft(): void {
    const root = commonWorkRoot(this.temporary);
    assert.deepEqual(existsSync(root) ? readdirSync(root) : [], []);
  }
}
