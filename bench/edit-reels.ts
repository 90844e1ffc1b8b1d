/**
 * Reels of footage that nobody tuned on, each beside a control: the same takes in order, cut on every fourth beat of the same part of the
 * song. Someone who did not make them looks at `NN-A` and `NN-B` (a video and a sheet with three frames of each shot) and says whether they
 * would post each as it is, and which is better. `key.json` names the edit of each pair: it is opened afterwards.
 * `node bench/edit-reels.ts OUT --footage FOLDER [--count 30] [--seed 1] [--seconds 15] [--kept DIR]` (needs `ffmpeg`)
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outlineOf } from '../src/media/read/outline.ts';
import { type DrawnReel, drawnReels } from './edit-judge/footage.ts';
import { openEditRig } from './edit-judge/rig.ts';
import { ffmpeg } from './edit-material/plant.ts';
import { Random } from './generate/random.ts';
import { readFootage } from './lib/footage.ts';

const CONTROL_BEATS = 4;
const CONTROL_RATE = 30;
/** Cells of a sheet: four shots in a row. */
const ROW = 12;
const CELL_WIDTH = 160;
/** Where the song has no beats. */
const CONTROL_SECONDS = 2;

const { values, positionals } = parseArgs({
  options: {
    footage: { type: 'string' },
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: 'template' },
    kept: { type: 'string', default: join(tmpdir(), 'styledna-edit-reels') },
  },
  allowPositionals: true,
});
const [out] = positionals;
if (out === undefined || values.footage === undefined)
  throw new Error('Name the folder of the reels and, by --footage, that of the footage.');
mkdirSync(out, { recursive: true });
const random = new Random(Number(values.seed));
const reels = drawnReels(readFootage(values.footage), Number(values.count), random);
const rig = await openEditRig(values.kept);
const key: Record<string, object> = {};
for (const [at, reel] of reels.entries()) {
  const name = String(at + 1).padStart(2, '0');
  const isFirst = random.chance(0.5);
  try {
    key[name] = { edit: isFirst ? 'A' : 'B', ...reel, ...(await pair(reel, name, isFirst)) };
  } catch (error) {
    key[name] = { ...reel, error: String(error) };
  }
  writeFileSync(join(out, 'key.json'), `${JSON.stringify(key, null, 2)}\n`);
  console.error(`${name} of ${reels.length}`);
}
process.exit(0);

async function pair(reel: DrawnReel, name: string, isFirst: boolean): Promise<object> {
  const [own, control] = isFirst ? ['A', 'B'] : ['B', 'A'];
  const path = (letter: string, type: string) => join(out!, `${name}-${letter}.${type}`);
  const { template, takes, song: music } = reel;
  const { edit, timeline } = await rig.render(
    {
      takes,
      template,
      music,
      options: { duration: values.seconds === 'template' ? 'template' : Number(values.seconds) },
      config: { quality: 'medium' },
    },
    path(own!, 'mp4'),
  );
  const ends = edit.slots.map(({ end_seconds: end }) => end);
  writeSheet(path(own!, 'mp4'), ends, path(own!, 'png'));
  const beats = (edit.music?.beats ?? []).map(({ at_seconds: seconds }) => seconds);
  const cuts = controlCuts(beats, edit.duration_seconds);
  await writeControl(
    reel,
    { cuts, size: timeline, startSeconds: edit.music_start_seconds ?? 0 },
    path(control!, 'mp4'),
  );
  writeSheet(path(control!, 'mp4'), cuts, path(control!, 'png'));
  return {
    slots: edit.slots.length,
    onBeat: edit.slots.filter(({ on_beat: isOnBeat }) => isOnBeat).length,
    seconds: edit.duration_seconds,
    size: `${timeline.width}x${timeline.height}`,
  };
}

