/** Fits the weights by which cuts and dissolves are told from what only looks like them. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { CutEvidence } from '../src/analysis/shots/cut-evidence.ts';
import type { DissolveEvidence } from '../src/analysis/transitions/dissolve-evidence.ts';
import { WEIGHTS as DISSOLVE } from '../src/analysis/transitions/dissolve-weights.ts';
import { cutExamples } from './fit/cut-examples.ts';
import { fitCutNetwork, writeCutWeights } from './fit/cut-network.ts';
import { dissolveExamples } from './fit/dissolve-examples.ts';
import { type ClipExamples, fitWeights, writeWeights } from './fit/logistic.ts';
import { type Family, generate, seedsOf } from './generate/families.ts';
import { shotsOf, writeRecut } from './generate/recuts.ts';
import { readTruths, type Truth } from './lib/truth.ts';
import { recordingOf } from './shots/recording.ts';

const ANALYSIS = fileURLToPath(new URL('../src/analysis/', import.meta.url));
/** Real clips are few, and what counts: each stands for so many. */
const REAL_WEIGHT = 4;
const SEEDS = ['edits:1-4', 'fast:5001-5009'];
/** Seeds of the clips that are cut anew from the real ones. */
const RECUTS = '1-180';

/** Recuts of the clips in the folders, beside which no other recuts are. */
async function recutsOf(folders: readonly string[], seeds: readonly number[]): Promise<string> {
  const folder = join(tmpdir(), 'styledna-bench', 'made', 'recuts');
  const missing = seeds.filter((seed) => !existsSync(join(folder, `recut-${seed}.truth.json`)));
  if (missing.length === 0) return folder;
  const shots = await shotsOf(withCuts(folders));
  for (const seed of missing) {
    console.error(`making recut ${seed}`);
    await writeRecut(folder, seed, shots);
  }
  return folder;
}

function withCuts(folders: readonly string[]): Truth[] {
  return folders
    .flatMap((folder) => readTruths(folder))
    .filter(({ cutsSeconds, excluded }) => cutsSeconds !== null && !excluded.has('cuts'));
}

async function truthsOf(
  folders: readonly string[],
  seeds: readonly string[],
  recuts: string,
): Promise<Truth[]> {
  const all = [...folders, await recutsOf(folders, seedsOf(recuts))];
  for (const text of seeds) {
    const [family, numbers] = text.split(':') as [Family, string];
    all.push(...(await generate(join(tmpdir(), 'styledna-bench', 'made'), [family], numbers)));
  }
  return withCuts(all);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string', multiple: true, default: SEEDS },
      recuts: { type: 'string', default: RECUTS },
      write: { type: 'boolean', default: false },
      'leave-away': { type: 'boolean', default: false },
    },
  });
  const cuts: ClipExamples<keyof CutEvidence>[] = [];
  const dissolves: ClipExamples<keyof DissolveEvidence>[] = [];
  for (const truth of await truthsOf(positionals, values.seeds, values.recuts)) {
    const recording = await recordingOf(truth.path);
    const times = truth.made.family === undefined ? REAL_WEIGHT : 1;
    const repeated = <Example>(examples: readonly Example[]) =>
      Array.from({ length: times }, () => examples).flat();
    cuts.push(repeated(cutExamples(recording, truth)));
    dissolves.push(repeated(dissolveExamples(recording, truth)));
  }
  const cutWeights = fitCutNetwork(cuts);
  const dissolveWeights = fitWeights(
    dissolves,
    Object.keys(DISSOLVE) as (keyof DissolveEvidence)[],
    values['leave-away'],
  );
  console.log(dissolveWeights);
  if (!values.write) return;
  const from = `Written by \`bench/fit-shots.ts\` from ${cuts.length} clips.`;
  const say = (what: string) =>
    `Weight of each piece of evidence for a ${what}, in logarithmic odds. ${from}`;
  writeCutWeights(`${ANALYSIS}shots/cut-weights.ts`, cutWeights, `A network for cuts. ${from}`);
  writeWeights(
    `${ANALYSIS}transitions/dissolve-weights.ts`,
    'DissolveEvidence',
    'dissolve-evidence.ts',
    say('dissolve'),
    dissolveWeights,
  );
}

await main();
