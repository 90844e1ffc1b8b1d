/** Whether a Style DNA stays the same: measured twice, and after the clip was re-encoded smaller and at another rate. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ClipFacts } from '../src/analysis/facts.ts';
import type { FrameRate } from '../src/domain/time.ts';
import { extractStyle } from '../src/style/extract/extract.ts';
import type { Style } from '../src/style/model/schema.ts';
import { MEDIA } from './lib/long-clip.ts';
import { measureClip } from './lib/measure.ts';
import { transcode } from './lib/plain-transcode.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { type Difference, differences } from './score/robustness.ts';

const CLIPS = [
  'edits/edit_landscape_a.mp4',
  'edits/edit_vertical_a.mp4',
  'video/bbb_opening_30s_vp8.webm',
  'video/cartoon_cake_8s.mp4',
  'video/mdn_crystal.mp4',
  'video/nasa_webb_13s.mp4',
] as const;

const perSecond = (numerator: number): FrameRate => ({ numerator, denominator: 1 });

interface Variant {
  readonly name: string;
  readonly factor: number;
  readonly crf: number;
  readonly rate: (original: FrameRate) => FrameRate;
}

const otherRate = ({ numerator, denominator }: FrameRate) =>
  numerator / denominator > 27 ? perSecond(24) : perSecond(30);

const VARIANTS: readonly Variant[] = [
  { name: 'half the size', factor: 0.5, crf: 23, rate: (original) => original },
  { name: 'other rate', factor: 1, crf: 23, rate: otherRate },
  { name: 'both, coarser', factor: 0.5, crf: 30, rate: otherRate },
];

async function styleOf(path: string): Promise<{ style: Style; facts: ClipFacts }> {
  const { seen, audio } = await measureClip(path);
  if (seen === null) throw new Error(`${path} has no picture`);
  const facts = { ...seen, audio };
  return { facts, style: extractStyle(facts, { createdAt: new Date(0), fingerprint: null }) };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'no-save': { type: 'boolean', default: false } },
  });
  const conditions = currentConditions();
  const paths = positionals.length > 0 ? positionals : CLIPS.map((name) => MEDIA + name);
  const folder = mkdtempSync(join(tmpdir(), 'styledna-robustness-'));
  const results: { name: string; variant: string; differences: Difference[] }[] = [];
  try {
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      console.error(name);
      const original = await styleOf(path);
      const again = await styleOf(path);
      if (JSON.stringify(original) !== JSON.stringify(again))
        throw new Error(`${name} differs from run to run`);
      for (const variant of VARIANTS) {
        const outputPath = join(folder, `${results.length}.mp4`);
        const { width, height, frameRate } = original.facts.video;
        const even = (side: number) => 2 * Math.round((side * variant.factor) / 2);
        const size = { width: even(width), height: even(height), frameRate: variant.rate(frameRate) };
        await transcode({ sourcePath: path, outputPath, ...size, preset: 'veryfast', crf: variant.crf });
        const copy = await styleOf(outputPath);
        results.push({ name, variant: variant.name, differences: differences(original, copy) });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const fields = results[0].differences.map(({ field }) => field);
  const head = ['clip, re-encoded', ...fields];
  const rows = results.map((result) => [
    `${result.name}, ${result.variant}`,
    ...fields.map((field) => inWords(result.differences.find((one) => one.field === field))),
  ]);
  const all = results.flatMap((result) => result.differences);
  const within = all.filter((one) => one.within).length;
  console.log(
    `${conditionsInWords(conditions)}\n\n${table(head, rows)}\n\n${within} of ${all.length} within tolerance`,
  );
  if (!values['no-save']) console.log(`\n${saveResult('robustness', { conditions, results })}`);
}

function inWords(difference: Difference | undefined): string {
  if (difference === undefined) return '';
  return `${difference.within ? '' : '**'}${difference.text}${difference.within ? '' : '**'}`;
}

await main();
