/**
 * Hours in little: uploads, jobs, cancellations, deletions and retries, while media children and the service itself are
 * killed at random and the webhook receiver fails now and then. `node test/faults/soak.ts --minutes 20 --seed 1`.
 * The exit code is 1 when anything was lost, reported twice or left behind.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { median } from '../../src/signal/statistics.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { percentile } from '../support/figures.ts';
import { childrenOf, isRunning } from '../support/processes.ts';
import { openReceiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';
import { allEnded, allJobs, allTold, assertClean } from './soak-audit.ts';
import { beClient } from './soak-clients.ts';
import { Ledger } from './soak-ledger.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const durationMs = Number(values.minutes) * 60_000;
/** The service is killed in this part; after it, it runs to the end, so that its memory can be measured. */
const KILLING_SHARE = 0.5;
const random = seededRandom(Number(values.seed));
const ledger = new Ledger();
const say = (text: string) => values.json || console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

/** Clips that differ in length, size, sound and content. */
async function makeClips(): Promise<string[]> {
  const folder = temporaryFolder();
  const kinds = [
    { durationSeconds: 0.6, width: 160, height: 90, silent: true },
    { durationSeconds: 1, width: 320, height: 180 },
    { durationSeconds: 2, width: 180, height: 320 },
    { durationSeconds: 3, width: 640, height: 360 },
  ];
  const clips: string[] = [];
  for (const [index, kind] of kinds.entries())
    clips.push(await makeClip(folder, { name: `clip-${index}`, ...kind }));
  return clips;
}

/** Fails a quarter of first tries: with 500, with a closed connection, with silence. */
const seenIds = new Set<string>();
let isHonest = false;
const openUnsteadyReceiver = () =>
  openReceiver((response, delivered) => {
    const fails = !isHonest && !seenIds.has(delivered.webhookId) && random() < 0.25;
    seenIds.add(delivered.webhookId);
    if (!fails) {
      response.writeHead(204).end();
      return ledger.took(delivered);
    }
    ledger.count('webhooks refused');
    const how = random();
    if (how < 0.6) response.writeHead(500).end();
    else if (how < 0.8) response.destroy();
  });

const everSeen = new Map<number, string>();
const life = (pid: number) => {
  try {
    // When it started: a number is used again.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19];
  } catch {
    return '';
  }
};

interface Memory {
  readonly atMs: number;
  readonly pid: number;
  readonly bytes: number;
  readonly handles: number;
}
const memory: Memory[] = [];

/** Records every child of the service, and the service's memory. */
function observe(service: Service): NodeJS.Timeout {
  let ticks = 0;
  return setInterval(() => {
    for (const pid of childrenOf(service.pid))
      for (const one of [pid, ...childrenOf(pid)]) everSeen.set(one, life(one));
    if (ticks++ % 20 !== 0 || !isRunning(service.pid)) return;
    const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
    memory.push({
      atMs: performance.now(),
      pid: service.pid,
      bytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
      handles: readdirSync(`/proc/${service.pid}/fd`).length,
    });
  }, 250);
}

/** Kills until the soak is over: children all the time, the service in the first part. */
async function haunt(service: Service, untilMs: number): Promise<void> {
  const killingUntilMs = performance.now() + durationMs * KILLING_SHARE;
  let nextServiceMs = performance.now() + 15_000;
  while (performance.now() < untilMs) {
    await sleep(2_000 + 6_000 * random());
    const now = performance.now();
    if (now < killingUntilMs && now > nextServiceMs) {
      await (random() < 0.7 ? killService(service) : drainService(service));
      nextServiceMs = performance.now() + 20_000 + 30_000 * random();
      continue;
    }
    const [child] = childrenOf(service.pid);
    if (child === undefined) continue;
    process.kill(child, 'SIGKILL');
    ledger.count('media children killed');
  }
}

const recoveries: number[] = [];

async function killService(service: Service): Promise<void> {
  await service.kill();
  ledger.count('services killed');
  await sleep(200);
  const startedMs = performance.now();
  await service.restart();
  recoveries.push(performance.now() - startedMs);
}

