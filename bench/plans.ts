/** How long a client waits for a plan as data, over HTTP, on measured videos: the first, and after each change. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from '../src/signal/statistics.ts';
import { MEDIA } from './lib/long-clip.ts';
import { treeCpuSeconds } from './lib/process-figures.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { type Served, serve, stop, uploaded } from './lib/served.ts';

const USAGE = 'node bench/plans.ts [--moves 5] [--no-save]';
const TEMPLATE = join(MEDIA, 'edits/edit_vertical_a.mp4');
const SONG = join(MEDIA, 'music/feelings_95bpm_60s.ogg');
const TAKES = [
  'video/mdn_crystal.mp4',
  'video/mdn_flower.mp4',
  'video/mdn_frog.mp4',
  'video/mdn_pig.mp4',
  'video/roof_zoom_17s.mp4',
  'video/cartoon_surf_8s.mp4',
  'video/cartoon_cake_8s.mp4',
  'video/nasa_webb_13s.mp4',
  'more/video/mdn_monster.mp4',
  'more/video/sam2_cups.mp4',
].map((name) => join(MEDIA, name));

interface Slot {
  readonly video_id: string;
  readonly source_start_seconds: number;
  readonly alternatives: readonly { readonly video_id: string; readonly source_start_seconds: number }[];
}
interface Preview {
  readonly status: string;
  readonly url: string;
  readonly error: unknown;
  readonly edit: { readonly slots: readonly Slot[] } | null;
}

async function ask({ baseUrl }: Served, request: object) {
  const start = performance.now();
  const answer = await fetch(`${baseUrl}/api/v1/previews`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, kind: 'plan' }),
  });
  const text = await answer.text();
  const tookMs = performance.now() - start;
  const { data } = JSON.parse(text) as { data: Preview };
  return { tookMs, status: answer.status, bytes: text.length, data };
}

/** Resolves when everything that the request needs is measured. */
async function measured(served: Served, request: object): Promise<void> {
  let { data } = (await ask(served, request)) as { data: Preview };
  while (data.status === 'queued' || data.status === 'processing') {
    await sleep(1000);
    data = ((await (await fetch(data.url)).json()) as { data: Preview }).data;
  }
  if (data.status !== 'completed') throw new Error(JSON.stringify(data.error));
}

/** `changeOf`: the request after a number of changes; 0: the first. */
async function measure(
  served: Served,
  what: string,
  moves: number,
  changeOf: (move: number, first: Preview | null) => object,
) {
  const first = await ask(served, changeOf(0, null));
  const before = treeCpuSeconds(served.pid);
  const movesMs: number[] = [];
  for (let move = 1; move <= moves; move++) {
    const { tookMs, status } = await ask(served, changeOf(move, first.data));
    if (status !== 200) throw new Error(`${status} instead of a plan`);
    movesMs.push(tookMs);
  }
  const cpuMs = (1000 * (treeCpuSeconds(served.pid) - before)) / moves;
  return { what, firstMs: first.tookMs, medianMs: median(movesMs), cpuMs, bytes: first.bytes };
}

const { values } = parseArgs({
  allowNegative: true,
  options: {
    moves: { type: 'string', default: '5' },
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
const served = await serve(folder, {});
try {
  const ids: string[] = [];
  for (const path of TAKES) ids.push(await uploaded(served, path));
  const [video_id, ...others] = ids as [string, ...string[]];
  const template_video_id = await uploaded(served, TEMPLATE);
  const music = { video_id: await uploaded(served, SONG) };
  const takes = others.map((id) => ({ video_id: id }));
  const one = { video_id, template_video_id };
  const many = { ...one, edit: { takes, music, duration: 20, order: 'free' } };
  const at = (request: object, move: number) => ({ ...request, config: { style_strength: 0.9 - move / 20 } });
  await measured(served, many);
  const moves = Number(values.moves);
  const figures = [
    await measure(served, 'one video, strength', moves, (move) => at(one, move)),
    await measure(served, 'ten takes and a song, strength', moves, (move) => at(many, move)),
    await measure(served, 'ten takes and a song, a pin', moves, (move, first) => {
      const { video_id: id, source_start_seconds: start_seconds } = first?.edit?.slots[move]
        ?.alternatives[0] ?? { video_id, source_start_seconds: 0 };
      const pins = move === 0 ? [] : [{ slot: move, video_id: id, start_seconds }];
      return { ...many, edit: { ...many.edit, pins } };
    }),
  ];
  const rows = figures.map(({ what, firstMs, medianMs, cpuMs, bytes }) => [
    what,
    ...[firstMs, medianMs, cpuMs, bytes / 1000].map((value) => value.toFixed(0)),
  ]);
  console.log(table(['plan', 'first ms', 'changed, p50 ms', 'CPU ms', 'kB'], rows));
  if (values.save) console.log(saveResult('plans', { conditions, figures }));
} finally {
  await stop(served);
  await rm(folder, { recursive: true, force: true });
}
