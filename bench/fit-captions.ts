/** Fits the weights that classify texts in one place as captions. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CaptionDetector } from '../src/analysis/captions/captions.ts';
import type { SeriesEvidence } from '../src/analysis/captions/series-evidence.ts';
import { WEIGHTS } from '../src/analysis/captions/series-weights.ts';
import { captionRecordingOf, replayCaptions } from './captions/recording.ts';
import { type ClipExamples, fitWeights, writeWeights } from './fit/logistic.ts';
import { seriesExamples } from './fit/series-examples.ts';
import { madeClips } from './generate/families.ts';
import { Random } from './generate/random.ts';
import { readTruths } from './lib/truth.ts';

const CAPTIONS = fileURLToPath(new URL('../src/analysis/captions/', import.meta.url));
const SEEDS = '1-12';
/** Weight of a real clip: they are few, and most important. */
const REAL_WEIGHT = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: SEEDS },
    write: { type: 'boolean', default: false },
    'leave-away': { type: 'boolean', default: false },
  },
});
const made = await madeClips([`captions:${values.seeds}`]);
const random = new Random(1);
const clips: ClipExamples<keyof SeriesEvidence>[] = [];
for (const truth of [...positionals, ...made].flatMap((folder) => readTruths(folder))) {
  if (truth.captions === null) continue;
  const detector = new CaptionDetector();
  replayCaptions(await captionRecordingOf(truth.path), detector);
  const examples = seriesExamples(detector.finishPieces(), truth, random);
  const times = truth.made.family === undefined ? REAL_WEIGHT : 1;
  if (examples.length > 0) clips.push(Array.from({ length: times }, () => examples).flat());
}
const weights = fitWeights(clips, Object.keys(WEIGHTS) as (keyof SeriesEvidence)[], values['leave-away']);
console.log(weights);
if (values.write)
  writeWeights(
    `${CAPTIONS}series-weights.ts`,
    'SeriesEvidence',
    'series-evidence.ts',
    `Weight of each piece of evidence for captions, in logarithmic odds. Written by \`bench/fit-captions.ts\` from ${clips.length} clips.`,
    weights,
  );
