/** How long a client waits for frames before and after a grade, over HTTP, on analysed videos: the first time, and while a slider moves. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MEDIA } from './lib/long-clip.ts';
import { treeCpuSeconds } from './lib/process-figures.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { type Served, serve, stop, uploaded } from './lib/served.ts';

const USAGE = 'node bench/previews.ts [CLIP …] [--template T] [--moves 12] [--no-save]';
const TEMPLATE = join(MEDIA, 'edits/edit_landscape_a.mp4');
/** Small and large, upright, HDR, of few key frames, of a variable rate. */
const CLIPS = [
  'video/mdn_frog.mp4',
  'video/sam2_dog.mp4',
  'video/greenscreen_speech.mp4',
  'video/bbb_rotated90_51aac.mp4',
  'video/long_363s_1080p.mp4',
  'video/screenrec_vfr.mp4',
  'video/vertical_hdr10_av1.mp4',
  'more/video/hdr10_hevc_1s.mp4',
].map((name) => join(MEDIA, name));

async function send(served: Served, path: string, json: unknown) {
  const answer = await fetch(served.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  const { data } = (await answer.json()) as { data: Record<string, unknown> };
  return { status: answer.status, data };
}

/** Resolves with the id of a video that is analysed. */
async function analysed(served: Served, path: string): Promise<string> {
  const videoId = await uploaded(served, path);
  while ((await send(served, `/api/v1/videos/${videoId}/analysis`, {})).status !== 200) await sleep(500);
  return videoId;
}

interface Times {
  readonly clip: string;
  readonly firstMs: number;
  readonly movesMs: readonly number[];
  readonly keptMs: number;
  /** Of the service and its media processes, for one move. */
  readonly cpuMs: number;
  /** Times of the health checks while previews were drawn. */
  readonly healthMs: readonly number[];
}

async function measure(served: Served, clip: string, templateId: string, moves: number): Promise<Times> {
  const video_id = await analysed(served, clip);
  const ask = async (style_strength: number) => {
    const start = performance.now();
    const { status, data } = await send(served, '/api/v1/previews', {
      video_id,
      template_video_id: templateId,
      config: { style_strength },
    });
    if (status !== 200) throw new Error(`${status} instead of a preview of ${clip}`);
    const picture = await fetch(String(data['file_url']));
    await picture.arrayBuffer();
    return performance.now() - start;
  };
  const firstMs = await ask(0.8);
  const movesMs: number[] = [];
  const before = treeCpuSeconds(served.pid);
  const stop = new AbortController();
  const healthMs = watchHealth(served, stop.signal);
  for (let move = 0; move < moves; move++) movesMs.push(await ask(0.1 + (0.6 * move) / moves));
  stop.abort();
  const spent = (1000 * (treeCpuSeconds(served.pid) - before)) / moves;
  return {
    clip: basename(clip),
    firstMs,
    movesMs,
    keptMs: await ask(0.8),
    cpuMs: spent,
    healthMs: await healthMs,
  };
}

/** Time of a health check, repeated every 20 ms until the signal. */
async function watchHealth({ baseUrl }: Served, signal: AbortSignal): Promise<number[]> {
  const took: number[] = [];
  while (!signal.aborted) {
    const start = performance.now();
    await (await fetch(`${baseUrl}/api/v1/health`)).arrayBuffer();
    took.push(performance.now() - start);
    await sleep(20);
  }
  return took;
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
const inMs = (value: number) => value.toFixed(0);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    template: { type: 'string', default: TEMPLATE },
    moves: { type: 'string', default: '12' },
    save: { type: 'boolean', default: true },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  console.log(USAGE);
  process.exit(0);
}
const conditions = currentConditions();
console.log(conditionsInWords(conditions));
const folder = await mkdtemp(join(tmpdir(), 'styledna-bench-'));
const served = await serve(folder, { LOG_LEVEL: 'info' });
try {
  const templateId = await analysed(served, values.template);
  const times: Times[] = [];
  for (const clip of positionals.length > 0 ? positionals : CLIPS)
    times.push(await measure(served, clip, templateId, Number(values.moves)));
  const all = {
    first: times.map(({ firstMs }) => firstMs),
    moves: times.flatMap(({ movesMs }) => movesMs),
    kept: times.map(({ keptMs }) => keptMs),
  };
  const rows = times.map(({ clip, firstMs, movesMs, keptMs, cpuMs: spent }) => [
    clip,
    ...[firstMs, quantile(movesMs, 0.5), quantile(movesMs, 0.95), spent, keptMs].map(inMs),
  ]);
  for (const share of [0.5, 0.95])
    rows.push([
      `all, p${share * 100}`,
      inMs(quantile(all.first, share)),
      inMs(quantile(all.moves, share)),
      '',
      share === 0.5
        ? inMs(
            quantile(
              times.map(({ cpuMs: spent }) => spent),
              0.5,
            ),
          )
        : '',
      inMs(quantile(all.kept, share)),
    ]);
  console.log(
    table(['clip', 'first ms', 'another strength, p50 ms', 'p95 ms', 'CPU ms', 'same again ms'], rows),
  );
  const health = times.flatMap(({ healthMs }) => healthMs);
  console.log(
    `\nHealth meanwhile: p50 ${inMs(quantile(health, 0.5))} ms, p99 ${inMs(quantile(health, 0.99))} ms`,
  );
  if (values.save) console.log(saveResult('previews', { conditions, times }));
} finally {
  await stop(served);
  await rm(folder, { recursive: true, force: true });
}
