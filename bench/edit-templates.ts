/**
 * Which template was it? The same takes, song and length with eight templates, colors off; a reader who finds cuts in the outputs and in the
 * templates by a detector of its own names the template of each. `node bench/edit-templates.ts [--folder DIR] [--music FILE]`
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { lengthsOf, nearestTemplate } from './edit-judge/name-template.ts';
import { cutsOf } from './edit-judge/read-cuts.ts';
import { greyFrames } from './edit-judge/read-file.ts';
import { type MadeReel, madeReel } from './edit-judge/reels.ts';
import { openEditRig } from './edit-judge/rig.ts';
import { Random } from './generate/random.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const clips = (...names: string[]) => names.map((name) => `${MEDIA}${name}`);
const TAKES = clips(
  ...['video/sam2_dog.mp4', 'more/video/sam2_cups.mp4', 'video/mdn_crystal.mp4', 'video/roof_zoom_17s.mp4'],
  ...['more/video/intel_people_139s.mp4', 'video/mdn_frog.mp4', 'more/video/street_fire_10s.mp4'],
);
const TEMPLATES = clips(
  ...['edits/edit_landscape_a.mp4', 'edits/edit_vertical_a.mp4', 'more/video/bunny_summary_26s.mp4'],
  'more/video/umapyoi_game_trailer_29s.mp4',
);
/** None of the takes. */
const SHOTS = clips(
  ...['video/mdn_flower.mp4', 'video/mdn_rabbit_vp8.webm', 'video/mdn_pig.mp4', 'video/intel_asl_book.mkv'],
  ...['more/video/mdn_monster.mp4', 'video/mdn_friday_speech.mp4', 'video/vertical_hdr10_av1.mp4'],
);
const REELS: readonly MadeReel[] = [
  { name: 'fast', song: 'loop_amen_full_x4_140bpm.flac', beatsPerMinute: 140, beats: [1, 1, 2, 1], seed: 1 },
  { name: 'swung', song: 'loop_garzul_x3_120bpm.flac', beatsPerMinute: 120, beats: [6, 1, 1], seed: 2 },
  { name: 'slow', song: 'loop_compus_x4_148bpm.flac', beatsPerMinute: 148, beats: [8, 12, 8], seed: 3 },
  { name: 'even', song: 'loop_breakbeat_x10_126bpm.flac', beatsPerMinute: 126, beats: [4, 4, 4, 2], seed: 4 },
];
const SECONDS = 20;
const SHUFFLES = 1000;

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(tmpdir(), 'styledna-edit-judge') },
    music: { type: 'string', default: `${MEDIA}music/feelings_95bpm_60s.ogg` },
  },
});
const { folder } = values;
mkdirSync(folder, { recursive: true });
const conditions = currentConditions();
const reels = REELS.map((reel) => madeReel({ ...reel, song: `${MEDIA}music/${reel.song}` }, SHOTS, folder));
const templates = [...TEMPLATES, ...reels];
const rig = await openEditRig(folder);
const known = templates.map((path) => seenLengths(path));
const named: number[] = [];
const rows: string[][] = [];
for (const [at, template] of templates.entries()) {
  const path = join(folder, `of-${basename(template)}`);
  const { edit } = await rig.render(
    {
      ...{ takes: TAKES, template, music: values.music },
      options: { duration: SECONDS, order: 'free' },
      config: { components: { color: false } },
    },
    path,
  );
  const seen = seenLengths(path);
  named.push(nearestTemplate(seen, known));
  rows.push([
    ...[basename(template), `${known[at]!.length}`, `${edit.slots.length}`, `${seen.length}`],
    basename(templates[named[at]!]!),
  ]);
}
const share = (assigned: readonly number[]) =>
  named.filter((name, at) => name === assigned[at]).length / named.length;
const order = templates.map((_, at) => at);
const random = new Random(1);
const shuffled = Array.from({ length: SHUFFLES }, () => share(random.shuffled(order)));
const figures = {
  named: share(order),
  shuffled: shuffled.reduce((sum, one) => sum + one, 0) / SHUFFLES,
  chance: 1 / templates.length,
};
console.log(conditionsInWords(conditions));
console.log(`\n${table(['template', 'its shots', 'slots', 'shots seen', 'named'], rows)}\n`);
for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value.toFixed(3)}`);
console.log(`\n${saveResult('edit-templates', { conditions, figures, rows })}`);
process.exit(0);

function seenLengths(path: string): number[] {
  const pictures = greyFrames(path);
  return lengthsOf(cutsOf(pictures), pictures.frames.length / pictures.rate);
}