/** Ends of the control's shots. */
function controlCuts(beats: readonly number[], seconds: number): number[] {
  const cuts =
    beats.length > CONTROL_BEATS
      ? beats.filter((_, beat) => beat > 0 && beat % CONTROL_BEATS === 0)
      : Array.from({ length: Math.floor(seconds / CONTROL_SECONDS) }, (_, at) => (at + 1) * CONTROL_SECONDS);
  return [...cuts.filter((cut) => cut < seconds - 0.2), seconds];
}

interface Control {
  readonly cuts: readonly number[];
  readonly size: { readonly width: number; readonly height: number };
  readonly startSeconds: number;
}

/** Each take continues where its last shot ended, and begins again at its end. */
async function writeControl({ takes, song }: DrawnReel, { cuts, size, startSeconds }: Control, path: string) {
  const lengths = await Promise.all(takes.map(async (take) => (await outlineOf(take)).durationSeconds ?? 0));
  const shown = takes.map(() => 0);
  const { width, height } = size;
  const inputs: string[] = [];
  const chains = cuts.map((end, at) => {
    const seconds = end - (cuts[at - 1] ?? 0);
    const take = at % takes.length;
    if (shown[take]! + seconds > lengths[take]!) shown[take] = 0;
    const start = shown[take]!;
    shown[take] = start + seconds;
    // One input for each shot: parts of one input in another order than its own were held as still pictures.
    inputs.push('-ss', `${start}`, '-i', takes[take]!);
    const fit = `scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height},setsar=1`;
    // Ends are rounded, not lengths: the last frames would be missing.
    const frames = Math.round(end * CONTROL_RATE) - Math.round((cuts[at - 1] ?? 0) * CONTROL_RATE);
    return `[${at}:v]fps=${CONTROL_RATE},${fit},tpad=stop_mode=clone:stop_duration=9,trim=end_frame=${frames},setpts=PTS-STARTPTS,format=yuv420p[s${at}]`;
  });
  const split = chains.map((_, at) => `[s${at}]`).join('');
  ffmpeg([
    ...[...inputs, '-ss', `${startSeconds}`, '-i', song, '-filter_complex'],
    `${chains.join(';')};${split}concat=n=${chains.length}[v]`,
    ...['-map', '[v]', '-map', `${chains.length}:a`, '-t', `${cuts.at(-1)}`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', path],
  ]);
}

/** First, middle and last frame of each shot, twelve in a row. */
function writeSheet(video: string, ends: readonly number[], path: string): void {
  const times = ends.flatMap((end, at) => {
    const start = ends[at - 1] ?? 0;
    return [start + 0.05, (start + end) / 2, end - 0.08];
  });
  const inputs = times.flatMap((time) => ['-ss', Math.max(0, time).toFixed(3), '-i', video]);
  const cells = times.map(
    (_, at) =>
      `[${at}:v]trim=end_frame=1,scale=${CELL_WIDTH - 16}:180:force_original_aspect_ratio=decrease,setsar=1,pad=${CELL_WIDTH}:186:0:0:white[c${at}]`,
  );
  const rows = Math.ceil(times.length / ROW);
  const stacks = Array.from({ length: rows }, (_, row) => {
    const own = times.map((_, at) => at).filter((at) => Math.floor(at / ROW) === row);
    const names = own.map((at) => `[c${at}]`).join('');
    return own.length === 1 ? `${names}null[r${row}]` : `${names}hstack=inputs=${own.length}[r${row}]`;
  });
  const width =
    Math.max(...Array.from({ length: rows }, (_, row) => Math.min(ROW, times.length - row * ROW))) *
    CELL_WIDTH;
  const padded = Array.from({ length: rows }, (_, row) => `[r${row}]pad=${width}:ih:0:0:white[p${row}]`);
  const all = Array.from({ length: rows }, (_, row) => `[p${row}]`).join('');
  const graph = [
    ...cells,
    ...stacks,
    ...padded,
    rows === 1 ? `${all}null[v]` : `${all}vstack=inputs=${rows}[v]`,
  ];
  ffmpeg([...inputs, '-filter_complex', graph.join(';'), '-map', '[v]', '-frames:v', '1', path]);
}
