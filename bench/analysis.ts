/** Accuracy of the analysis on clips with known truth, real and generated, compared with its peers; and its cost. */
import { parseArgs } from 'node:util';
import { type ClipScore, scoreClip } from './accuracy/clip-score.ts';
import {
  audioKindTable,
  calibrationTable,
  cameraConfusionTable,
  clipTable,
  confusionTable,
  costTable,
  dialTable,
  type Groups,
  peerTable,
  targetTable,
} from './accuracy/tables.ts';
import { costTotals, figuresOf } from './accuracy/totals.ts';
import { FAMILIES, type Family, madeClips, REPORTING_SEEDS } from './generate/families.ts';
import { hasFootage } from './generate/footage.ts';
import { MEDIA } from './lib/long-clip.ts';
import { writeBetween } from './lib/readme.ts';
import { conditionsInWords, currentConditions, saveResult } from './lib/report.ts';
import { readTruths } from './lib/truth.ts';

async function scoreAll(folder: string, word: string): Promise<ClipScore[]> {
  const scores: ClipScore[] = [];
  for (const truth of readTruths(folder)) {
    if (!truth.path.includes(word)) continue;
    console.error(truth.name);
    scores.push(await scoreClip(truth));
  }
  return scores;
}

/** Generated clips are cached in the folder for temporary files: the same seeds make the same clips. */
async function scoreMade(families: readonly Family[], seeds: string, word: string): Promise<ClipScore[]> {
  if (!hasFootage()) {
    console.error('No footage to generate clips from: only the given folder is scored');
    return [];
  }
  const folders = await madeClips(families.map((family) => `${family}:${seeds}`));
  const scores: ClipScore[] = [];
  for (const folder of folders) scores.push(...(await scoreAll(folder, word)));
  return scores;
}

function report(groups: Groups): string {
  const { real, made } = groups;
  return [
    '### Against the targets',
    targetTable(groups),
    '### Beside its peers',
    peerTable(groups),
    '### Whether a confidence means what it says',
    calibrationTable(groups),
    '### What is confused: generated clips',
    confusionTable(made),
    cameraConfusionTable(made),
    dialTable(made),
    audioKindTable(made),
    '### The real clips one by one',
    clipTable(real),
    costTable(groups),
  ].join('\n\n');
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string', default: '' },
      seeds: { type: 'string', default: REPORTING_SEEDS },
      family: { type: 'string', multiple: true },
      readme: { type: 'boolean', default: false },
      'no-save': { type: 'boolean', default: false },
    },
  });
  const conditions = currentConditions();
  const families = (values.family ?? Object.keys(FAMILIES)).filter((name) => name in FAMILIES) as Family[];
  const real = await scoreAll(positionals[0] ?? MEDIA, values.only);
  const made = await scoreMade(families, values.seeds, values.only);
  if (real.length + made.length === 0)
    throw new Error('No media file with a *.truth.json beside it was found');
  const groups = { real, made };
  const text = `${conditionsInWords(conditions)}. Generated: ${families.join(', ') || 'none'}, seeds ${values.seeds}.\n\n${report(groups)}`;
  console.log(text);
  if (values.readme) writeBetween('analysis: written by bench/analysis.ts', text);
  if (values['no-save']) return;
  const figures = { real: figuresOf(real), made: figuresOf(made), cost: costTotals(real) };
  console.log(`\n${saveResult('analysis', { conditions, figures, seeds: values.seeds })}`);
}

await main();
