/**
 * Whether faults of takes are found: real clips with planted faults, gross and moderate, stored at several sizes; the same clips wholly
 * blurred, and untouched. Limits were tuned on every other clip.
 * `node bench/edit-material.ts [--half tuning|reporting] [--lines 360 …] [--folder DIR]` (needs `ffmpeg`)
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { blurredTake, type Degree, plantTake, STORAGES, type Storage } from './edit-material/plant.ts';
import { scoreReal, scoreTake, type TakeScore } from './edit-material/score.ts';
import { cachedFacts } from './lib/cached-facts.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

/** Tuning and reporting in turn. */
const CLIPS = [
  ...['video/sam2_dog.mp4', 'more/video/sam2_cups.mp4', 'video/mdn_crystal.mp4', 'video/mdn_flower.mp4'],
  ...['video/mdn_frog.mp4', 'video/roof_zoom_17s.mp4', 'video/intel_cars_30s.mp4'],
  ...['more/video/concert_phone_vfr_12s.mp4', 'more/video/street_fire_10s.mp4', 'more/video/mdn_monster.mp4'],
  ...['video/mdn_rabbit_vp8.webm', 'video/rotated270_h264.mp4', 'more/video/desk_pan_h263.3gp'],
  ...['video/mdn_friday_speech.mp4', 'video/mdn_pig.mp4', 'more/video/ted_small_captions_20s.mp4'],
] as const;
const DEGREES = { gross: 1, moderate: 101 } as const;
const HALVES = ['tuning', 'reporting'] as const;
const KINDS = ['blurred', 'shaken', 'dark', 'frozen', 'good'] as const;

const factsOf = (path: string) => cachedFacts(path, values.folder);

function summaryOf(scores: readonly TakeScore[]) {
  const shares = KINDS.map((kind) => {
    const [seconds, marked] = (['seconds', 'marked'] as const).map((name) =>
      scores.reduce((sum, { planted }) => sum + planted[kind][name], 0),
    );
    return [kind, marked / seconds] as const;
  });
  const chosen = scores.flatMap(({ chosenGood }) => (chosenGood === null ? [] : [chosenGood]));
  return {
    ...Object.fromEntries(shares),
    chosen: chosen.reduce((sum, share) => sum + share, 0) / Math.max(1, chosen.length),
    without: scores.length - chosen.length,
  };
}

const { values } = parseArgs({
  options: {
    half: { type: 'string' },
    lines: { type: 'string', multiple: true },
    folder: { type: 'string', default: join(tmpdir(), 'styledna-planted') },
  },
});
mkdirSync(values.folder, { recursive: true });
const conditions = currentConditions();
const rows: string[][] = [];
const details: string[][] = [];
const real: string[][] = [];
const figures: Record<string, unknown> = {};
const isOf = (half: string) => (_: string, at: number) => HALVES[at % 2] === half;
const storages = STORAGES.filter(({ lines }) => values.lines?.includes(String(lines)) ?? true);
for (const half of HALVES.filter((name) => values.half === undefined || values.half === name)) {
  const clips = CLIPS.filter(isOf(half));
  for (const storage of storages)
    for (const degree of Object.keys(DEGREES) as Degree[]) await scoreStored(half, clips, degree, storage);
  for (const clip of clips) {
    const { seconds, usable, by } = scoreReal(await factsOf(join(MEDIA, clip)));
    real.push([half, clip, seconds.toFixed(1), (usable / seconds).toFixed(2), inWords(by)]);
    figures[clip] = usable / seconds;
  }
}

async function scoreStored(
  half: string,
  clips: readonly (typeof CLIPS)[number][],
  degree: Degree,
  storage: Storage,
): Promise<void> {
  const scores: TakeScore[] = [];
  const unusable: number[] = [];
  for (const clip of clips) {
    const path = join(MEDIA, clip);
    const take = plantTake(path, degree, DEGREES[degree] + CLIPS.indexOf(clip), values.folder, storage);
    console.error(take.path);
    const score = scoreTake(take, await factsOf(take.path));
    scores.push(score);
    if (half === 'tuning') details.push(detailOf(clip, degree, storage, score));
    const whole = scoreReal(await factsOf(blurredTake(path, degree, values.folder, storage)));
    unusable.push(1 - whole.usable / whole.seconds);
  }
  const blurredTakes = unusable.reduce((sum, share) => sum + share, 0) / unusable.length;
  const summary = { ...summaryOf(scores), blurredTakes };
  figures[`${half} ${degree} ${storage.lines}`] = summary;
  const shares = Object.values(summary).map((value) => value.toFixed(2));
  rows.push([half, degree, String(storage.lines), ...shares]);
}

function detailOf(
  clip: string,
  degree: Degree,
  { lines }: Storage,
  { planted, chosenGood, wrong }: TakeScore,
): string[] {
  const shares = KINDS.map((kind) => (planted[kind].marked / planted[kind].seconds).toFixed(2));
  return [clip, degree, String(lines), ...shares, chosenGood?.toFixed(2) ?? '–', inWords(wrong)];
}

function inWords(by: Readonly<Record<string, number>>): string {
  return Object.entries(by)
    .map(([fault, seconds]) => `${fault} ${seconds.toFixed(1)} s`)
    .join(', ');
}

console.log(conditionsInWords(conditions));
console.log('\nShare of the planted time that is marked, and of the chosen time that is good\n');
console.log(
  table(['half', 'faults', 'lines', ...KINDS, 'chosen good', 'nothing chosen', 'blurred takes'], rows),
);
console.log(`\n${table(['take', 'faults', 'lines', ...KINDS, 'chosen good', 'good is marked'], details)}`);
console.log(`\n${table(['half', 'untouched clip', 's', 'usable', 'marked'], real)}`);
console.log(`\n${saveResult('edit-material', { conditions, figures })}`);
