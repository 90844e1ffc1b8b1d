/** Tables for people and result files for comparison: measurements, machine, load. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('../results/', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Conditions {
  readonly date: string;
  /** Null outside a clone. */
  readonly commit: string | null;
  /** Files that differ from the commit. */
  readonly changedFiles: number;
  readonly machine: { readonly cpu: string; readonly cores: number; readonly memoryBytes: number };
  readonly node: string;
  /** Runnable processes, mean of the last minute: the load before the first measurement. */
  readonly loadBefore: number;
}

/** Call before measuring: the load is then not our own. */
export function currentConditions(): Conditions {
  const git = (...words: string[]) => {
    try {
      return execFileSync('git', ['--no-optional-locks', ...words], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      return null;
    }
  };
  const changes = git('status', '--porcelain', '--', 'src', 'package-lock.json') ?? '';
  return {
    date: new Date().toISOString(),
    commit: git('rev-parse', '--short=12', 'HEAD')?.trim() ?? null,
    changedFiles: changes.split('\n').filter((line) => line !== '').length,
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      memoryBytes: totalmem(),
    },
    node: process.version,
    loadBefore: Number(loadavg()[0].toFixed(2)),
  };
}

export function conditionsInWords(conditions: Conditions): string {
  const { date, commit, changedFiles, machine, node, loadBefore } = conditions;
  const changed = changedFiles === 0 ? '' : ` with ${changedFiles} changed files in src`;
  const memory = `${Math.round(machine.memoryBytes / 2 ** 30)} GiB`;
  return `${date.slice(0, 16).replace('T', ' ')} UTC, commit ${commit ?? 'unknown'}${changed}, ${machine.cpu}, ${machine.cores} cores, ${memory}, Node ${node}, load before ${loadBefore}`;
}

/** Writes `bench/results/NAME-DATE.json`; returns its path within the project. */
export function saveResult(
  name: string,
  result: { readonly conditions: Conditions } & Record<string, unknown>,
): string {
  mkdirSync(RESULTS, { recursive: true });
  const stamp = result.conditions.date.slice(0, 19).replaceAll(':', '');
  const file = `${name}-${stamp}.json`;
  writeFileSync(join(RESULTS, file), `${JSON.stringify(result, null, 1)}\n`);
  return `bench/results/${file}`;
}

/** A share in percent. */
export function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`;
}

/** A Markdown table whose columns line up; numbers should be texts. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, 3, ...rows.map((row) => row[column].length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
