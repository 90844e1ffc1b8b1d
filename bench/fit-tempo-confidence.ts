/**
 * Fits the weights of the confidence in a tempo to generated pieces and songs, and reports on other pieces and songs how often it is
 * right (docs/decisions/0036-track-beats-over-the-whole-piece.md). A list of songs is a JSON file: [{"file": …, "bpm": …}].
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CONFIDENCE_WEIGHTS } from '../src/analysis/beats/confidence-weights.ts';
import { WEIGHTS } from '../src/analysis/beats/weights.ts';
import { openSamples } from '../src/media/decode/samples.ts';
import { fitChoices } from './fit/conditional-logit.ts';
import { type HypothesisExample, songExampleIn } from './fit/hypothesis-examples.ts';
import { choicesOf, examplesOf, namesOf, type Taught } from './fit-beats.ts';
import { SOUND_RATE } from './generate/instruments.ts';

type Weights = Readonly<Record<string, number>>;

const FILE = fileURLToPath(new URL('../src/analysis/beats/confidence-weights.ts', import.meta.url));
/** Songs vary more than generated pieces. */
const PENALTY = 10;
/** As in `src/analysis/beats/level.ts`, without its cases above 160 BPM. */
const TEMPO_POWER = 2;
const CONFIDENT = 0.8;
/** Tuning seeds; grooves of seeds above 1000 are in no tuning seed. */
const [SEEDS, REPORT_SEEDS] = ['1-12', '1001-1002'];
const MIN_F = 0.7;

async function songsOf(list: string | undefined): Promise<Taught[]> {
  if (list === undefined) return [];
  const songs: readonly { file: string; bpm: number }[] = JSON.parse(readFileSync(list, 'utf8'));
  const taught: Taught[] = [];
  for (const { file, bpm } of songs) {
    const path = join(dirname(list), file);
    const blocks = await Array.fromAsync(openSamples(path, { sampleRate: SOUND_RATE, channels: 'mono' }));
    const samples = Float32Array.from(blocks.flatMap(({ channels }) => [...channels[0]]));
    const example = songExampleIn(samples, bpm);
    if (example !== null) taught.push({ kind: file, example });
  }
  return taught;
}

/** Mean of the weights that choose the tempo and of those fitted here. */
function confidenceWeights(taught: readonly Taught[]): Weights {
  const names = namesOf(taught);
  const choices = choicesOf(taught, names).filter(({ right }) => right.size > 0);
  const fitted = fitChoices(choices, PENALTY);
  return Object.fromEntries(
    names.map((name, k) => [name, Number(((fitted[k] + (WEIGHTS[name] ?? 0)) / 2).toFixed(2))]),
  );
}

function scoresOf({ hypotheses }: HypothesisExample, weights: Weights): number[] {
  return hypotheses.map(({ evidence }) =>
    Object.entries(evidence).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0),
  );
}

/** Whether the chosen tempo is right, and the confidence in it. */
function judged(example: HypothesisExample, weights: Weights) {
  const choosing = scoresOf(example, WEIGHTS);
  const { interval } = example.hypotheses[choosing.indexOf(Math.max(...choosing))];
  const scores = scoresOf(example, weights);
  const odds = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const sum = (among: (i: number) => boolean) =>
    odds.reduce((total, value, i) => total + (among(i) ? value : 0), 0);
  const share = sum((i) => example.hypotheses[i].interval === interval) / sum(() => true);
  const isRight = example.hypotheses.some((one) => one.interval === interval && one.f >= MIN_F);
  return { isRight, confidence: share ** TEMPO_POWER };
}

function report(name: string, taught: readonly Taught[], weights: Weights): void {
  const all = taught.map(({ example }) => judged(example, weights));
  const confident = all.filter(({ confidence }) => confidence >= CONFIDENT);
  const right = confident.filter(({ isRight }) => isRight).length;
  const brier = all.reduce((sum, one) => sum + (one.confidence - Number(one.isRight)) ** 2, 0) / all.length;
  console.log(
    `${name}: ${all.length} stretches, ${right} of ${confident.length} right at ${CONFIDENT} and more, Brier score ${brier.toFixed(3)}`,
  );
}

function store(weights: Weights): void {
  const text = readFileSync(FILE, 'utf8');
  const quoted = (name: string) => (name.includes('.') ? `'${name}'` : name);
  const lines = Object.entries(weights).map(([name, weight]) => `  ${quoted(name)}: ${weight},`);
  writeFileSync(FILE, `${text.slice(0, text.indexOf('{\n') + 2)}${lines.join('\n')}\n};\n`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: SEEDS },
      songs: { type: 'string' },
      'report-seeds': { type: 'string', default: REPORT_SEEDS },
      'report-songs': { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  });
  const taught = [...(await examplesOf(values.seeds)), ...(await songsOf(values.songs))];
  const weights = confidenceWeights(taught);
  console.log(weights);
  const other = [...(await examplesOf(values['report-seeds'])), ...(await songsOf(values['report-songs']))];
  for (const [name, set] of Object.entries({ tuning: taught, reporting: other })) {
    report(`${name}, stored weights`, set, CONFIDENCE_WEIGHTS);
    report(`${name}, fitted weights`, set, weights);
  }
  if (values.write) store(weights);
}
