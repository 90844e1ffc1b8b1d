/**
 * Whether spans with nothing to see rank below others: spans of real takes that a person judged from 1 (nothing to see) to 9, before any
 * measure was computed. `node bench/edit-worth.ts FOLDER`; its `index.tsv` names the repository and the path of each file.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { materialOf } from '../src/analysis/material/material.ts';
import type { MaterialCurves, TakeMaterial } from '../src/analysis/material/take-material.ts';
import { mean } from '../src/signal/statistics.ts';
import { Random } from './generate/random.ts';
import { measureClip } from './lib/measure.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

interface JudgedSpan {
  readonly half: string;
  readonly file: string;
  readonly seconds: number;
  readonly judged: number;
  readonly curves: Readonly<Record<string, number>>;
}

/** A pair counts if its spans were judged so differently and belong to different takes. */
const CLEARLY = 2;
const PAIRS = 150;
const NAMES = ['worth', 'faceHeight', 'figure', 'detail', 'contrast', 'activity', 'sharpness'] as const;
const SPAN_SECONDS = 1;

function rowsOf(path: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const names = header.split('\t');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((value, at) => [names[at], value])));
}

function meansAt({ curves, stepSeconds }: TakeMaterial, seconds: number): Record<string, number> {
  const from = Math.max(0, Math.round((seconds - SPAN_SECONDS / 2) / stepSeconds));
  const of = (values: MaterialCurves[keyof MaterialCurves]) =>
    mean((values ?? []).slice(from, from + Math.round(SPAN_SECONDS / stepSeconds)));
  return Object.fromEntries(NAMES.map((name) => [name, of(curves[name])]));
}

async function judgedSpans(folder: string): Promise<JudgedSpan[]> {
  const files = new Map(
    rowsOf(join(folder, 'index.tsv')).map((row) => [
      `${row['repository']}/${row['path_in_it']}`,
      row['path'],
    ]),
  );
  const materials = new Map<string, TakeMaterial>();
  const spans: JudgedSpan[] = [];
  for (const row of rowsOf(new URL('edit-material/judged-spans.tsv', import.meta.url).pathname)) {
    const file = files.get(`${row['repository']}/${row['path']}`);
    if (file === undefined) continue;
    if (!materials.has(file)) {
      const { seen, audio } = await measureClip(join(dirname(folder), file));
      materials.set(file, materialOf({ ...seen!, audio }));
    }
    const curves = meansAt(materials.get(file)!, Number(row['seconds']));
    spans.push({
      half: row['half'],
      file,
      seconds: Number(row['seconds']),
      judged: Number(row['judged']),
      curves,
    });
  }
  return spans;
}

/** Share of the pairs that a value orders as the judge did; equal values count half. */
function agreement(pairs: readonly (readonly [JudgedSpan, JudgedSpan])[], name: string): number {
  const right = pairs.map(([one, other]) => {
    const difference = (one.curves[name] - other.curves[name]) * (one.judged - other.judged);
    return difference === 0 ? 0.5 : difference > 0 ? 1 : 0;
  });
  return mean(right);
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder of takes: node bench/edit-worth.ts FOLDER');
const conditions = currentConditions();
const spans = await judgedSpans(folder);
const figures: Record<string, unknown> = {};
const rows: string[][] = [];
for (const half of ['tuning', 'reporting']) {
  const own = spans.filter((span) => span.half === half);
  const all = own.flatMap((one, at) =>
    own
      .slice(0, at)
      .filter((other) => other.file !== one.file && Math.abs(other.judged - one.judged) >= CLEARLY)
      .map((other) => [one, other] as const),
  );
  const random = new Random(1);
  const pairs = Array.from(
    { length: Math.min(PAIRS, all.length) },
    () => all[random.whole(0, all.length - 1)],
  );
  const shares = NAMES.map((name) => agreement(pairs, name));
  figures[half] = { pairs: pairs.length, ...Object.fromEntries(NAMES.map((name, at) => [name, shares[at]])) };
  rows.push([half, String(own.length), String(pairs.length), ...shares.map((share) => share.toFixed(2))]);
}
console.log(conditionsInWords(conditions));
console.log('\nShare of the pairs that are ordered as judged; chance: .5\n');
console.log(table(['half', 'spans', 'pairs', ...NAMES], rows));
console.log(`\n${saveResult('edit-worth', { conditions, figures })}`);
