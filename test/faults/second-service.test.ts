/** Two services on one data directory: the second must refuse in any state of the first, and change nothing. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { call } from '../support/client.ts';
import { temporaryFolder } from '../support/clips.ts';
import { seedCluster } from '../support/cluster.ts';
import { tellFigures } from '../support/figures.ts';
import { PROGRAM } from '../support/program.ts';
import { startService } from '../support/service.ts';

/** Of a busy machine, which starts Node in seconds: only one that waits for the first is late. */
const REFUSED_MS = 60_000;

interface Attempt {
  readonly code: number | null;
  readonly words: string;
  readonly tookMs: number;
}

/** `serve` on the directory. One that runs is ended as soon as it listens: its exit code is 0 then. */
async function serve(dataDir: string): Promise<Attempt> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (text: Buffer) => (words += text));
  child.stdout.on('data', (text: Buffer) => {
    if (text.includes('"listening"')) child.kill('SIGTERM');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, words, tookMs: performance.now() - startedMs };
}

function assertRefused({ code, words, tookMs }: Attempt, reason: RegExp): void {
  assert.notEqual(code, 0, words);
  assert.match(words, reason);
  assert.ok(tookMs < REFUSED_MS, `${tookMs} ms`);
  // A sentence for the operator, no stack.
  assert.doesNotMatch(words, /\n\s+at /);
}

test('the second service names the first and goes; the first serves on', async (t) => {
  await using service = await startService();
  const filesBefore = readdirSync(service.dataDir).sort();
  const refused: Attempt[] = [await serve(service.dataDir)];
  // Neither does a stopped owner lose its directory.
  process.kill(service.pid, 'SIGSTOP');
  refused.push(await serve(service.dataDir));
  process.kill(service.pid, 'SIGCONT');
  for (const attempt of refused) assertRefused(attempt, new RegExp(`in use by .*pid ${service.pid} `));
  assert.deepEqual(readdirSync(service.dataDir).sort(), filesBefore);
  assert.equal((await call(service.baseUrl, 'GET', '/api/v1/jobs')).status, 200);
  await service.kill();
  await service.restart();
  tellFigures(t, 'two services on one data directory', {
    tried: refused.length,
    slowestMs: Math.max(...refused.map(({ tookMs }) => tookMs)),
    lost: 0,
  });
});

test('of services that start at the same moment one runs', async (t) => {
  const dataDir = join(temporaryFolder(), 'data');
  await seedCluster(join(dataDir, 'database'));
  const attempts = await Promise.all([1, 2, 3].map(() => serve(dataDir)));
  const refused = attempts.filter(({ code }) => code !== 0);
  // One that starts when another has ended again may run as well.
  assert.ok(refused.length < attempts.length, attempts.map(({ words }) => words).join('\n'));
  for (const attempt of refused) assertRefused(attempt, /in use by/);
  tellFigures(t, 'services that start at once', {
    tried: attempts.length,
    lost: 0,
    seen: `${refused.length} refused`,
  });
});
