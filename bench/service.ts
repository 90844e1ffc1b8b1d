/**
 * Waiting times of a client: creation of jobs compared with a bare route, lists of many jobs, the time until
 * a job begins and until a known pair is rendered; and the service's memory (Linux only). `node
 * bench/service.ts [--requests 3000] [--stored 100000]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openPglite } from '../src/database/pglite.ts';
import { median, quantile } from '../src/signal/statistics.ts';
import { writeDrawnClip } from '../test/support/drawn-clip.ts';
import { peakResidentBytes, residentBytes } from './lib/process-figures.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { listeningAt, type Served, serve, stop, uploaded } from './lib/served.ts';

const BARE = fileURLToPath(new URL('lib/bare-route.ts', import.meta.url));
const CLIENTS = 32;
const LIST_REQUESTS = 300;
const WARM_UP = 300;
const STARTS = 30;
const KNOWN_PAIRS = 8;
const SETTLE_MS = 5000;
const POLL_MS = 5;

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

/** The `data` of the answer. */
// biome-ignore lint/suspicious/noExplicitAny: any answer of the service
async function ask(method: string, url: string, json?: unknown): Promise<any> {
  const body = json === undefined ? null : JSON.stringify(json);
  const headers =
    body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sending = request(url, { method, agent, headers });
  sending.end(body);
  const [answer] = await once(sending, 'response');
  const words = await text(answer);
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${words}`);
  return JSON.parse(words).data;
}

interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** So many requests by so many clients, each sending the next when the last was answered. */
async function load(count: number, clients: number, send: () => Promise<unknown>): Promise<Load> {
  const took: number[] = [];
  let left = count;
  const startedMs = performance.now();
  const client = async () => {
    while (left-- > 0) {
      const sentMs = performance.now();
      await send();
      took.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return {
    perSecond: (1000 * count) / (performance.now() - startedMs),
    p50Ms: median(took),
    p99Ms: quantile(took, 0.99),
  };
}

async function uploadClip(served: Served, folder: string, level: number): Promise<string> {
  const path = join(folder, `${level}.mp4`);
  const size = { width: 160, height: 90, frameRate: { numerator: 25, denominator: 1 } };
  await writeDrawnClip(path, { ...size, durationSeconds: 0.6, draw: (rgb) => void rgb.fill(level) });
  return uploaded(served, path);
}

async function bareRoute(folder: string, count: number): Promise<Load> {
  const child = spawn(process.execPath, [BARE, join(folder, 'bare')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const baseUrl = await listeningAt(child);
  const body = { video_id: '0198c2f4-0000-7000-8000-000000000000', config: {} };
  const send = () => ask('POST', `${baseUrl}/rows`, body);
  await load(WARM_UP, CLIENTS, send);
  const figures = await load(count, CLIENTS, send);
  await stop({ child });
  return figures;
}

/** Adds cancelled jobs to the database of a service that is stopped. */
async function storeJobs(dataDir: string, count: number): Promise<void> {
  const database = await openPglite(join(dataDir, 'database'));
  await database.query(
    `insert into jobs select made.*
     from (select job from jobs job where status = 'queued' limit 1) as one, generate_series(1, $1::integer) as n,
       jsonb_populate_record(one.job, jsonb_build_object('job_id', gen_random_uuid(), 'status', 'cancelled',
         'created_at', (one.job).created_at - n * interval '10 ms', 'completed_at', now())) as made`,
    [count],
  );
  // As the service itself does before long.
  await database.query('vacuum (analyze) jobs');
  await database.close();
}

/** First, middle and last page, in turn. */
async function listPages({ baseUrl }: Served): Promise<Load> {
  const { total, page_size } = await ask('GET', `${baseUrl}/api/v1/jobs`);
  const last = Math.ceil(total / page_size);
  const pages = [1, Math.ceil(last / 2), last];
  let turn = 0;
  const send = () => ask('GET', `${baseUrl}/api/v1/jobs?page=${pages[turn++ % pages.length]}`);
  await load(pages.length * 10, 1, send);
  return load(LIST_REQUESTS, 1, send);
}

async function whenEnded(baseUrl: string, jobId: string) {
  for (;;) {
    const job = await ask('GET', `${baseUrl}/api/v1/jobs/${jobId}`);
    if (job.completed_at !== null) return job;
    await sleep(50);
  }
}

/** From creation to the first stage, of a worker with nothing else to do, by the service's own clock. */
async function startTimes({ baseUrl }: Served, videoId: string): Promise<number[]> {
  const waits: number[] = [];
  for (let round = 0; round <= STARTS; round++) {
    const { job_id } = await ask('POST', `${baseUrl}/api/v1/jobs`, { video_id: videoId });
    const job = await whenEnded(baseUrl, job_id);
    waits.push(Date.parse(job.started_at) - Date.parse(job.created_at));
  }
  return waits.slice(1);
}

/** From the request to the sight of `style_application` or what follows, everything about both clips being known. */
async function knownPairTimes({ baseUrl }: Served, source: string, template: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= KNOWN_PAIRS; round++) {
    const sentMs = performance.now();
    const body = { video_id: source, template_video_id: template, config: { seed: round } };
    const { job_id } = await ask('POST', `${baseUrl}/api/v1/jobs`, body);
    for (;;) {
      const { current_stage, status } = await ask('GET', `${baseUrl}/api/v1/jobs/${job_id}`);
      if (['style_application', 'rendering'].includes(current_stage) || status === 'completed') break;
      await sleep(POLL_MS);
    }
    times.push(performance.now() - sentMs);
    await whenEnded(baseUrl, job_id);
  }
  return times.slice(1);
}

interface Figures {
  readonly memory: { readonly peakBytes: number; readonly idleBytes: number; readonly loadedBytes: number };
  readonly startsMs: readonly number[];
  readonly knownMs: readonly number[];
  readonly created: Load;
  readonly bare: Load;
  readonly few: Load;
  readonly many: Load;
}

/** One service after the other on one folder: with a worker, without, and with many jobs stored. */
async function measure(folder: string, requests: number, stored: number): Promise<Figures> {
  const dataDir = join(folder, 'data');
  const during = async <Result>(
    environment: Record<string, string>,
    work: (service: Served) => Promise<Result>,
  ) => {
    const service = await serve(dataDir, environment);
    try {
      return await work(service);
    } finally {
      await stop(service);
    }
  };
  const idle = { WORKER_CONCURRENCY: '0' };
  const working = await during({}, async (service) => {
    await sleep(SETTLE_MS);
    const memory = { peakBytes: peakResidentBytes(service.pid), idleBytes: residentBytes(service.pid) };
    const [source, template] = [
      await uploadClip(service, folder, 90),
      await uploadClip(service, folder, 160),
    ];
    const startsMs = await startTimes(service, source);
    return { memory, source, startsMs, knownMs: await knownPairTimes(service, source, template) };
  });
  const { source, startsMs, knownMs } = working;
  const loaded = await during(idle, async (service) => {
    const few = await listPages(service);
    const create = () => ask('POST', `${service.baseUrl}/api/v1/jobs`, { video_id: source });
    await load(WARM_UP, CLIENTS, create);
    const created = await load(requests, CLIENTS, create);
    return { few, created, loadedBytes: residentBytes(service.pid) };
  });
  const bare = await bareRoute(folder, requests);
  await storeJobs(dataDir, stored);
  const many = await during(idle, listPages);
  const { few, created, loadedBytes } = loaded;
  return { memory: { ...working.memory, loadedBytes }, startsMs, knownMs, few, created, bare, many };
}

function rowsOf(figures: Figures, requests: number, stored: number): string[][] {
  const { memory, startsMs, knownMs, created, bare, few, many } = figures;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  return [
    [`creation of jobs, ${CLIENTS} clients, a second`, created.perSecond.toFixed(0)],
    ['a bare route that inserts one row, a second', bare.perSecond.toFixed(0)],
    ['creation against the bare route', (created.perSecond / bare.perSecond).toFixed(2)],
    ['creation, p50, p99', `${ms(created.p50Ms)}, ${ms(created.p99Ms)}`],
    [`first, middle and last page, ${STARTS + KNOWN_PAIRS + 2} jobs stored, p99`, ms(few.p99Ms)],
    [`the same, ${stored} jobs stored, p99`, ms(many.p99Ms)],
    [
      'from creation to the first stage, idle worker, p50, p95',
      `${ms(median(startsMs))}, ${ms(quantile(startsMs, 0.95))}`,
    ],
    ['known source and template, to style_application, p50', ms(median(knownMs))],
    [
      'memory of the service: most at its start, then',
      `${megabytes(memory.peakBytes)}, ${megabytes(memory.idleBytes)}`,
    ],
    [`memory after ${requests + WARM_UP} creations`, megabytes(memory.loadedBytes)],
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '3000' },
      stored: { type: 'string', default: '100000' },
      'no-save': { type: 'boolean', default: false },
    },
  });
  const [requests, stored] = [Number(values.requests), Number(values.stored)];
  const conditions = currentConditions();
  const folder = mkdtempSync(join(tmpdir(), 'styledna-bench-'));
  try {
    const figures = await measure(folder, requests, stored);
    const rows = rowsOf(figures, requests, stored);
    console.log(`${conditionsInWords(conditions)}\n\n${table(['what', 'measured'], rows)}`);
    if (!values['no-save']) console.log(`\n${saveResult('service', { conditions, ...figures })}`);
  } finally {
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
