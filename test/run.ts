/**
 * Runs the tests, names what was left out, and closes with one line of counts. Arguments: parts of file names, of all tests or, after
 * `--faults` or `--long`, of a tier (`support/test-tiers.ts`); none: all of the tier, or of what `npm test` runs.
 */
import { chmodSync, existsSync, globSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { commonWorkRoot, openWorkspace, sweepWorkspaces } from '../src/pipeline/engine/workspace.ts';
import { readText, testGroups, writeGroups } from './support/test-groups.ts';
import { filesOf, holds, TIERS } from './support/test-tiers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const tier = TIERS.find((name) => process.argv[2] === `--${name}`) ?? null;
const wanted = process.argv.slice(tier === null ? 2 : 3);
const files = filesOf(tier, wanted, globSync('test/**/*.test.ts', { cwd: root }).sort(), readText(root));

if (files.length === 0) {
  console.error(`No test file's name holds ${wanted.join(' or ')}`);
  process.exit(2);
}

/** Most files are processes of their own, and each would compile the same modules again. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/tests', import.meta.url));

/** A file system in memory, where Linux has one. */
const MEMORY = '/dev/shm';
/** Four files at once take some hundred megabytes: their databases, clips and outputs. */
const ROOM_BYTES = 4 * 2 ** 30;
/** Tests of faults need a real disk and no group: they kill processes and measure time. */
const isCareful = tier === 'faults' || tier === 'long';
/** To copy a new database of a thousand files takes .06 s of computing there, and .2 to .6 s on a disk; some seventy tests begin with one. */
if (!isCareful && process.env['TMPDIR'] === undefined && roomOf(MEMORY) >= ROOM_BYTES) {
  process.env['TEST_KEPT'] ??= tmpdir();
  const workRoot = commonWorkRoot(MEMORY);
  // Shared memory of a killed run.
  await sweepWorkspaces(workRoot);
  const { folder } = await openWorkspace(workRoot);
  // PostgreSQL's programs run as somebody else when we are root.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

function roomOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Files that wait more than they work, for beats, retries and leases: each runs in parallel with one that works, so that no core idles. */
const WAITING = ['test/client/', 'test/database/', 'test/http/', 'test/jobs/', 'test/webhooks/'];
/** One at a time, after all others: files that measure how late the service or its progress is, or watch a port that others name. */
const ONE_BY_ONE = ['faults/load', 'faults/progress', 'faults/watchers', 'http/hostile'];
// After the folder for temporary files is known.
const oneByOne = files.filter((name) => holds(name, ONE_BY_ONE));
const others = files.filter((name) => !oneByOne.includes(name));
const { groups, alone } = isCareful ? { groups: [], alone: others } : testGroups(others, readText(root));
const waiting = alone.filter((name) => holds(name, WAITING));
const working = [...writeGroups(groups, root), ...alone.filter((name) => !holds(name, WAITING))];
/** Those that take a minute and more begin first: at the end they would run alone. */
const LONGEST = [
  ...['/e2e', 'browser/storyboard', 'browser/whole-journey', 'browser/player', 'browser/edit-player-colors'],
  ...['browser/library', 'browser/job.test', 'faults/storage-away', 'faults/database-away', 'faults/kill'],
  ...['faults/segments', 'faults/uploads-across', 'faults/stopped-worker', 'faults/hostile-peers'],
  ...['faults/lost-commit', 'faults/slow-clients'],
];
const rank = (name: string) => {
  const at = LONGEST.findIndex((part) => name.includes(part));
  return at === -1 ? LONGEST.length : at;
};
working.sort((a, b) => rank(a) - rank(b));
/** Waiting files per working one: none remains for the last third, where no other work would run in parallel. */
const share = (1.5 * waiting.length) / Math.max(1, working.length);
const inTurn = [
  ...working.flatMap((name, at) => [
    name,
    ...waiting.slice(Math.round(at * share), Math.round((at + 1) * share)),
  ]),
  ...(working.length === 0 ? waiting : []),
];

/** Far longer than on a slow machine: only hanging tests are ended. */
const FILE_TIMEOUT_MS = 15 * 60_000;

const counts = { passed: 0, failed: 0 };
const leftOut: string[] = [];
/** More than two cores, because many tests wait; fewer where services, workers and their faults run beside each other. */
const concurrency = isCareful ? 3 : 4;
/** Where each file writes its processor time at its end. */
const cpuList = join(process.env['TMPDIR'] ?? tmpdir(), `test-cpu-${process.pid}`);
process.env['TEST_CPU_LIST'] = cpuList;
process.once('exit', () => rmSync(cpuList, { force: true }));
const execArgv = ['--import', new URL('support/cpu-seconds.ts', import.meta.url).href];

async function runFiles(inOrder: readonly string[], atOnce: number): Promise<void> {
  const options = { cwd: root, concurrency: atOnce, timeout: FILE_TIMEOUT_MS, execArgv };
  const stream = run({ files: [...inOrder], ...options });
  stream.on('test:pass', ({ name, details, skip }) => {
    // The tests of a suite that is left out do not report themselves.
    if (skip !== undefined) leftOut.push(`${name}: ${skip}`);
    else if (details.type !== 'suite') counts.passed++;
  });
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') counts.failed++;
  });
  stream.on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1;
  });
  stream.compose(new spec()).pipe(process.stdout);
  await stream.toArray().catch(() => {});
}

if (inTurn.length > 0) await runFiles(inTurn, concurrency);
if (oneByOne.length > 0) await runFiles(oneByOne, 1);

if (!existsSync(fileURLToPath(new URL('../../shared/media', import.meta.url)))) {
  console.log('\n../shared/media is not beside this clone: the tests on real clips were left out.');
}
if (leftOut.length > 0)
  console.log(`\nLeft out (${leftOut.length}):\n${leftOut.map((line) => `  ${line}`).join('\n')}`);

/** The most expensive files, as candidates for savings. */
const NAMED_FILES = 12;
const costs = (existsSync(cpuList) ? readFileSync(cpuList, 'utf8').trim().split('\n') : []).map((line) => {
  const [seconds, file] = line.split(' ') as [string, string];
  return { seconds: Number(seconds), file };
});
if (costs.length > 0) {
  const all = costs.reduce((sum, { seconds }) => sum + seconds, 0);
  const dearest = costs.toSorted((one, other) => other.seconds - one.seconds).slice(0, NAMED_FILES);
  console.log(`\nProcessor time ${all.toFixed(0)} s, most of it in:`);
  for (const { seconds, file } of dearest) console.log(`  ${seconds.toFixed(1)} s ${file}`);
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${leftOut.length} skipped`);
