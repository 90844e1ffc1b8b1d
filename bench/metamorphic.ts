/**
 * Whether one take gives the same answers however it is stored: sizes, qualities, codecs, depths, rates, bars, mirrored, gamma. Compares
 * cuts, transitions, dials, palette, motion, zoom, tempo, loudness, captions, faults, ranks, and the plan of all takes.
 * `node bench/metamorphic.ts [CLIP …] [--variant WORD …] [--template CLIP] [--folder DIR]` (needs `ffmpeg`)
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { materialOf } from '../src/analysis/material/material.ts';
import type { TakeMaterial } from '../src/analysis/material/take-material.ts';
import { EDIT_ORDERS } from '../src/domain/edit-options.ts';
import { templateEditOf } from '../src/style/edit/template-edit.ts';
import { extractStyle } from '../src/style/extract/extract.ts';
import { cachedFacts } from './lib/cached-facts.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { materialDifferences, sameChoices } from './metamorphic/relations.ts';
import { storedAs, VARIANTS } from './metamorphic/variants.ts';
import { type Difference, differences, type Measured } from './score/robustness.ts';

const CLIPS = [
  ...['edits/edit_landscape_a.mp4', 'video/sam2_dog.mp4', 'video/mdn_frog.mp4', 'video/mdn_pig.mp4'],
  ...['video/intel_asl_book.mkv', 'more/video/street_fire_10s.mp4', 'video/rotated270_h264.mp4'],
] as const;
const TEMPLATE = 'edits/edit_landscape_a.mp4';

async function measured(path: string): Promise<Measured & { readonly material: TakeMaterial }> {
  const facts = await cachedFacts(path, values.folder);
  const style = extractStyle(facts, { createdAt: new Date(0), fingerprint: null });
  return { facts, style, material: materialOf(facts) };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    variant: { type: 'string', multiple: true },
    template: { type: 'string', default: join(MEDIA, TEMPLATE) },
    folder: { type: 'string', default: join(tmpdir(), 'styledna-metamorphic') },
  },
});
mkdirSync(values.folder, { recursive: true });
const conditions = currentConditions();
const paths = positionals.length > 0 ? positionals : CLIPS.map((name) => join(MEDIA, name));
const variants = VARIANTS.filter(({ name }) => values.variant?.some((word) => name.includes(word)) ?? true);
const template = templateEditOf((await measured(values.template)).style);
const originals: Awaited<ReturnType<typeof measured>>[] = [];
for (const path of paths) originals.push(await measured(path));

const results: { readonly clip: string; readonly variant: string; readonly found: Difference[] }[] = [];
for (const variant of variants) {
  const materials: TakeMaterial[] = [];
  for (const [at, path] of paths.entries()) {
    console.error(basename(path), variant.name);
    const other = await measured(storedAs(path, variant, values.folder));
    const found = [
      ...differences(originals[at], other),
      ...materialDifferences(originals[at].material, other.material),
    ].filter(({ field }) => !variant.changes?.includes(field));
    results.push({ clip: basename(path), variant: variant.name, found });
    materials.push(other.material);
  }
  const plans = EDIT_ORDERS.map((order) =>
    sameChoices(
      originals.map(({ material }) => material),
      materials,
      template,
      order,
    ),
  );
  results.push({ clip: 'all takes', variant: variant.name, found: plans });
}

const all = results.flatMap(({ found }) => found);
const holding = all.filter(({ within }) => within).length;
const fields = [...new Set(all.map(({ field }) => field))];
const byField = fields.map((field) => {
  const own = all.filter((one) => one.field === field);
  return [field, String(own.filter(({ within }) => within).length), String(own.length)];
});
const failing = results.flatMap(({ clip, variant, found }) =>
  found.filter(({ within }) => !within).map(({ field, text }) => [clip, variant, field, text]),
);
console.log(`${conditionsInWords(conditions)}\n`);
console.log(`${holding} of ${all.length} relations hold (${(holding / all.length).toFixed(3)}; must .98)\n`);
console.log(`${table(['relation', 'holds', 'of'], byField)}\n`);
console.log(table(['clip', 'stored as', 'relation', 'differs by'], failing));
console.log(`\n${saveResult('metamorphic', { conditions, holding, of: all.length, byField, failing })}`);
