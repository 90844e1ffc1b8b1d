/**
 * Plans of takes with planted faults: share of the output from good spans; wholly blurred takes added: how many are used, how many choices
 * stay; every take given twice: moments shown again; every take stored in another size: choices that stay. Nothing is rendered.
 * `node bench/edit-planted.ts CLIP … [--blurred LIST] [--templates LIST] [--lines 360 …] [--folder DIR]` (needs `ffmpeg`; lists are paths
 * with commas)
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { materialOf } from '../src/analysis/material/material.ts';
import type { TakeMaterial } from '../src/analysis/material/take-material.ts';
import type { TemplateEdit } from '../src/style/edit/edit-plan.ts';
import { templateEditOf } from '../src/style/edit/template-edit.ts';
import { extractStyle } from '../src/style/extract/extract.ts';
import { styleSchema } from '../src/style/model/schema.ts';
import { TEMPLATES } from './edit-judge/templates.ts';
import { goodShare, keptShare, type Planned, planOfMaterials, repeats } from './edit-material/plans.ts';
import {
  blurredTake,
  type Degree,
  type PlantedTake,
  plantTake,
  STORAGES,
  type Storage,
  twinOf,
} from './edit-material/plant.ts';
import { cachedFacts } from './lib/cached-facts.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const SEEDS = { gross: 1, moderate: 101 } as const;
const DEGREES = Object.keys(SEEDS) as Degree[];
/** Usual size; other sizes are variants of it. */
const USUAL_LINES = 360;

const { values, positionals: clips } = parseArgs({
  allowPositionals: true,
  options: {
    blurred: { type: 'string', default: '' },
    templates: { type: 'string', default: TEMPLATES.join(',') },
    lines: { type: 'string', multiple: true, default: [String(USUAL_LINES)] },
    folder: { type: 'string', default: join(tmpdir(), 'styledna-planted') },
    each: { type: 'boolean', default: false },
  },
});
const { folder } = values;
mkdirSync(folder, { recursive: true });
const conditions = currentConditions();
const templates: { readonly name: string; readonly edit: TemplateEdit }[] = [];
for (const path of values.templates.split(',')) {
  const style = extractStyle(await cachedFacts(path, folder), { createdAt: new Date(0), fingerprint: null });
  templates.push({ name: basename(path), edit: templateEditOf(styleSchema.parse(style)) });
}
const blurredClips = values.blurred.split(',').filter((path) => path !== '');
const rows: string[][] = [];
const plansAt = new Map<string, readonly Planned[]>();
const storages = STORAGES.filter(({ lines }) => values.lines.includes(String(lines)));
for (const storage of storages) {
  const blurred: TakeMaterial[] = [];
  for (const clip of blurredClips)
    for (const degree of DEGREES) blurred.push(await materialAt(blurredTake(clip, degree, folder, storage)));
  for (const degree of DEGREES) await scoreTakes(degree, storage, blurred);
}
print();

async function materialAt(path: string): Promise<TakeMaterial> {
  console.error(basename(path));
  return materialOf(await cachedFacts(path, folder));
}

async function scoreTakes(degree: Degree, storage: Storage, blurred: readonly TakeMaterial[]): Promise<void> {
  const takes: PlantedTake[] = clips.map((clip, at) =>
    plantTake(clip, degree, SEEDS[degree] + at, folder, storage),
  );
  const materials: TakeMaterial[] = [];
  for (const { path } of takes) materials.push(await materialAt(path));
  const twins: TakeMaterial[] = [];
  for (const take of storage.lines === USUAL_LINES ? takes : [])
    twins.push(await materialAt(twinOf(take).path));
  const planned: Planned[] = [];
  for (const order of ['free', 'story'] as const)
    for (const { name, edit } of templates) {
      const plan = planOfMaterials(materials, edit, order);
      planned.push(plan);
      const withBlurred = planOfMaterials([...materials, ...blurred], edit, order);
      const usedBlurred = new Set(
        withBlurred.slots.flatMap(({ take }) => (take >= materials.length ? [take] : [])),
      );
      const twice = planOfMaterials([...materials, ...twins], edit, order);
      const usual = plansAt.get(degree)?.[planned.length - 1];
      rows.push([
        ...[degree, String(storage.lines), order, name, String(plan.slots.length), plan.seconds.toFixed(1)],
        goodShare(plan, takes).toFixed(2),
        ...(blurred.length > 0
          ? [String(usedBlurred.size), keptShare(plan, withBlurred).toFixed(2)]
          : ['–', '–']),
        twins.length > 0 ? String(repeats(twice, materials.length)) : '–',
        usual === undefined ? '–' : keptShare(usual, plan).toFixed(2),
      ]);
    }
  if (storage.lines === USUAL_LINES) plansAt.set(degree, planned);
}

function print(): void {
  const head = [
    'faults',
    'lines',
    'order',
    'template',
    'slots',
    's',
    'good',
    'blurred used',
    'kept',
    'repeats',
    'as at 360',
  ];
  console.log(`${conditionsInWords(conditions)}\n`);
  if (values.each) console.log(`${table(head, rows)}\n`);
  const groups = [...new Set(rows.map(([degree, lines]) => `${degree} ${lines}`))];
  const means = groups.map((group) => {
    const own = rows.filter(([degree, lines]) => `${degree} ${lines}` === group);
    const column = (at: number) => own.map((row) => Number(row[at])).filter((value) => !Number.isNaN(value));
    const mean = (at: number) => {
      const found = column(at);
      return found.length === 0
        ? '–'
        : (found.reduce((sum, value) => sum + value, 0) / found.length).toFixed(3);
    };
    const total = (at: number) => String(column(at).reduce((sum, value) => sum + value, 0));
    return [
      ...group.split(' '),
      String(own.length),
      mean(4),
      mean(5),
      mean(6),
      total(7),
      mean(8),
      total(9),
      mean(10),
    ];
  });
  console.log(
    table(
      [
        'faults',
        'lines',
        'plans',
        'slots',
        's',
        'good (chance .18)',
        'blurred used',
        'kept',
        'repeats',
        'as at 360',
      ],
      means,
    ),
  );
  console.log(`\n${saveResult('edit-planted', { conditions, rows })}`);
}
