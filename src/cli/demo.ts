import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pino } from 'pino';
import { openService } from '../compose.ts';
import { readConfig } from '../config.ts';
import { Failure } from '../errors.ts';
import { type Command, EXIT, stringOption, UsageError } from './command.ts';
import { makeDemoSource, makeDemoTemplate } from './demo-clips.ts';
import { assertWritable } from './output-file.ts';
import { ProgressLine } from './progress-line.ts';
import { timeText } from './time-left.ts';

export const demo: Command = {
  summary: 'Show the main job: two videos in over HTTP, one out',
  usage: '[SOURCE TEMPLATE] [-o OUT.mp4] [-q QUALITY]',
  help: `Starts a service of its own in a temporary folder, uploads your video and a template, runs a job through its six
stages and saves the result. Without arguments it draws two short clips first.

Options
  -o, --output FILE   default: out/demo.mp4
  -q, --quality Q     low, medium (default), high or ultra

Example
  npm run demo -- holiday.mp4 trailer.mp4`,
  options: { output: { type: 'string', short: 'o' }, quality: { type: 'string', short: 'q' } },
  async run(call) {
    if (![0, 2].includes(call.positionals.length))
      throw new UsageError('Give both SOURCE and TEMPLATE, or neither');
    const asked = stringOption(call, 'output');
    if (asked !== undefined) await assertWritable(asked, 'video');
    const output = resolve(asked ?? 'out/demo.mp4');
    const folder = await mkdtemp(join(tmpdir(), 'styledna-demo-'));
    const config = readConfig({
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'error',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    });
    try {
      const [source, template] = call.positionals.length === 2 ? call.positionals : await drawClips(folder);
      const service = await openService(config, pino({ level: config.LOG_LEVEL, base: null }));
      try {
        const base = await service.startHttp();
        await service.startWork();
        console.log(`The service listens on ${base}`);
        const config = { quality: stringOption(call, 'quality') ?? 'medium' };
        await runJob(new Client(base, call.signal), { source: source!, template: template!, output, config });
      } finally {
        await service.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return EXIT.done;
  },
};

async function drawClips(folder: string): Promise<[string, string]> {
  console.log('Drawing two short clips …');
  const paths: [string, string] = [join(folder, 'source.mp4'), join(folder, 'template.mp4')];
  await makeDemoSource(paths[0]);
  await makeDemoTemplate(paths[1]);
  return paths;
}

interface JobAnswer {
  readonly job_id: string;
  readonly status: string;
  readonly progress_percent: number;
  readonly current_stage: string | null;
  readonly output_video_url: string | null;
  readonly processing_time_seconds: number | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly warnings: readonly { readonly message: string }[];
  readonly style_json: Readonly<Record<string, unknown>> | null;
}

/** Speaks to the service as any client would: over HTTP. */
class Client {
  readonly #base: string;
  readonly #signal: AbortSignal;

  constructor(base: string, signal: AbortSignal) {
    this.#base = base;
    this.#signal = signal;
  }

  async upload(path: string): Promise<string> {
    const form = new FormData();
    form.append('file', await openAsBlob(path), basename(path));
    const { video_id } = await this.#call<{ video_id: string }>('videos/upload', {
      method: 'POST',
      body: form,
    });
    return video_id;
  }

  create(body: object): Promise<JobAnswer> {
    const headers = { 'content-type': 'application/json' };
    return this.#call<JobAnswer>('jobs', { method: 'POST', headers, body: JSON.stringify(body) });
  }

  job(jobId: string): Promise<JobAnswer> {
    return this.#call<JobAnswer>(`jobs/${jobId}`);
  }

  result(jobId: string): Promise<JobAnswer> {
    return this.#call<JobAnswer>(`jobs/${jobId}/result`);
  }

  async download(url: string, path: string): Promise<void> {
    const response = await fetch(url, { signal: this.#signal });
    await mkdir(dirname(path), { recursive: true });
    await pipeline(
      Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
      createWriteStream(path),
    );
  }

  async #call<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(`${this.#base}/api/v1/${path}`, { ...init, signal: this.#signal });
    const body = (await response.json()) as {
      success: boolean;
      data: T;
      error: { code: string; detail: string };
    };
    if (!body.success)
      throw new Failure('INVALID_VIDEO', `${body.error.detail} [HTTP ${response.status} ${body.error.code}]`);
    return body.data;
  }
}

const POLL_MS = 250;

async function runJob(
  client: Client,
  request: { source: string; template: string; output: string; config: object },
): Promise<void> {
  const videoId = await client.upload(request.source);
  const templateId = await client.upload(request.template);
  console.log(`Uploaded ${basename(request.source)} and the template ${basename(request.template)}`);
  const { job_id } = await client.create({
    video_id: videoId,
    template_video_id: templateId,
    config: request.config,
  });
  console.log(`Job ${job_id}`);
  await watch(client, job_id);
  const result = await client.result(job_id);
  if (result.status !== 'completed') {
    throw new Failure(
      'INVALID_VIDEO',
      `The job ended as ${result.status}: ${result.error?.detail ?? 'no reason given'} [${result.error?.code ?? ''}]`,
    );
  }
  for (const { message } of result.warnings) console.log(`  note: ${message}`);
  await client.download(result.output_video_url!, request.output);
  console.log(`  style: ${styleInWords(result.style_json ?? {})}`);
  console.log(`Done in ${timeText(result.processing_time_seconds ?? 0)}. The video in the template's style:`);
  console.log(request.output);
}

/** One bar on a terminal; elsewhere a line for every stage and every ten percent. */
async function watch(client: Client, jobId: string): Promise<void> {
  const line = new ProgressLine('  working');
  let said = '';
  for (;;) {
    const job = await client.job(jobId);
    line.update(job.progress_percent / 100);
    const word = `${job.current_stage ?? job.status} ${Math.floor(job.progress_percent / 10)}`;
    if (!process.stderr.isTTY && word !== said) {
      console.log(`  ${job.progress_percent.toFixed(1).padStart(5)} %  ${job.current_stage ?? job.status}`);
    }
    said = word;
    if (['completed', 'failed', 'cancelled'].includes(job.status)) break;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  line.end();
}

function styleInWords(style: Readonly<Record<string, unknown>>): string {
  const number = (name: string, digits: number) => Number(style[name]).toFixed(digits);
  const tempo = style['tempo_bpm'] === undefined ? 'no tempo' : `${number('tempo_bpm', 1)} BPM`;
  return `${style['aspect_ratio']}, ${style['frame_rate']} frames/s, ${number('cut_frequency', 2)} cuts/s, ${tempo}`;
}
