/** Fits the weights by which cuts and dissolves are told from what only looks like them. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { CutEvidence } from '../src/analysis/shots/cut-evidence.ts';
import { WEIGHTS as CUT } from '../src/analysis/shots/cut-weights.ts';
import type { DissolveEvidence } from '../src/analysis/transitions/dissolve-evidence.ts';
import { WEIGHTS as DISSOLVE } from '../src/analysis/transitions/dissolve-weights.ts';
import { cutExamples } from './fit/cut-examples.ts';
import { dissolveExamples } from './fit/dissolve-examples.ts';
import { type ClipExamples, fitWeights, writeWeights } from './fit/logistic.ts';
import { type Family, generate } from './generate/families.ts';
import { readTruths, type Truth } from './lib/truth.ts';
import { recordingOf } from './shots/recording.ts';

const ANALYSIS = fileURLToPath(new URL('../src/analysis/', import.meta.url));
/** Real clips are few, and what counts: each stands for so many. */
const REAL_WEIGHT = 4;
const SEEDS = ['edits:1-4', 'fast:5001-5009'];

async function truthsOf(folders: readonly string[], seeds: readonly string[]): Promise<Truth[]> {
  const all = [...folders];
  for (const text of seeds) {
    const [family, numbers] = text.split(':') as [Family, string];
    all.push(...(await generate(join(tmpdir(), 'styledna-bench', 'made'), [family], numbers)));
  }
  return all
    .flatMap((folder) => readTruths(folder))
    .filter(({ cutsSeconds, excluded }) => cutsSeconds !== null && !excluded.has('cuts'));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string', multiple: true, default: SEEDS },
      write: { type: 'boolean', default: false },
      'leave-away': { type: 'boolean', default: false },
    },
  });
  const cuts: ClipExamples<keyof CutEvidence>[] = [];
  const dissolves: ClipExamples<keyof DissolveEvidence>[] = [];
  for (const truth of await truthsOf(positionals, values.seeds)) {
    const recording = await recordingOf(truth.path);
    const times = truth.made.family === undefined ? REAL_WEIGHT : 1;
    const repeated = <Example>(examples: readonly Example[]) =>
      Array.from({ length: times }, () => examples).flat();
    cuts.push(repeated(cutExamples(recording, truth)));
    dissolves.push(repeated(dissolveExamples(recording, truth)));
  }
  const cutWeights = fitWeights(cuts, Object.keys(CUT) as (keyof CutEvidence)[], values['leave-away']);
  const dissolveWeights = fitWeights(
    dissolves,
    Object.keys(DISSOLVE) as (keyof DissolveEvidence)[],
    values['leave-away'],
  );
  console.log(cutWeights, dissolveWeights);
  if (!values.write) return;
  const from = `Written by \`bench/fit-shots.ts\` from ${cuts.length} clips.`;
  const say = (what: string) =>
    `Weight of each piece of evidence for a ${what}, in logarithmic odds. ${from}`;
  writeWeights(`${ANALYSIS}shots/cut-weights.ts`, 'CutEvidence', 'cut-evidence.ts', say('cut'), cutWeights);
  writeWeights(
    `${ANALYSIS}transitions/dissolve-weights.ts`,
    'DissolveEvidence',
    'dissolve-evidence.ts',
    say('dissolve'),
    dissolveWeights,
  );
}

await main();
