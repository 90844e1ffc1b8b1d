/**
 * What x264 loses and gains by the settings of a quality that differ from its preset: each clip is encoded both ways, in turn, by a stock
 * `ffmpeg`, as it is and as an upright crop that is enlarged to 1080×1920.
 * The rate is compared at the same SSIM and at the same PSNR, both of luma, along the curve that the preset draws at three CRFs.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Compression } from '../src/domain/compression.ts';
import { QUALITIES, type Quality } from '../src/domain/job-choices.ts';
import { mean, median } from '../src/signal/statistics.ts';
import { measureCost } from './lib/cost.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const { values, positionals: clips } = parseArgs({
  allowPositionals: true,
  options: {
    quality: { type: 'string', default: 'medium' },
    frames: { type: 'string', default: '120' },
    start: { type: 'string', default: '1' },
  },
});
const USAGE = 'node bench/compression.ts CLIP … [--quality low|medium|high|ultra] [--frames 120] [--start 1]';
if (clips.length === 0 || !Object.hasOwn(QUALITIES, values.quality)) throw new Error(`Usage: ${USAGE}`);
const { compression } = QUALITIES[values.quality as Quality];
const UPRIGHT = 'crop=2*floor(ih*9/32):ih,scale=1080:1920:flags=bicubic,setsar=1';
/** The preset's curve reaches so many steps of CRF to either side. */
const REACH = 2;
const ROUNDS = 3;

/** A finished encoding: its size, and how near it is to what went in. */
interface Encoding {
  readonly bytes: number;
  readonly ssimDb: number;
  readonly psnrDb: number;
}

/** Throws what the program says when it fails. */
function ffmpeg(words: readonly string[]): string {
  const { status, stderr } = spawnSync('ffmpeg', ['-nostdin', '-y', ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ffmpeg ${words.join(' ')} ended with ${status}: ${stderr}`);
  return stderr;
}

async function encode(input: string, output: string, { preset, crf, partitions }: Compression) {
  const divided = partitions === undefined ? [] : ['-partitions', partitions];
  const words = [
    '-v',
    'error',
    '-i',
    input,
    '-c:v',
    'libx264',
    '-preset',
    preset,
    '-crf',
    `${crf}`,
    ...divided,
  ];
  const { cost } = await measureCost(async () => ffmpeg([...words, '-g', '60', '-threads', '3', output]));
  return cost.cpuSeconds;
}

function likeness(input: string, output: string): Encoding {
  const compare = '[0:v]split[a][b];[1:v]split[c][d];[a][c]ssim;[b][d]psnr';
  const said = ffmpeg(['-v', 'info', '-i', input, '-i', output, '-lavfi', compare, '-f', 'null', '-']);
  const figure = (pattern: RegExp) => Number(pattern.exec(said)?.[1]);
  return {
    bytes: statSync(output).size,
    ssimDb: -10 * Math.log10(1 - figure(/SSIM Y:([\d.]+)/)),
    psnrDb: figure(/PSNR y:([\d.]+)/),
  };
}

/** How much larger it is than what the preset makes of the same likeness, as a share. */
function excess(one: Encoding, curve: readonly Encoding[], by: 'ssimDb' | 'psnrDb'): number {
  const points = curve.toSorted((a, b) => a[by] - b[by]);
  // Beyond the curve's ends its last part goes on.
  const above = points.findIndex((point, index) => index > 0 && point[by] >= one[by]);
  const right = above < 0 ? points.length - 1 : above;
  const [low, high] = [points[right - 1]!, points[right]!];
  const share = (one[by] - low[by]) / (high[by] - low[by]);
  return one.bytes / (low.bytes * (high.bytes / low.bytes) ** share) - 1;
}

async function measure(clip: string, filter: string, folder: string) {
  const input = join(folder, 'input.mkv');
  const [whole, encoded] = [['-ss', values.start, '-i', clip], join(folder, 'encoded.mp4')];
  const kept = [
    '-frames:v',
    values.frames,
    '-an',
    '-vf',
    `${filter},format=yuv420p`,
    '-c:v',
    'rawvideo',
    input,
  ];
  ffmpeg(['-v', 'error', ...whole, ...kept]);
  const plain = { preset: compression.preset, crf: compression.crf };
  const curve: Encoding[] = [];
  for (const step of [-REACH, 0, REACH]) {
    await encode(input, encoded, { ...plain, crf: plain.crf + step });
    curve.push(likeness(input, encoded));
  }
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = await encode(input, encoded, plain);
    costs.push((await encode(input, encoded, compression)) / before);
  }
  const found = likeness(input, encoded);
  return {
    cpu: median(costs),
    bytes: found.bytes / curve[1]!.bytes - 1,
    atSsim: excess(found, curve, 'ssimDb'),
    atPsnr: excess(found, curve, 'psnrDb'),
  };
}

const conditions = currentConditions();
const folder = mkdtempSync(join(tmpdir(), 'styledna-compression-'));
try {
  const rows: { name: string; cpu: number; bytes: number; atSsim: number; atPsnr: number }[] = [];
  for (const clip of clips)
    for (const [shape, filter] of [
      ['as it is', 'null'],
      ['upright', UPRIGHT],
    ] as const)
      rows.push({ name: `${basename(clip)}, ${shape}`, ...(await measure(clip, filter, folder)) });
  const of = (field: 'cpu' | 'bytes' | 'atSsim' | 'atPsnr') => mean(rows.map((row) => row[field]));
  const all = { cpu: of('cpu'), bytes: of('bytes'), atSsim: of('atSsim'), atPsnr: of('atPsnr') };
  const percent = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`;
  const lines = [...rows, { name: 'mean', ...all }].map(({ name, cpu, bytes, atSsim, atPsnr }) => [
    name,
    cpu.toFixed(2),
    ...[bytes, atSsim, atPsnr].map(percent),
  ]);
  console.log(`${values.quality}: ${JSON.stringify(compression)}\n${conditionsInWords(conditions)}\n`);
  console.log(table(['clip', 'CPU ×', 'size', 'rate at its SSIM', 'rate at its PSNR'], lines));
  console.log(`\n${saveResult('compression', { conditions, compression, rows })}`);
} finally {
  rmSync(folder, { recursive: true });
}
