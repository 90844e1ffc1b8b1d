/**
 * Fits the confidence in a tempo to stored examples (docs/decisions/0036-track-beats-over-the-whole-piece.md) and reports
 * how often it is right in families of songs left out of the fit and of the choice of its parameters. `--hear LIST` measures the
 * songs of lists again, [{"file": …, "bpm": …, "family": …}], with generated pieces; `--check` compares the fit with the stored weights;
 * `--report LIST` judges other songs by the stored weights.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CONFIDENCE_POWER, CONFIDENCE_WEIGHTS } from '../src/analysis/beats/confidence-weights.ts';
import { openSamples } from '../src/media/decode/samples.ts';
import {
  CONFIDENT,
  confidentOf,
  fitConfidence,
  GENERATED,
  type Judgment,
  judgeBy,
  judgeLeftOut,
} from './fit/tempo-confidence.ts';
import {
  measureSamples,
  storedExamples,
  storeExamples,
  type TempoExample,
  type TempoExamples,
  tempoExample,
} from './fit/tempo-examples.ts';
import { seedsOf } from './generate/families.ts';
import { SOUND_RATE } from './generate/instruments.ts';
import { Random } from './generate/random.ts';
import { recipesOf } from './generate/sounds.ts';

const FILE = fileURLToPath(new URL('../src/analysis/beats/confidence-weights.ts', import.meta.url));
/** The weights that select a tempo are fitted to seeds 1-24. */
const SEEDS = '31-38';
/** Pieces without one tempo, or cut from real music. */
const LEFT_OUT = new Set([
  'real',
  'real_in_noise',
  'speech_over_music',
  'rubato',
  'tempo_change',
  'drift',
  'pads',
]);
/** The first minute of a song. */
const HEARD_SECONDS = 60;

interface ListedSong {
  readonly file: string;
  readonly bpm: number;
  readonly family: string;
}

async function* listedSongs(list: string): AsyncGenerator<ReturnType<typeof tempoExample>> {
  for (const { file, bpm, family } of JSON.parse(readFileSync(list, 'utf8')) as readonly ListedSong[]) {
    const blocks = await Array.fromAsync(
      openSamples(resolve(dirname(list), file), { sampleRate: SOUND_RATE, channels: 'mono' }),
    );
    const samples = Float32Array.from(blocks.flatMap(({ channels }) => [...channels[0]]));
    const name = basename(file).replace(/\.\w+$/, '');
    yield tempoExample(measureSamples(samples.subarray(0, HEARD_SECONDS * SOUND_RATE)), {
      name,
      family,
      bpm,
    });
  }
}

async function* generatedPieces(): AsyncGenerator<ReturnType<typeof tempoExample>> {
  for (const seed of seedsOf(SEEDS)) {
    console.error(`hearing ${seed}`);
    for (const [place, [kind, recipe]] of Object.entries(recipesOf(seed)).entries()) {
      if (LEFT_OUT.has(kind)) continue;
      const { samples, truth } = await recipe(new Random(seed * 100 + place));
      if (truth.bpm === undefined) continue;
      yield tempoExample(measureSamples(samples), {
        name: `${kind}-${seed}`,
        family: GENERATED,
        bpm: truth.bpm,
      });
    }
  }
}

async function collect(
  ...sources: readonly AsyncIterable<ReturnType<typeof tempoExample>>[]
): Promise<TempoExamples> {
  const examples: TempoExample[] = [];
  let names: readonly string[] = [];
  for (const source of sources) {
    for await (const heard of source) {
      if (heard === null) continue;
      names = heard.names;
      examples.push(heard.example);
    }
  }
  return { names, examples };
}

function report(name: string, judgments: readonly Judgment[]): void {
  const { count, right } = confidentOf(judgments);
  const all = judgments.filter(({ isRight }) => isRight).length;
  const brier =
    judgments.reduce((sum, { confidence, isRight }) => sum + (confidence - Number(isRight)) ** 2, 0) /
    judgments.length;
  console.log(
    `${name}: ${right} of ${count} right at ${CONFIDENT} and more; ${all} of ${judgments.length} right, Brier score ${brier.toFixed(3)}`,
  );
  for (const { example, isRight, confidence } of judgments)
    if (!isRight && confidence >= CONFIDENT)
      console.log(
        `  ${example.name}: ${example.candidates[example.chosen].bpm} for ${example.bpm} BPM, ${confidence.toFixed(2)}`,
      );
}

function store({ weights, power }: ReturnType<typeof fitConfidence>): void {
  const text = readFileSync(FILE, 'utf8');
  const quoted = (name: string) => (name.includes('.') ? `'${name}'` : name);
  const lines = Object.entries(weights).map(([name, weight]) => `  ${quoted(name)}: ${weight},\n`);
  const [head] = text.split('{\n');
  const rest = text.slice(text.indexOf('};')).replace(/(CONFIDENCE_POWER = )[\d.]+/, `$1${power}`);
  writeFileSync(FILE, `${head}{\n${lines.join('')}${rest}`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      hear: { type: 'string', multiple: true },
      report: { type: 'string', multiple: true },
      check: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  if (values.hear !== undefined)
    storeExamples(await collect(...values.hear.map(listedSongs), generatedPieces()));
  if (values.report !== undefined) {
    const others = await collect(...values.report.map(listedSongs));
    for (const family of new Set(others.examples.map((example) => example.family)))
      report(
        family,
        judgeBy(
          { names: others.names, examples: others.examples.filter((example) => example.family === family) },
          CONFIDENCE_WEIGHTS,
          CONFIDENCE_POWER,
        ),
      );
  } else {
    const all = storedExamples();
    const fitted = fitConfidence(all);
    console.log(fitted);
    if (values.write) store(fitted);
    if (values.check) {
      const isSame =
        JSON.stringify(fitted) === JSON.stringify({ weights: CONFIDENCE_WEIGHTS, power: CONFIDENCE_POWER });
      console.log(
        isSame ? 'The stored weights are the fitted ones.' : 'The stored weights are not the fitted ones.',
      );
      process.exitCode = isSame ? 0 : 1;
    } else {
      const leftOut = judgeLeftOut(all);
      for (const [family, judgments] of leftOut) report(family, judgments);
      report(
        'songs left out',
        [...leftOut].flatMap(([family, own]) => (family === GENERATED ? [] : own)),
      );
      report('all left out', [...leftOut.values()].flat());
    }
  }
}
