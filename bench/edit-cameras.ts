/**
 * Whether the cameras of an edit match: thirds of a clip, each as another camera would record it, with a grey card in the middle. How far the card
 * differs between shots of two cameras, in CIELAB: the median and the worst pair, beside the same differences in the takes.
 * `node bench/edit-cameras.ts TEMPLATE CLIP … [--folder DIR]` (needs `ffmpeg`)
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { outlineOf } from '../src/media/read/outline.ts';
import { bytesToLab } from '../src/signal/color-space.ts';
import { median } from '../src/signal/statistics.ts';
import { openEditRig } from './edit-judge/rig.ts';
import { ffmpeg } from './edit-material/plant.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

/** Gains of red and blue, and a gamma. Chosen, not measured: the card differs visibly, by 9 and 16 in CIELAB. */
const CAMERAS = {
  plain: { red: 1, blue: 1, gamma: 1 },
  warm: { red: 1.07, blue: 0.9, gamma: 1.12 },
  cool: { red: 0.94, blue: 1.08, gamma: 0.88 },
} as const;
type Camera = keyof typeof CAMERAS;
const NAMES = Object.keys(CAMERAS) as Camera[];
/** Of the card, a share of the picture's sides. */
const CARD = 0.14;
const EDIT_SECONDS = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string', default: join(tmpdir(), 'styledna-cameras') } },
});
const [template, ...clips] = positionals;
if (template === undefined || clips.length === 0) throw new Error('Name a template and clips.');
mkdirSync(values.folder, { recursive: true });
const conditions = currentConditions();
const rig = await openEditRig(values.folder);
const rows: string[][] = [];
for (const clip of clips) rows.push(await scored(clip));
const head = ['clip', 'shots', 'takes: median', 'worst', 'edit: median', 'worst'];
console.log(`${conditionsInWords(conditions)}\n\n${table(head, rows)}`);
console.log(saveResult('edit-cameras', { conditions, rows }));
process.exit(0);

async function scored(clip: string): Promise<string[]> {
  const seconds = (await outlineOf(clip)).durationSeconds ?? 0;
  const takes = NAMES.map((camera, at) =>
    filmed(clip, camera, (seconds * at) / NAMES.length, seconds / NAMES.length),
  );
  const path = join(values.folder, `${basename(clip)}.edit.mp4`);
  const { edit, files } = await rig.render(
    {
      ...{ takes, template: template!, music: null },
      options: { duration: Math.min(EDIT_SECONDS, seconds * 0.6), order: 'free' },
      config: { components: { aspect_ratio: false, stabilization: false }, framing: 'crop' },
    },
    path,
  );
  const shots = edit.slots.map((slot) => {
    const take = files.get(slot.video_id)!;
    return {
      take,
      before: cardAt(take, (slot.source_start_seconds + slot.source_end_seconds) / 2),
      after: cardAt(path, (slot.start_seconds + slot.end_seconds) / 2),
    };
  });
  const pairs = shots.flatMap((one, at) =>
    shots.slice(at + 1).flatMap((other) => (one.take === other.take ? [] : [[one, other] as const])),
  );
  const differences = (name: 'before' | 'after') =>
    pairs.map(([one, other]) => distance(one[name], other[name]));
  const inWords = (all: readonly number[]) => [median(all).toFixed(1), Math.max(...all).toFixed(1)];
  return [
    basename(clip),
    String(shots.length),
    ...inWords(differences('before')),
    ...inWords(differences('after')),
  ];
}

function filmed(clip: string, camera: Camera, start: number, seconds: number): string {
  const path = join(values.folder, `${basename(clip)}.${camera}.mp4`);
  const { red, blue, gamma } = CAMERAS[camera];
  const level = (gain: number) => `clip(255*pow(val/255\\,${(1 / gamma).toFixed(4)})*${gain}\\,0\\,255)`;
  const card = `drawbox=x=iw*${0.5 - CARD / 2}:y=ih*${0.5 - CARD / 2}:w=iw*${CARD}:h=ih*${CARD}:color=0x777777:t=fill`;
  ffmpeg([
    ...['-ss', String(start), '-t', String(seconds), '-i', clip, '-an'],
    ...[
      '-vf',
      `${card},format=rgb24,lutrgb=r='${level(red)}':g='${level(1)}':b='${level(blue)}',format=yuv420p`,
    ],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', path],
  ]);
  return path;
}

/** Mean color of the card's middle. */
function cardAt(path: string, seconds: number): number[] {
  const crop = `crop=iw*${CARD / 3}:ih*${CARD / 3},scale=1:1:flags=area,format=rgb24`;
  const words = [
    ...['-v', 'error', '-ss', seconds.toFixed(3), '-i', path],
    ...['-frames:v', '1', '-vf', crop, '-f', 'rawvideo', '-'],
  ];
  const [red, green, blue] = execFileSync('ffmpeg', words);
  const lab = new Float64Array(3);
  bytesToLab(red!, green!, blue!, lab);
  return [...lab];
}

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.hypot(...one.map((value, at) => value - other[at]!));
}
