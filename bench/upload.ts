/**
 * Uploads compared with writing the same bytes to the same disk, and with bare HTTP servers that read the
 * same body and drop it, hash it, or write it, as a lower bound for Node. In one run: rate, processor time
 * and memory of the receiver (Linux only). With `--place s3` and the `TEST_S3_…` variables on S3, compared
 * with the SDK's own upload in parts. `node bench/upload.ts [--mib 1024] [--rounds 5] [--place s3]`
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Settings } from '../src/settings/config.ts';
import { median } from '../src/signal/statistics.ts';
import { newS3Client } from '../src/storage/s3-client.ts';
import { newBucket, s3Environment } from '../test/support/s3.ts';
import { processCpuSeconds, residentBytes } from './lib/process-figures.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { listeningAt, type Served, serve, stop } from './lib/served.ts';
import {
  type Body,
  bodyOf,
  bytesOf,
  MIB,
  piecesOf,
  send,
  sendForm,
  sendResumably,
} from './lib/upload-client.ts';

const BARE_SERVER = fileURLToPath(new URL('lib/bare-server.ts', import.meta.url));
const MEMORY_SAMPLE_MS = 50;
/**
 * Between any two measurements: a virtual machine returns freed memory to its host after a while, and
 * allocating it again costs more than the writing itself. So every method starts without it.
 */
const PAUSE_MS = 6000;

interface Figures {
  readonly bytesPerSecond: number;
  /** Of the process that writes: this one, or the service with its children. */
  readonly cpuSeconds: number;
  /** 0 where it is not of interest. */
  readonly peakBytes: number;
}

async function writePlainly(folder: string, body: Body): Promise<void> {
  const path = join(folder, 'plain');
  const file = await open(path, 'w');
  for (const piece of piecesOf(body)) await file.writeFile(piece);
  await file.sync();
  await file.close();
}

async function measured(body: Body, pid: number, work: () => Promise<unknown>): Promise<Figures> {
  await sleep(PAUSE_MS);
  let peakBytes = 0;
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(pid));
  }, MEMORY_SAMPLE_MS);
  const [cpuBefore, startedMs] = [processCpuSeconds(pid), performance.now()];
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  return {
    bytesPerSecond: bytesOf(body) / seconds,
    cpuSeconds: processCpuSeconds(pid) - cpuBefore,
    peakBytes: pid === process.pid ? 0 : peakBytes,
  };
}

const FORMS = { multipart: sendForm, resumable: sendResumably };
/** Mode of the bare server. */
const BARE = {
  'bare: read': ['read'],
  'bare: read, hash': ['read', 'hash'],
  'bare: read, write, sync': ['read', 'write'],
  'bare: all of it': ['read', 'hash', 'write'],
} as const;

interface Way {
  readonly name: string;
  /** Of the process whose figures count. */
  readonly pid: number;
  /** Resolves with what to do afterwards. */
  readonly send: (body: Body) => Promise<() => Promise<void>>;
}

const nothing = async () => {};

function plainWay(folder: string): Way {
  return {
    name: 'plain write + fsync',
    pid: process.pid,
    async send(body) {
      await writePlainly(folder, body);
      return async () => rmSync(join(folder, 'plain'));
    },
  };
}

async function bareWay(name: keyof typeof BARE, folder: string, stack: AsyncDisposableStack): Promise<Way> {
  const child = spawn(process.execPath, [BARE_SERVER, join(folder, 'bare'), ...BARE[name]], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stack.defer(() => stop({ child }));
  const url = await listeningAt(child);
  return {
    name,
    pid: child.pid!,
    async send(body) {
      await send('PUT', url, { 'content-length': bytesOf(body) }, piecesOf(body));
      return async () => rmSync(join(folder, 'bare'), { force: true });
    },
  };
}

function serviceWays({ baseUrl, pid }: Served, where: string): Way[] {
  return Object.entries(FORMS).map(([name, upload]) => ({
    name: `${name}${where}`,
    pid,
    async send(body) {
      const videoId = await upload(baseUrl, body);
      return async () => void (await send('DELETE', `${baseUrl}/api/v1/videos/${videoId}`, {}, []));
    },
  }));
}

/** Parts as large and as many at a time as the service's. */
function sdkWay(settings: S3Settings): Way {
  const client = newS3Client(settings);
  return {
    name: 'S3: the SDK by itself',
    pid: process.pid,
    async send(body) {
      const params = {
        Bucket: settings.bucket,
        Key: 'plain',
        Body: Readable.from(piecesOf(body), { objectMode: false }),
      };
      await new Upload({ client, params, partSize: 8 * MIB, queueSize: 2 }).done();
      return nothing;
    },
  };
}

/** `place`: the storage of an installation. The first method is the reference of the others. */
async function waysOf(place: string, folder: string, stack: AsyncDisposableStack): Promise<readonly Way[]> {
  const settings = { WORKER_CONCURRENCY: '0', MAX_UPLOAD_BYTES: String(2 ** 40) };
  const started = async (name: string, more: Readonly<Record<string, string>> = {}) => {
    const service = await serve(join(folder, name), { ...settings, ...more });
    stack.defer(() => stop(service));
    return service;
  };
  const bare = [];
  for (const name of Object.keys(BARE) as (keyof typeof BARE)[])
    bare.push(await bareWay(name, folder, stack));
  if (place === 's3') {
    const bucket = await newBucket();
    return [sdkWay(bucket), ...serviceWays(await started('s3', s3Environment(bucket)), ', S3')];
  }
  return [plainWay(folder), ...bare, ...serviceWays(await started('data'), '')];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mib: { type: 'string', default: '1024' },
      rounds: { type: 'string', default: '5' },
      place: { type: 'string', default: 'disk' },
      'no-save': { type: 'boolean', default: false },
    },
  });
  const conditions = currentConditions();
  const folder = mkdtempSync(join(tmpdir(), 'styledna-bench-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const body = await bodyOf(folder, Number(values.mib));
  const methods = await waysOf(values.place, folder, stack);
  const rounds = new Map<Way, Figures[]>(methods.map((method) => [method, []]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [method, figures] of rounds) {
      let tidy = nothing;
      figures.push(
        await measured(body, method.pid, async () => {
          tidy = await method.send(body);
        }),
      );
      await tidy();
    }
  }
  console.log(`${conditionsInWords(conditions)}\n\n${values.mib} MiB, medians of ${values.rounds}\n`);
  const rows = rowsOf(methods.map((method) => [method.name, rounds.get(method)!]));
  console.log(table(['way', 'MB/s', 'of the first', 'CPU s', 'peak MB'], rows));
  const named = Object.fromEntries([...rounds].map(([{ name }, figures]) => [name, figures]));
  if (!values['no-save'])
    console.log(`\n${saveResult(`upload-${values.place}`, { conditions, rounds: named })}`);
}

/** Against the first of them; the ratio is formed within each round: a disk's speed drifts. */
function rowsOf(rounds: readonly (readonly [string, readonly Figures[]])[]): string[][] {
  const [, first] = rounds[0];
  return rounds.map(([name, figures]) => {
    const of = (figure: (one: Figures, index: number) => number) => median(figures.map(figure));
    return [
      name,
      (of(({ bytesPerSecond }) => bytesPerSecond) / 1e6).toFixed(0),
      of(({ bytesPerSecond }, index) => bytesPerSecond / first[index].bytesPerSecond).toFixed(2),
      of(({ cpuSeconds }) => cpuSeconds).toFixed(2),
      (Math.max(...figures.map(({ peakBytes }) => peakBytes)) / 1e6).toFixed(0),
    ];
  });
}

await main();
