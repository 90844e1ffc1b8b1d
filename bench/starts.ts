/**
 * Start-up times compared with `node -e 0`: commands that only print, and the service on an empty folder and
 * afterwards. With `--beside CLONE` the same of another clone, alternating, so that both have the same load.
 * `node bench/starts.ts [--rounds 5] [--beside ../clone]` (Linux only)
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/postgres.ts';
import { PROGRAM } from '../test/support/program.ts';
import { measureCost } from './lib/cost.ts';
import { inTurn } from './lib/in-turn.ts';
import { processCpuSeconds } from './lib/process-figures.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

/** The kernel counts in hundredths of a second: so many starts are measured as one. */
const STARTS_AT_ONCE = 10;
const POLL_MS = 10;
const COMMANDS = [['--version'], ['--help'], ['presets'], ['apply', '--help']];
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, beside: { type: 'string' } },
});
const rounds = Number(values.rounds);
const programs: Readonly<Record<string, string>> = {
  here: PROGRAM,
  ...(values.beside === undefined ? {} : { beside: resolve(values.beside, 'bin/styledna.mjs') }),
};

/** CPU and wall seconds of one start. */
async function startOf(words: readonly string[]) {
  const { cost } = await measureCost(async () => {
    for (let start = 0; start < STARTS_AT_ONCE; start++)
      spawnSync(process.execPath, words, { env: ENVIRONMENT, stdio: 'ignore' });
  });
  return { cpuSeconds: cost.cpuSeconds / STARTS_AT_ONCE, wallSeconds: cost.wallSeconds / STARTS_AT_ONCE };
}

/** The status; 0 while nothing listens. */
function statusOf(port: number, path: string): Promise<number> {
  return new Promise((report) => {
    const requested = get({ port, path, host: '127.0.0.1', agent: false }, (answer) => {
      answer.resume().once('end', () => report(answer.statusCode ?? 0));
    });
    requested.once('error', () => report(0));
  });
}

/**
 * One run of the service on a data directory: seconds to its first log line and to its first answer, and its
 * processor time until then. It is polled until it answers, then when it logs that it listens: a client that
 * polls every few milliseconds uses a share of two cores, which a start needs both.
 */
async function lifeOf(main: string, dataDir: string) {
  const port = await freePort();
  const startedMs = performance.now();
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...ENVIRONMENT, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const listens = new Promise<void>((report) => {
    let reported = '';
    child.stdout.on('data', (part) => {
      reported += part;
      if (reported.includes('"listening"')) report();
    });
  });
  const seconds = () => (performance.now() - startedMs) / 1000;
  while ((await statusOf(port, '/livez')) !== 200) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`);
    await sleep(POLL_MS);
  }
  const livesSeconds = seconds();
  await listens;
  const status = await statusOf(port, '/api/v1/jobs');
  if (status !== 200) throw new Error(`The service listens, and answers ${status}`);
  const answersSeconds = seconds();
  const cpuSeconds = processCpuSeconds(child.pid!);
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { livesSeconds, answersSeconds, cpuSeconds };
}

async function services(folder: string) {
  const works = Object.entries(programs).flatMap(([name, main]) => {
    const dataDir = join(folder, name);
    const onEmptyFolder = async () => {
      rmSync(dataDir, { recursive: true, force: true });
      return lifeOf(main, dataDir);
    };
    return [
      [`${name}: service on an empty folder`, onEmptyFolder],
      [`${name}: service afterwards`, () => lifeOf(main, dataDir)],
    ] as const;
  });
  return inTurn(rounds, Object.fromEntries(works));
}

const seconds = (value: number) => value.toFixed(2);
const conditions = currentConditions();
const folder = mkdtempSync(join(tmpdir(), 'styledna-starts-'));
try {
  const commands = await inTurn(rounds, {
    'node -e 0': () => startOf(['-e', '0']),
    ...Object.fromEntries(
      COMMANDS.flatMap((words) =>
        Object.entries(programs).map(([name, main]) => [
          `${name}: ${words.join(' ')}`,
          () => startOf([main, ...words]),
        ]),
      ),
    ),
  });
  const lives = await services(folder);
  const bare = commands['node -e 0'].cpuSeconds;
  console.log(conditionsInWords(conditions));
  console.log(
    `\n${table(
      ['command', 'CPU s', 'more than node', 's'],
      Object.entries(commands).map(([name, { cpuSeconds, wallSeconds }]) => [
        name,
        seconds(cpuSeconds),
        seconds(cpuSeconds - bare),
        seconds(wallSeconds),
      ]),
    )}`,
  );
  console.log(
    `\n${table(
      ['service', '/livez s', 'first answer s', 'CPU s until then'],
      Object.entries(lives).map(([name, life]) => [
        name,
        seconds(life.livesSeconds),
        seconds(life.answersSeconds),
        seconds(life.cpuSeconds),
      ]),
    )}`,
  );
  console.log(`\n${saveResult('starts', { conditions, rounds, commands, lives })}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
