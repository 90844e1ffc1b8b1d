/**
 * Contact sheets for a blind choice by eye: edits of sets of takes, the same slots filled at random, and a cut on every second
 * beat with the takes in turn. Each slot shows its first, middle and last frame, without look and framing. `key.json` names the
 * edit of each pair, A or B: open it after the choice. `node bench/edit-sheets.ts OUT [--folder KEPT] [--seed 1]`
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { outlineOf } from '../src/media/read/outline.ts';
import { openEditRig } from './edit-judge/rig.ts';
import { type SheetShot, sheetOf } from './edit-judge/sheet.ts';
import { TAKES, TEMPLATES } from './edit-judge/templates.ts';
import { Random } from './generate/random.ts';
import { MEDIA } from './lib/long-clip.ts';

const SECONDS = 20;
/** With their known tempo. */
const SONGS = [
  { file: 'feelings_95bpm_60s.ogg', bpm: 95 },
  { file: 'chaos_god_170bpm_60s.ogg', bpm: 170 },
  { file: 'loop_compus_x4_148bpm.flac', bpm: 148 },
  { file: 'metal_madness_150bpm.ogg', bpm: 150 },
] as const;

const { values, positionals } = parseArgs({
  options: {
    folder: { type: 'string', default: join(tmpdir(), 'styledna-edit-judge') },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const [out] = positionals;
if (out === undefined) throw new Error('Name the folder of the sheets.');
mkdirSync(out, { recursive: true });
const random = new Random(Number(values.seed));
const rig = await openEditRig(values.folder);
const lengths = new Map<string, number>();
for (const take of TAKES) lengths.set(take, (await outlineOf(take)).durationSeconds ?? 0);
const key: Record<string, string> = {};
for (const [at, template] of TEMPLATES.entries()) {
  for (const order of ['free', 'story']) {
    const song = SONGS[at % SONGS.length]!;
    const { edit, timeline } = await rig.plan({
      ...{ takes: TAKES, template, music: `${MEDIA}music/${song.file}` },
      options: { order, duration: SECONDS },
    });
    const ours = timeline.clips.map(({ take, sourceStartSeconds, sourceEndSeconds }) => ({
      ...{ file: TAKES[take]!, startSeconds: sourceStartSeconds },
      seconds: sourceEndSeconds - sourceStartSeconds,
    }));
    const others = {
      random: randomly(ours, order),
      beats: inTurn(edit.duration_seconds, 120 / song.bpm),
    };
    for (const [name, other] of Object.entries(others)) {
      const pair = `${at}-${order}-${name}`;
      const isFirst = random.chance(0.5);
      key[pair] = isFirst ? 'A' : 'B';
      writeSheet(isFirst ? ours : other, join(out, `${pair}-A.png`));
      writeSheet(isFirst ? other : ours, join(out, `${pair}-B.png`));
    }
  }
}
writeFileSync(join(out, 'key.json'), `${JSON.stringify(key, null, 2)}\n`);
process.exit(0);

/** The same lengths, any moment of any take; a story keeps its order. */
function randomly(slots: readonly SheetShot[], order: string): SheetShot[] {
  const shots = slots.map(({ seconds }) => {
    const fitting = TAKES.filter((take) => lengths.get(take)! > seconds);
    const file = fitting[random.whole(0, fitting.length - 1)]!;
    return { file, startSeconds: random.between(0, lengths.get(file)! - seconds), seconds };
  });
  if (order === 'free') return shots;
  return shots.toSorted(
    (one, other) =>
      TAKES.indexOf(one.file) - TAKES.indexOf(other.file) || one.startSeconds - other.startSeconds,
  );
}

/** Shots of two beats; each take continues where its last shot ended. */
function inTurn(seconds: number, shotSeconds: number): SheetShot[] {
  const count = Math.round(seconds / shotSeconds);
  return Array.from({ length: count }, (_, at) => {
    const file = TAKES[at % TAKES.length]!;
    const room = Math.max(shotSeconds, lengths.get(file)! - shotSeconds);
    const startSeconds = (Math.floor(at / TAKES.length) * shotSeconds) % room;
    return { file, startSeconds, seconds: shotSeconds };
  });
}

function writeSheet(shots: readonly SheetShot[], path: string): void {
  const { pixels, width, height } = sheetOf(shots);
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', '-'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, '-frames:v', '1', path], { input: pixels });
}
