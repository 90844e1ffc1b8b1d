/**
 * Uploading against writing the same bytes to the same disk, in one run: rate, processor time and memory of the service
 * (Linux only). `node bench/upload.ts [--mib 1024] [--rounds 5]`
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { writeDrawnClip } from '../src/media/encode/drawn-clip.ts';
import { median } from '../src/signal/statistics.ts';
import { processCpuSeconds, residentBytes } from './lib/process-figures.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { serve, stop } from './lib/served.ts';

const MIB = 1 << 20;
const BLOCK = randomBytes(MIB);
const MEMORY_SAMPLE_MS = 50;
/**
 * Between any two measurements: a virtual machine gives freed memory back to its host after a while, and taking it anew
 * costs more than the writing itself. So every way finds it gone.
 */
const PAUSE_MS = 6000;

/** A file as a few blocks: some bytes, then one block over and over. */
interface Body {
  readonly head: Buffer;
  readonly blocks: number;
}

interface Figures {
  readonly bytesPerSecond: number;
  /** Of the process that writes: this one, or the service with its children. */
  readonly cpuSeconds: number;
  /** 0 where it is not of interest. */
  readonly peakBytes: number;
}

const bytesOf = ({ head, blocks }: Body) => head.length + blocks * MIB;

function* piecesOf({ head, blocks }: Body): Generator<Buffer> {
  yield head;
  for (let block = 0; block < blocks; block++) yield BLOCK;
}

/** A clip made as large as wanted by a box that readers skip (ISO/IEC 14496-12, `free` with a 64-bit size). */
async function bodyOf(folder: string, mebibytes: number): Promise<Body> {
  const path = join(folder, 'clip.mp4');
  await writeDrawnClip(path, {
    width: 320,
    height: 180,
    frameRate: { numerator: 25, denominator: 1 },
    durationSeconds: 2,
    draw: (rgb, seconds) => void rgb.fill(Math.round(100 * seconds)),
  });
  const box = Buffer.alloc(16);
  box.writeUInt32BE(1);
  box.write('free', 4, 'latin1');
  box.writeBigUInt64BE(BigInt(16 + mebibytes * MIB), 8);
  return { head: Buffer.concat([readFileSync(path), box]), blocks: mebibytes };
}

async function writePlainly(folder: string, body: Body): Promise<void> {
  const path = join(folder, 'plain');
  const file = await open(path, 'w');
  for (const piece of piecesOf(body)) await file.writeFile(piece);
  await file.sync();
  await file.close();
}

async function send(
  method: string,
  url: string,
  headers: OutgoingHttpHeaders,
  pieces: Iterable<Buffer>,
): Promise<{ headers: NodeJS.Dict<string | string[]>; body: string }> {
  const sending = request(url, { method, headers });
  const answered = once(sending, 'response');
  for (const piece of pieces) if (!sending.write(piece)) await once(sending, 'drain');
  sending.end();
  const [answer] = await answered;
  const body = await text(answer);
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${body}`);
  return { headers: answer.headers, body };
}

/** Returns the video's id. */
async function sendForm(baseUrl: string, body: Body): Promise<string> {
  const boundary = 'bench-of-the-upload';
  const before = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`,
  );
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': before.length + bytesOf(body) + after.length,
  };
  const pieces = [before, ...piecesOf(body), after];
  const answer = await send('POST', `${baseUrl}/api/v1/videos/upload`, headers, pieces);
  return JSON.parse(answer.body).data.video_id;
}

async function sendResumably(baseUrl: string, body: Body): Promise<string> {
  const tus = { 'tus-resumable': '1.0.0' };
  const uploads = `${baseUrl}/api/v1/uploads`;
  const created = await send('POST', uploads, { ...tus, 'upload-length': bytesOf(body) }, []);
  const piece = {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'content-length': bytesOf(body),
    'upload-offset': 0,
  };
  const { headers } = await send('PATCH', `${baseUrl}${created.headers['location']}`, piece, piecesOf(body));
  return String(headers['x-video-id']);
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

const WAYS = ['plain write + fsync', 'multipart', 'resumable'] as const;
type Rounds = Record<(typeof WAYS)[number], Figures[]>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mib: { type: 'string', default: '1024' },
      rounds: { type: 'string', default: '5' },
      'no-save': { type: 'boolean', default: false },
    },
  });
  const conditions = currentConditions();
  const folder = mkdtempSync(join(tmpdir(), 'styledna-bench-'));
  const service = await serve(join(folder, 'data'), {
    WORKER_CONCURRENCY: '0',
    MAX_UPLOAD_BYTES: String(2 ** 40),
  });
  try {
    const body = await bodyOf(folder, Number(values.mib));
    const rounds: Rounds = { 'plain write + fsync': [], multipart: [], resumable: [] };
    for (let round = 0; round < Number(values.rounds); round++) {
      rounds['plain write + fsync'].push(await measured(body, process.pid, () => writePlainly(folder, body)));
      rmSync(join(folder, 'plain'));
      for (const [way, upload] of [
        ['multipart', sendForm],
        ['resumable', sendResumably],
      ] as const) {
        let videoId = '';
        const figures = await measured(body, service.pid, async () => {
          videoId = await upload(service.baseUrl, body);
        });
        rounds[way].push(figures);
        await send('DELETE', `${service.baseUrl}/api/v1/videos/${videoId}`, {}, []);
      }
    }
    console.log(`${conditionsInWords(conditions)}\n\n${values.mib} MiB, medians of ${values.rounds}\n`);
    console.log(table(['way', 'MB/s', 'of plain', 'CPU s', 'peak MB'], rowsOf(rounds)));
    if (!values['no-save']) console.log(`\n${saveResult('upload', { conditions, rounds })}`);
  } finally {
    await stop(service);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The ratio is formed within each round: a disk's speed drifts. */
function rowsOf(rounds: Rounds): string[][] {
  const plain = rounds['plain write + fsync'];
  return WAYS.map((way) => {
    const of = (figure: (one: Figures, index: number) => number) => median(rounds[way].map(figure));
    return [
      way,
      (of(({ bytesPerSecond }) => bytesPerSecond) / 1e6).toFixed(0),
      of(({ bytesPerSecond }, index) => bytesPerSecond / plain[index]!.bytesPerSecond).toFixed(2),
      of(({ cpuSeconds }) => cpuSeconds).toFixed(2),
      (Math.max(...rounds[way].map(({ peakBytes }) => peakBytes)) / 1e6).toFixed(0),
    ];
  });
}

await main();
