/** Fits the weights that distinguish cuts from similar changes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cutExamples } from './fit/cut-examples.ts';
import { type ClipExamples, fitCutNetwork, writeCutWeights } from './fit/cut-network.ts';
import { madeClips, madeFolder, seedsOf } from './generate/families.ts';
import { shotsOf, writeRecut } from './generate/recuts.ts';
import { readTruths, type Truth } from './lib/truth.ts';
import { recordingOf } from './shots/recording.ts';

const ANALYSIS = fileURLToPath(new URL('../src/analysis/', import.meta.url));
/** Weight of a real clip: they are few, and most important. */
const REAL_WEIGHT = 4;
const SEEDS = ['edits:1-4', 'fast:5001-5009'];
/** Seeds of the clips that are edited from the real ones. */
const RECUTS = '1-180';

/** Recuts of the clips in the folders, beside which no other recuts are. */
async function recutsOf(folders: readonly string[], seeds: readonly number[]): Promise<string> {
  const folder = madeFolder('recuts');
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
  return withCuts([...folders, await recutsOf(folders, seedsOf(recuts)), ...(await madeClips(seeds))]);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string', multiple: true, default: SEEDS },
      recuts: { type: 'string', default: RECUTS },
      write: { type: 'boolean', default: false },
    },
  });
  const cuts: ClipExamples[] = [];
  for (const truth of await truthsOf(positionals, values.seeds, values.recuts)) {
    const examples = cutExamples(await recordingOf(truth.path), truth);
    const times = truth.made.family === undefined ? REAL_WEIGHT : 1;
    cuts.push(Array.from({ length: times }, () => examples).flat());
  }
  const weights = fitCutNetwork(cuts);
  if (!values.write) return;
  const from = `Written by \`bench/fit-shots.ts\` from ${cuts.length} clips.`;
  writeCutWeights(`${ANALYSIS}shots/cut-weights.ts`, weights, `A network for cuts. ${from}`);
}

await main();
