/**
 * Thousands of damaged files through the media engine: `node test/faults/mutations.ts --count 1000 --seed 1`. Ends with
 * 1 when one led to anything but a result or a typed failure within its time, or left something behind.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { basesIn, type MutationResult, MutationRun } from './mutation-run.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});
const [count, first] = [Number(values.count), Number(values.seed)];
const folder = mkdtempSync(join(tmpdir(), 'styledna-mutations-'));

function report(results: readonly MutationResult[]): void {
  const tally = new Map<string, number>();
  for (const { outcome, wrong } of results) {
    const kind = wrong === null ? outcome : 'WRONG';
    tally.set(kind, (tally.get(kind) ?? 0) + 1);
  }
  for (const [kind, times] of [...tally].sort((a, b) => b[1] - a[1]))
    console.log(`${String(times).padStart(7)}  ${kind}`);
  const slowest = Math.max(...results.map(({ seconds }) => seconds));
  console.log(`${results.length} damaged files; the slowest took ${slowest.toFixed(1)} s`);
}

async function main(): Promise<boolean> {
  const bases = (await basesIn(folder, { real: true })).filter((path) =>
    basename(path).includes(values.only),
  );
  const run = new MutationRun(join(folder, 'run'));
  const results: MutationResult[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const seed = first + next++;
      const result = await run.one(bases[seed % bases.length], seed);
      results.push(result);
      const { base, mutation, outcome, wrong } = result;
      if (wrong !== null || !/^(measured|IN|UNSUP|VIDEO)/.test(outcome))
        console.log(`${base} --seed ${seed} (${mutation}): ${wrong ?? outcome}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, work));
  report(results);
  const left = run.left();
  if (left.length > 0) console.log(`Left behind: ${left.join(', ')}`);
  return left.length === 0 && results.every(({ wrong }) => wrong === null);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
