/** Cost of a proxy: processor time and bytes for a minute of its source. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { openInput } from '../src/media/av/open-input.ts';
import { displaySize } from '../src/media/av/upright.ts';
import { makeProxy } from '../src/pipeline/engine/proxy-task.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const USAGE = 'node bench/proxy.ts [CLIP …] [--no-save]';
const CLIPS = [
  'edits/edit_landscape_a.mp4',
  'edits/edit_vertical_a.mp4',
  'video/mdn_crystal.mp4',
  'video/roof_zoom_17s.mp4',
  'more/video/bunny_summary_26s.mp4',
  'more/video/concert_phone_vfr_12s.mp4',
  'video/vertical_hdr10_av1.mp4',
].map((name) => join(MEDIA, name));

async function measure(path: string, folder: string) {
  using input = await openInput(path);
  const { width, height } = displaySize(input.video!);
  const proxyPath = join(folder, 'proxy.mp4');
  const before = process.cpuUsage();
  const { durationSeconds } = await makeProxy({ sourcePath: path, proxyPath, durationSeconds: 0 }, () => {});
  const { user, system } = process.cpuUsage(before);
  const perMinute = 60 / durationSeconds;
  return {
    clip: basename(path),
    ...{ width, height, durationSeconds },
    cpuSecondsPerMinute: ((user + system) / 1e6) * perMinute,
    megabytesPerMinute: ((await stat(proxyPath)).size / 1e6) * perMinute,
  };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: { save: { type: 'boolean', default: true }, help: { type: 'boolean' } },
});
if (values.help === true) {
  console.log(USAGE);
  process.exit(0);
}
const conditions = currentConditions();
console.log(conditionsInWords(conditions));
const folder = await mkdtemp(join(tmpdir(), 'styledna-bench-'));
try {
  const figures = [];
  for (const path of positionals.length > 0 ? positionals : CLIPS) figures.push(await measure(path, folder));
  const rows = figures.map(({ clip, width, height, durationSeconds, ...per }) => [
    ...[clip, `${width}×${height}`, durationSeconds.toFixed(1)],
    ...[per.cpuSecondsPerMinute.toFixed(1), per.megabytesPerMinute.toFixed(1)],
  ]);
  console.log(table(['clip', 'size', 'seconds', 'CPU s / min', 'MB / min'], rows));
  if (values.save) console.log(saveResult('proxy', { conditions, figures }));
} finally {
  await rm(folder, { recursive: true, force: true });
}
