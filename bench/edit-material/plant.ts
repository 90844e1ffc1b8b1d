/** Takes with planted faults: known spans of an uncut real clip are damaged. Needs `ffmpeg`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Span } from '../../src/analysis/facts.ts';
import { Random } from '../generate/random.ts';

export type Degree = 'gross' | 'moderate';
export type PlantedFault = 'blurred' | 'shaken' | 'dark' | 'frozen';

export interface PlantedSpan extends Span {
  /** Null: untouched. */
  readonly fault: PlantedFault | null;
}

export interface PlantedTake {
  readonly path: string;
  readonly clip: string;
  readonly spans: readonly PlantedSpan[];
}

/** How a take is stored. */
export interface Storage {
  readonly lines: number;
  /** Arguments of the encoder. */
  readonly encoder: readonly string[];
}

export const STORAGES: readonly Storage[] = [
  { lines: 240, encoder: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '28'] },
  { lines: 360, encoder: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23'] },
  {
    lines: 540,
    encoder: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '0', '-crf', '33'],
  },
  { lines: 1080, encoder: ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '20'] },
];

const FAULT_SECONDS = 3.4;
/** Margin for the shake beside the camera's own zoom. */
const MARGIN = 1.2;
const ASPECT = 16 / 9;
const PING_SECONDS = 5;
const FAULTS: readonly PlantedFault[] = ['blurred', 'shaken', 'dark', 'frozen'];
/** Standard deviation of the blur and amplitude of the shake over the width, decrease of luma (0..1), noise in levels. */
const DEGREES = {
  gross: { sigma: 0.022, shake: 0.08, darker: 1, noise: 0 },
  moderate: { sigma: 0.004, shake: 0.03, darker: 0.35, noise: 10 },
} as const;

export function ffmpeg(words: readonly string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Four faults and one good span of 2 to 4 seconds, in an order that the seed decides. */
function spansOf(random: Random): PlantedSpan[] {
  const order: (PlantedFault | null)[] = [...FAULTS];
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.whole(0, at);
    [order[at], order[other]] = [order[other], order[at]];
  }
  order.splice(random.whole(0, order.length), 0, null);
  const good = random.between(2, 4);
  let startSeconds = 0;
  return order.map((fault) => {
    const endSeconds = startSeconds + (fault === null ? good : FAULT_SECONDS);
    const span = { startSeconds, endSeconds, fault };
    startSeconds = endSeconds;
    return span;
  });
}

/** The clip forwards and backwards, which has no cut however often it is repeated. */
export function pingPong(clip: string, folder: string): string {
  const out = join(folder, `${nameOf(clip)}.ping.mp4`);
  if (existsSync(out)) return out;
  const part = `${out}.${process.pid}.part`;
  const graph = `[0:v]fps=30,scale='min(1280,iw)':-2,format=yuv420p,trim=0:${PING_SECONDS},setpts=PTS-STARTPTS,split[a][b];[b]reverse[c];[a][c]concat`;
  ffmpeg([
    '-i',
    clip,
    '-an',
    '-filter_complex',
    graph,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '10',
    '-f',
    'mp4',
    part,
  ]);
  renameSync(part, out);
  return out;
}

/** Clips of different folders may have one name. */
function nameOf(clip: string): string {
  return `${basename(dirname(clip))}-${basename(clip)}`;
}

/** Makes the take unless the folder has it. */
export function plantTake(
  clip: string,
  degree: Degree,
  seed: number,
  folder: string,
  storage: Storage,
): PlantedTake {
  const spans = spansOf(new Random(seed));
  const path = join(folder, `${nameOf(clip)}.${degree}.${seed}.${storage.lines}.mkv`);
  encode(clip, folder, path, graphOf(spans, degree, storage.lines), spans.at(-1)!.endSeconds, storage);
  return { path, clip, spans };
}

/** The take again, smaller and .05 of gamma lighter. */
export function twinOf({ path, ...take }: PlantedTake): PlantedTake {
  const twin = `${path}.twin.mkv`;
  if (!existsSync(twin)) {
    const part = `${twin}.${process.pid}.part`;
    const filter = 'scale=2*trunc(iw/3):2*trunc(ih/3),eq=gamma=1.05';
    ffmpeg(['-i', path, '-vf', filter, ...STORAGES[1].encoder, '-f', 'matroska', part]);
    renameSync(part, twin);
  }
  return { ...take, path: twin };
}

/** The whole clip blurred, which no edit should show. */
export function blurredTake(clip: string, degree: Degree, folder: string, storage: Storage): string {
  const path = join(folder, `${nameOf(clip)}.${degree}.blurred.${storage.lines}.mkv`);
  const blur = `gblur=sigma=${DEGREES[degree].sigma * widthOf(storage.lines)}`;
  encode(clip, folder, path, `[0:v]${placed(storage.lines, 1)},${blur}`, 2 * PING_SECONDS, storage);
  return path;
}

function encode(
  clip: string,
  folder: string,
  path: string,
  graph: string,
  seconds: number,
  { encoder }: Storage,
): void {
  mkdirSync(folder, { recursive: true });
  if (existsSync(path)) return;
  const part = `${path}.${process.pid}.part`;
  ffmpeg([
    ...['-stream_loop', '-1', '-i', pingPong(clip, folder), '-an', '-t', String(seconds)],
    ...['-filter_complex', graph, '-r', '30', ...encoder, '-f', 'matroska', part],
  ]);
  renameSync(part, path);
}

function widthOf(lines: number): number {
  return 2 * Math.round((lines * ASPECT) / 2);
}

/** Fills a picture of these lines and a margin. */
function placed(lines: number, margin: number): string {
  const size = [widthOf(lines), lines].map((length) => 2 * Math.round((length * margin) / 2)).join(':');
  const fitted = `fps=30,setpts=N/30/TB,scale=${size}:force_original_aspect_ratio=increase`;
  return margin === 1 ? `${fitted},crop=${size}` : fitted;
}

function graphOf(spans: readonly PlantedSpan[], degree: Degree, lines: number): string {
  const { sigma, shake, darker, noise } = DEGREES[degree];
  const width = widthOf(lines);
  const during = (fault: PlantedFault) => {
    const { startSeconds, endSeconds } = spans.find((span) => span.fault === fault)!;
    return `between(t,${startSeconds},${endSeconds})`;
  };
  const frozen = spans.find(({ fault }) => fault === 'frozen')!;
  const [first, last] = [frozen.startSeconds, frozen.endSeconds].map((at) => Math.round(30 * at));
  const sway = (phase: number) =>
    `${shake * width}*${during('shaken')}*(.7*sin(2*PI*3.1*t+${phase})+.3*sin(2*PI*5.3*t+2*${phase}))`;
  const steps = [
    placed(lines, MARGIN),
    `crop=${width}:${lines}:'(iw-ow)/2+${sway(1)}':'(ih-oh)/2+.5*${sway(3)}'`,
    `gblur=sigma=${sigma * width}:enable='${during('blurred')}'`,
    `lutyuv=y='max(16,val-${Math.round(219 * darker)})'${darker === 1 ? ':u=128:v=128' : ''}:enable='${during('dark')}'`,
  ];
  const frost = `split[a][b];[a][b]freezeframes=first=${first}:last=${last}:replace=${first}`;
  const grain = noise === 0 ? '' : `,noise=alls=${noise}:allf=t:enable='${during('frozen')}'`;
  return `[0:v]${steps.join(',')},${frost}${grain}`;
}
