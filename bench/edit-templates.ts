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
import { madeReel } from './edit-judge/reels.ts';
import { openEditRig } from './edit-judge/rig.ts';
import { REELS, SHOTS, TAKES, TEMPLATES } from './edit-judge/templates.ts';
import { Random } from './generate/random.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

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
