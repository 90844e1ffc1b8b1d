/**
 * Similarity of an output's pace to its template's: planned, measured by two detectors, and the reasons of
 * differences; and how many cuts in speech hide the beginning of a word, compared with chance. `--half
 * talking`: people who speak.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ClipFacts } from '../src/analysis/facts.ts';
import { musicClip } from './fidelity/made-clips.ts';
import { MUSIC, type Pair, UNSEEN } from './fidelity/pairs.ts';
import { nameOf } from './fidelity/tables.ts';
import { MEDIA } from './lib/long-clip.ts';
import { measureClip } from './lib/measure.ts';
import { conditionsInWords, currentConditions, saveResult } from './lib/report.ts';
import { type Measured, measurePace, type PaceResult } from './rhythm/measure.ts';
import { REPORTING, TALKING, TUNING } from './rhythm/pairs.ts';
import { paceTable } from './rhythm/table.ts';

const OPTIONS = {
  /** Only pairs whose names hold this. */
  only: { type: 'string', default: '' },
  half: { type: 'string', default: 'reporting' },
  /** Folder of the cached facts of clips: valid while the version of the analyses is the same. */
  facts: { type: 'string' },
  /** Folder of the outputs. */
  outputs: { type: 'string' },
  'no-save': { type: 'boolean', default: false },
} as const;

/** The folder that `bench/unseen.ts` laid out. */
let unseenFolder = '';

async function pathOf(name: string): Promise<string> {
  const [clip, music] = name.split(MUSIC);
  if (name.startsWith(UNSEEN)) return join(unseenFolder, name.slice(UNSEEN.length));
  return music === undefined ? MEDIA + name : musicClip(MEDIA + clip!, MEDIA + music);
}

async function measured(name: string, stored: string | undefined): Promise<Measured> {
  const path = await pathOf(name);
  const file = stored === undefined ? null : join(stored, `${name.replaceAll(/[^\w.]/g, '_')}.json`);
  if (file !== null && existsSync(file))
    return { path, facts: JSON.parse(readFileSync(file, 'utf8')) as ClipFacts };
  const { seen, audio } = await measureClip(path);
  if (seen === null) throw new Error(`${path} has no picture`);
  const facts: ClipFacts = { ...seen, audio };
  if (file !== null) writeFileSync(file, JSON.stringify(facts));
  return { path, facts };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  if (positionals[0] === undefined) throw new Error('Which folder did bench/unseen.ts lay out?');
  unseenFolder = positionals[0];
  const conditions = currentConditions();
  const folder = mkdtempSync(join(tmpdir(), 'styledna-rhythm-'));
  const outputs = values.outputs ?? folder;
  for (const path of [outputs, ...(values.facts === undefined ? [] : [values.facts])])
    mkdirSync(path, { recursive: true });
  const pairs = { tuning: TUNING, talking: TALKING }[values.half] ?? REPORTING;
  const results: { pair: Pair; pace: PaceResult }[] = [];
  try {
    for (const [index, pair] of pairs.entries()) {
      if (!nameOf(pair).includes(values.only)) continue;
      console.error(nameOf(pair));
      const [source, template] = [
        await measured(pair.source, values.facts),
        await measured(pair.template, values.facts),
      ];
      const pace = await measurePace(source, template, join(outputs, `${values.half}${index + 1}.mp4`));
      results.push({ pair, pace });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log([`${conditionsInWords(conditions)}, ${values.half} half.`, paceTable(results)].join('\n\n'));
  if (!values['no-save']) console.log(`\n${saveResult('rhythm', { conditions, results })}`);
}

await main();
