/**
 * Defects of single videos at default settings, counted against the source at the same moment, at full length: `node bench/defects.ts
 * FOLDER OUT [--count 12] [--seed 1] [--longest 64] [--only 3,5] [--plan] [--templates reel]`. FOLDER has an `index.tsv`. OUT gets a sheet for
 * each video and each flag (source above output), `flags.json`, and the measurements of clips, which the next run with another planner uses again.
 * `--plan` renders nothing and judges framings, faces and letters alone. `--templates` names the kinds that templates are drawn from, in turns.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { colorFlags } from './defects/colors.ts';
import { type ComparedMoment, comparedMoments } from './defects/compared.ts';
import { type DrawnPair, drawnPairs } from './defects/draw.ts';
import { DEFECTS, type Flag } from './defects/flag.ts';
import { faceFlags, framingFlags, letterFlags } from './defects/framings.ts';
import { loudnessFlags } from './defects/loudness.ts';
import { openSingleRig } from './defects/rig.ts';
import { writeSheet } from './fidelity/sheet.ts';
import { Random } from './generate/random.ts';
import { measureAudio } from './lib/measure.ts';
import { table } from './lib/report.ts';

/** Moments of a sheet: the flagged one and those about it. */
const SHEET_SECONDS = [-1, 0, 1, 2];
/** Moments of the sheet of a whole video, evenly spaced. */
const VIDEO_MOMENTS = 5;

const { values, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    longest: { type: 'string', default: '64' },
    only: { type: 'string' },
    templates: { type: 'string' },
    plan: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [folder, out] = positionals;
if (folder === undefined || out === undefined)
  throw new Error(
    'Usage: node bench/defects.ts FOLDER OUT [--count 12] [--seed 1] [--longest 64] [--only 3,5] [--plan] [--templates reel]',
  );
mkdirSync(out, { recursive: true });
const random = new Random(Number(values.seed));
const drawn = drawnPairs(
  folder,
  {
    count: Number(values.count),
    longestSeconds: Number(values.longest),
    templates: values.templates?.split(','),
  },
  random,
);
const only = values.only?.split(',').map(Number);
const rig = await openSingleRig(join(out, 'measured'));

interface JudgedPair extends DrawnPair {
  readonly name: string;
  readonly flags: readonly Flag[];
  readonly warnings: readonly string[];
}

const judged: JudgedPair[] = [];
for (const [at, pair] of drawn.entries()) {
  if (only !== undefined && !only.includes(at + 1)) continue;
  const name = String(at + 1).padStart(2, '0');
  const one = await judge(pair, name);
  judged.push(one);
  console.log(
    `${name} ${pair.kind} ${basename(pair.source)} after ${pair.template.split('/').slice(-2).join('/')}`,
  );
  for (const { defect, atSeconds, detail } of one.flags)
    console.log(`   ${defect}${atSeconds === null ? '' : ` at ${atSeconds.toFixed(1)} s`}: ${detail}`);
  writeFileSync(join(out, 'flags.json'), `${JSON.stringify(judged, null, 1)}\n`);
}
console.log(`\n${tableOf(judged)}`);
process.exit(0);

async function judge(pair: DrawnPair, name: string): Promise<JudgedPair> {
  const output = join(out!, `${name}.mp4`);
  const config = { quality: 'low' } as const;
  const { facts, timeline, warnings } = await rig.render(
    { ...pair, config },
    values.plan === true ? null : output,
  );
  const planned = [
    ...framingFlags(facts, timeline),
    ...faceFlags(facts, timeline),
    ...letterFlags(facts, timeline),
  ];
  const moments =
    values.plan === true ? [] : await comparedMoments({ source: pair.source, output }, timeline, facts.video);
  const flags = [
    ...planned,
    ...colorFlags(moments, facts.video),
    ...(values.plan === true || facts.audio === null
      ? []
      : loudnessFlags(
          facts.audio.loudness.integratedLufs,
          (await measureAudio(output))?.loudness.integratedLufs ?? null,
        )),
  ];
  const spaced = Array.from({ length: VIDEO_MOMENTS }, (_, at) => (at + 0.5) / VIDEO_MOMENTS);
  if (moments.length > 0)
    writePairs(
      join(out!, `${name}.png`),
      spaced.map((share) => moments[Math.floor(share * moments.length)]!),
    );
  for (const [at, flag] of flags.entries())
    sheetOf(flag, moments, join(out!, `${name}-${at + 1}-${flag.defect.replaceAll(' ', '-')}.png`));
  return { ...pair, name, flags, warnings: warnings.map(({ code, message }) => `${code}: ${message}`) };
}

function sheetOf({ atSeconds }: Flag, moments: readonly ComparedMoment[], path: string): void {
  if (atSeconds === null || moments.length === 0) return;
  const nearest = (seconds: number) =>
    moments.reduce((best, one) =>
      Math.abs(one.sourceSeconds - seconds) < Math.abs(best.sourceSeconds - seconds) ? one : best,
    );
  const shown = [...new Set(SHEET_SECONDS.map((shift) => nearest(atSeconds + shift)))];
  writePairs(path, shown);
}

function writePairs(path: string, shown: readonly ComparedMoment[]): void {
  writeSheet(path, [shown.map(({ source }) => source), shown.map(({ output }) => output)]);
}

function tableOf(pairs: readonly JudgedPair[]): string {
  const kinds = [...new Set(pairs.map(({ kind }) => kind))];
  const cells = (some: readonly JudgedPair[], isCounted: (flag: Flag) => boolean) => {
    const counts = some.map(({ flags }) => flags.filter(isCounted).length);
    const sum = counts.reduce((total, count) => total + count, 0);
    return `${sum} in ${counts.filter((count) => count > 0).length}`;
  };
  const row = (name: string, isCounted: (flag: Flag) => boolean) => [
    name,
    cells(pairs, isCounted),
    ...kinds.map((kind) =>
      cells(
        pairs.filter((pair) => pair.kind === kind),
        isCounted,
      ),
    ),
  ];
  return table(
    [
      'flags in pairs',
      `all (${pairs.length})`,
      ...kinds.map((kind) => `${kind} (${pairs.filter((pair) => pair.kind === kind).length})`),
    ],
    [...DEFECTS.map((defect) => row(defect, (flag) => flag.defect === defect)), row('any', () => true)],
  );
}
