/**
 * Damage that edits must not have: an instant twice, a cut word, slivers, black and frozen pictures, clicks, a song that is off, cuts beside
 * their place, cut faces. Edits of the shared media are rendered and read again by `ffmpeg`. `node bench/edit-damage.ts [--folder DIR] [NAME…]`
 */
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Span } from '../src/analysis/facts.ts';
import { audibleParts, DAMAGES, type Damage, damagesOf, lateCuts } from './edit-judge/damage.ts';
import { cutsOf } from './edit-judge/read-cuts.ts';
import { greyFrames, monoSound } from './edit-judge/read-file.ts';
import { type EditRig, openEditRig, type RequestedEdit } from './edit-judge/rig.ts';
import { ffmpeg } from './edit-material/plant.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { spokenWords } from './rhythm/words.ts';

const clips = (...names: string[]) => names.map((name) => `${MEDIA}${name}`);
const LIVELY = clips(
  ...['video/sam2_dog.mp4', 'more/video/sam2_cups.mp4', 'video/mdn_crystal.mp4', 'video/roof_zoom_17s.mp4'],
  ...['more/video/intel_people_139s.mp4', 'more/video/concert_phone_vfr_12s.mp4'],
);
const TOYS = clips(
  ...['video/mdn_frog.mp4', 'video/mdn_pig.mp4', 'video/mdn_rabbit_vp8.webm', 'more/video/mdn_monster.mp4'],
  ...['video/mdn_flower.mp4', 'video/mdn_crystal.mp4'],
);
const SPEECH = clips(
  ...['video/greenscreen_speech.mp4', 'video/mdn_friday_speech.mp4', 'more/video/ted_small_captions_20s.mp4'],
  ...['video/sam2_dog.mp4', 'more/video/street_fire_10s.mp4'],
);
const [LANDSCAPE, UPRIGHT, BUNNY, TRAILER, REEL, WEBB] = clips(
  ...['edits/edit_landscape_a.mp4', 'edits/edit_vertical_a.mp4', 'more/video/bunny_summary_26s.mp4'],
  ...['more/video/umapyoi_game_trailer_29s.mp4', 'more/video/gl_transitions_reel_27s.mp4'],
  ...['video/nasa_webb_13s.mp4'],
) as [string, string, string, string, string, string];
const song = (name: string) => `${MEDIA}music/${name}`;

/** The first take, encoded again. */
const TWIN = 'twin';

const EDITS: Readonly<Record<string, RequestedEdit>> = {
  rock: { takes: LIVELY, template: LANDSCAPE, music: song('feelings_95bpm_60s.ogg'), options: {} },
  'metal, free': {
    ...{ takes: LIVELY, template: UPRIGHT, music: song('metal_madness_150bpm.ogg') },
    options: { order: 'free', duration: 25 },
  },
  'own song': { takes: TOYS, template: LANDSCAPE, music: LANDSCAPE, options: { order: 'free' } },
  'speech mixed': {
    ...{ takes: SPEECH, template: LANDSCAPE, music: song('loop_garzul_x3_120bpm.flac') },
    options: { sound: 'mix' },
  },
  'speech alone': { takes: SPEECH, template: BUNNY, music: null, options: { sound: 'takes', duration: 20 } },
  'one take': {
    ...{ takes: clips('more/video/intel_people_139s.mp4'), template: BUNNY, options: {} },
    music: song('loop_amen_full_x4_140bpm.flac'),
  },
  'dissolves, few takes': {
    ...{ takes: clips('video/sam2_dog.mp4', 'video/mdn_crystal.mp4'), template: REEL },
    ...{ music: song('viper_cc0.mp3'), options: { order: 'free' } },
  },
  'trailer, twins': {
    ...{
      takes: [...TOYS.slice(0, 3), TWIN],
      template: TRAILER,
      music: song('loop_breakbeat_x10_126bpm.flac'),
    },
    options: {},
  },
  'long shots, mixed': {
    ...{ takes: [...SPEECH.slice(2), ...TOYS], template: WEBB, music: song('chaos_god_170bpm_60s.ogg') },
    options: { sound: 'mix', order: 'free', duration: 30 },
  },
};

const { values, positionals } = parseArgs({
  options: { folder: { type: 'string', default: join(tmpdir(), 'styledna-edit-judge') } },
  allowPositionals: true,
});
mkdirSync(values.folder, { recursive: true });
const conditions = currentConditions();
const names = Object.keys(EDITS).filter((name) => positionals.length === 0 || positionals.includes(name));
const rig = await openEditRig(values.folder);
const rows: string[][] = [];
const figures: Record<string, unknown> = {};
const details: string[] = [];
for (const name of names) {
  const { damages, slots, seconds } = await judged(rig, name, EDITS[name]!);
  const counts = DAMAGES.map((kind) => damages.filter((one) => one.kind === kind).length);
  rows.push([name, `${slots}`, seconds.toFixed(1), ...counts.map(String)]);
  figures[name] = { slots, seconds, damages };
  for (const { kind, atSeconds, detail } of damages)
    details.push(`${name}: ${kind} at ${atSeconds.toFixed(2)} s: ${detail}`);
}
console.log(conditionsInWords(conditions));
console.log(`\n${table(['edit', 'slots', 's', ...DAMAGES], rows)}\n`);
for (const line of details) console.log(line);
console.log(`\n${saveResult('edit-damage', { conditions, figures })}`);
process.exit(0);

async function judged(
  by: EditRig,
  name: string,
  wanted: RequestedEdit,
): Promise<{ damages: Damage[]; slots: number; seconds: number }> {
  const takes = wanted.takes.map((take) => (take === TWIN ? twinOf(wanted.takes[0]!) : take));
  const path = join(values.folder, `${name.replaceAll(/\W+/g, '-')}.mp4`);
  const { edit, timeline, facts, files } = await by.render({ ...wanted, takes }, path);
  const pictures = greyFrames(path);
  const templateCuts = [0, ...cutsOf(greyFrames(wanted.template))];
  const one = {
    ...{ edit, timeline, pictures, sound: monoSound(path) },
    fileOf: (id: string) => fileOf(files.get(id)!),
    takePictures: (id: string, startSeconds: number, endSeconds: number) =>
      greyFrames(files.get(id)!, { startSeconds, endSeconds }),
    song: wanted.music === null ? null : monoSound(wanted.music),
    words: await Promise.all(takes.map(wordsOf)),
    heads: facts.map(({ video }) => ({ tracks: video.faces, aspect: video.width / video.height })),
    templateShortestSeconds: Math.min(...templateCuts.slice(1).map((cut, at) => cut - templateCuts[at]!)),
  };
  const damages = [...damagesOf(one), ...lateCuts(one, cutsOf(pictures))];
  return { damages, slots: edit.slots.length, seconds: edit.duration_seconds };
}

function twinOf(path: string): string {
  const twin = join(values.folder, `twin-${basename(path)}`);
  const words = ['-vf', 'scale=-2:360,eq=brightness=0.04', '-c:v', 'libx264', '-preset', 'veryfast'];
  if (!existsSync(twin)) ffmpeg(['-i', path, ...words, '-crf', '28', '-an', twin]);
  return twin;
}

/** Twins have the moments of one file. */
function fileOf(path: string): string {
  return basename(path).replace(/^twin-/, '');
}

/** Of clips in which somebody speaks. */
async function wordsOf(path: string): Promise<readonly Span[]> {
  return /speech|ted_small/.test(path) ? audibleParts((await spokenWords(path)) ?? [], monoSound(path)) : [];
}