async function drainService(service: Service): Promise<void> {
  const code = await service.stop();
  if (code !== 0) ledger.wrong.push(`SIGTERM ended it with ${code}`);
  ledger.count('services drained');
  await service.restart();
}

/** Middle of its first and of its last third, in the life that was left alone. */
function memoryTrend() {
  const last = memory.filter(({ pid }) => pid === memory.at(-1)?.pid);
  const third = Math.max(1, Math.floor(last.length / 3));
  const of = (samples: readonly Memory[], field: 'bytes' | 'handles') =>
    median(samples.map((one) => one[field]));
  const [early, late] = [last.slice(0, third), last.slice(-third)];
  const peak = last.toSorted((a, b) => b.bytes - a.bytes)[0];
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  return {
    minutes: Math.round(((last.at(-1)?.atMs ?? 0) - (last[0]?.atMs ?? 0)) / 6_000) / 10,
    earlyMiB: mebibytes(of(early, 'bytes')),
    lateMiB: mebibytes(of(late, 'bytes')),
    maxMiB: mebibytes(peak.bytes),
    maxAtMinute: Math.round((peak.atMs - last[0].atMs) / 6_000) / 10,
    earlyHandles: of(early, 'handles'),
    lateHandles: of(late, 'handles'),
    everyMinuteMiB: last.filter((_, index) => index % 12 === 0).map(({ bytes }) => mebibytes(bytes)),
  };
}

/** Seen as a child of ours once, alive after our end. */
function orphans(): number[] {
  return [...everSeen].filter(([pid, start]) => isRunning(pid) && life(pid) === start).map(([pid]) => pid);
}

async function soak(): Promise<Record<string, unknown>> {
  const clips = await makeClips();
  await using hook = await openUnsteadyReceiver();
  await using service = await startService({
    WORKER_CONCURRENCY: '2',
    DRAIN_SECONDS: '5',
    DISK_RESERVE_BYTES: '0',
  });
  const observing = observe(service);
  const startedMs = performance.now();
  const over = AbortSignal.timeout(durationMs);
  const place = { baseUrl: service.baseUrl, clips, webhookUrl: hook.url, random, ledger, over };
  const progress = setInterval(() => say(JSON.stringify(Object.fromEntries(ledger.counts))), 60_000);
  const clients = Array.from({ length: Number(values.clients) }, () => beClient(place));
  await Promise.all([...clients, haunt(service, startedMs + durationMs)]);
  clearInterval(progress);
  say('waiting for the last jobs and webhooks');
  isHonest = true;
  await allEnded(service.baseUrl, ledger);
  await allTold(service.baseUrl, ledger);
  const ends = Map.groupBy(await allJobs(service.baseUrl), ({ status }) => status);
  clearInterval(observing);
  const code = await service.stop();
  if (code !== 0) ledger.wrong.push(`SIGTERM ended it with ${code}`);
  await sleep(1_000);
  const left = orphans();
  if (left.length > 0) ledger.wrong.push(`processes left: ${left.join(', ')}`);
  const { sweptFiles } = await assertClean(service.dataDir, ledger);
  const trend = memoryTrend();
  if (trend.lateMiB > trend.earlyMiB * 1.25 + 20) ledger.wrong.push(`memory grew: ${JSON.stringify(trend)}`);
  return {
    minutes: Number(values.minutes),
    seed: Number(values.seed),
    jobs: ledger.jobs.size,
    ends: Object.fromEntries([...ends].map(([status, jobs]) => [status, jobs.length])),
    deeds: Object.fromEntries(ledger.counts),
    webhooks: {
      jobsTold: ledger.accepted.size,
      deliveries: [...ledger.accepted.values()].reduce((sum, all) => sum + all.length, 0),
    },
    restartMs: { median: Math.round(median(recoveries)), most: Math.round(percentile(recoveries, 1)) },
    memory: trend,
    processesSeen: everSeen.size,
    filesSweptAfterCrashes: sweptFiles,
    bugsLogged: service.log
      .filter((line) => Number(line['level']) >= 50)
      .map(({ msg, err }) => ({ msg, err })),
    wrong: ledger.wrong,
  };
}

const result = await soak();
console.log(JSON.stringify(result, null, values.json ? 0 : 2));
process.exitCode = ledger.wrong.length === 0 ? 0 : 1;
