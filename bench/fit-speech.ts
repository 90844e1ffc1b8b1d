/** Fits the weights that distinguish speech from music and noise. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { SpeechEvidence } from '../src/analysis/speech/speech-evidence.ts';
import { WEIGHTS } from '../src/analysis/speech/speech-weights.ts';
import { type ClipExamples, fitWeights, writeWeights } from './fit/logistic.ts';
import { madeSpeechExamples, speechExamples } from './fit/speech-examples.ts';
import { madeClips, seedsOf } from './generate/families.ts';
import { Random } from './generate/random.ts';
import { RECIPES } from './generate/sounds.ts';
import { readTruths } from './lib/truth.ts';

const FILE = fileURLToPath(new URL('../src/analysis/speech/speech-weights.ts', import.meta.url));
const SEEDS = '2101-2106';
/** More clips with speech, and with neither speech nor music, than one in a seed. */
const PIECES = ['speech', 'speech_over_music', 'noise', 'ambience'];
const PIECE_SEEDS = '2201-2230';
/** Weight of a real clip, and of a window with speech: both are few, and most important. */
const REAL_WEIGHT = 2;
const SPOKEN_WEIGHT = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: SEEDS },
    pieces: { type: 'string', default: PIECE_SEEDS },
    write: { type: 'boolean', default: false },
    'leave-away': { type: 'boolean', default: false },
  },
});
function weighed(
  examples: ClipExamples<keyof SpeechEvidence>,
  times: number,
): ClipExamples<keyof SpeechEvidence> {
  return examples.flatMap((example) =>
    Array.from({ length: times * (example.isWanted ? SPOKEN_WEIGHT : 1) }, () => example),
  );
}

async function shortPieces(seeds: string): Promise<ClipExamples<keyof SpeechEvidence>[]> {
  const pieces: ClipExamples<keyof SpeechEvidence>[] = [];
  for (const seed of seedsOf(seeds))
    for (const recipe of PIECES.map((name) => RECIPES[name]))
      pieces.push(weighed(madeSpeechExamples(await recipe(new Random(seed))), 1));
  return pieces;
}

const made = await madeClips([`sounds:${values.seeds}`]);
const clips: ClipExamples<keyof SpeechEvidence>[] = [];
for (const truth of [...positionals, ...made].flatMap((folder) => readTruths(folder))) {
  const times = truth.made.family === undefined ? REAL_WEIGHT : 1;
  const examples = weighed(await speechExamples(truth), times);
  if (examples.length > 0) clips.push(examples);
}
clips.push(...(await shortPieces(values.pieces)));
const weights = fitWeights(clips, Object.keys(WEIGHTS) as (keyof SpeechEvidence)[], values['leave-away']);
console.log(weights);
if (values.write)
  writeWeights(
    FILE,
    'SpeechEvidence',
    'speech-evidence.ts',
    `Weight of each piece of evidence for speech, in logarithmic odds. Written by \`bench/fit-speech.ts\` from ${clips.length} clips.`,
    weights,
  );
