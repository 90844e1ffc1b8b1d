/**
 * Fits the weights that choose between hypotheses of a beat to generated pieces; reports the result on kinds
 * left out.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Choice, choose, fitChoices } from './fit/conditional-logit.ts';
import { examplesIn, type HypothesisExample } from './fit/hypothesis-examples.ts';
import { seedsOf } from './generate/families.ts';
import { Random } from './generate/random.ts';
import { recipesOf } from './generate/sounds.ts';

const WEIGHTS = fileURLToPath(new URL('../src/analysis/beats/weights.ts', import.meta.url));
/** Of .3, .7, 1, 1.5, 3 and 6 the likeliest right ones in seeds left out. */
const PENALTY = 1;
/** A hypothesis is right when it does nearly as well as the best; where none does well there is nothing to learn. */
const AS_GOOD = 0.08;
const MIN_F = 0.7;
const SEEDS = '1-24';

export interface Taught {
  readonly kind: string;
  readonly example: HypothesisExample;
}

export async function examplesOf(seeds: string): Promise<Taught[]> {
  const taught: Taught[] = [];
  for (const seed of seedsOf(seeds)) {
    console.error(`hearing ${seed}`);
    for (const [place, [kind, recipe]] of Object.entries(recipesOf(seed)).entries()) {
      const { samples, truth } = await recipe(new Random(seed * 100 + place));
      const name = kind.replace(/_[a-c]$/, '');
      taught.push(...examplesIn(samples, truth).map((example) => ({ kind: name, example })));
    }
  }
  return taught;
}

export interface Scored extends Choice {
  readonly kind: string;
  readonly fs: readonly number[];
}

export function choicesOf(taught: readonly Taught[], names: readonly string[]): Scored[] {
  return taught.map(({ kind, example: { hypotheses } }) => {
    const fs = hypotheses.map(({ f }) => f);
    const best = Math.max(...fs);
    return {
      kind,
      fs,
      candidates: hypotheses.map(({ evidence }) => Float64Array.from(names, (name) => evidence[name])),
      right: new Set(fs.flatMap((f, i) => (best >= MIN_F && f >= best - AS_GOOD ? [i] : []))),
    };
  });
}

function fit(choices: readonly Scored[]): Float64Array {
  return fitChoices(
    choices.filter(({ right }) => right.size > 0),
    PENALTY,
  );
}

function meanF(choices: readonly Scored[], weights: Float64Array): number {
  return (
    choices.reduce((sum, { fs, candidates }) => sum + fs[choose(candidates, weights)], 0) / choices.length
  );
}

export function namesOf(taught: readonly Taught[]): string[] {
  return Object.keys(taught[0].example.hypotheses[0].evidence);
}

export function fitHypotheses(taught: readonly Taught[]): Record<string, number> {
  const names = namesOf(taught);
  const weights = fit(choicesOf(taught, names));
  return Object.fromEntries(names.map((name, k) => [name, Number(weights[k].toFixed(2))]));
}

/** F of each kind by weights fitted to the others, and by weights fitted to all. */
export function leaveOut(taught: readonly Taught[]): string[] {
  const choices = choicesOf(taught, namesOf(taught));
  const fitted = fit(choices);
  const kinds = [...new Set(choices.map(({ kind }) => kind))].map((kind) => {
    const own = choices.filter((choice) => choice.kind === kind);
    const f = meanF(own, fit(choices.filter((choice) => choice.kind !== kind)));
    return { kind, count: own.length, f, known: meanF(own, fitted) };
  });
  const left = kinds.reduce((sum, { count, f }) => sum + count * f, 0) / choices.length;
  return [...kinds, { kind: 'all', count: choices.length, f: left, known: meanF(choices, fitted) }].map(
    ({ kind, count, f, known }) => `${kind} (${count}): ${f.toFixed(3)} left out, ${known.toFixed(3)} fitted`,
  );
}

function writeWeights(weights: Readonly<Record<string, number>>, seeds: string): void {
  const quoted = (name: string) => (name.includes('.') ? `'${name}'` : name);
  const lines = Object.entries(weights).map(([name, weight]) => `  ${quoted(name)}: ${weight},`);
  writeFileSync(
    WEIGHTS,
    `/**
 * Weight of each piece of evidence for a hypothesis of the beat, per unit of logarithmic odds. Written by
 * \`bench/fit-beats.ts\` from the generated pieces of seeds ${seeds}.
 */
export const WEIGHTS: Readonly<Record<string, number>> = {
${lines.join('\n')}
};
`,
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: SEEDS },
      'leave-out': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const taught = await examplesOf(values.seeds);
  const weights = fitHypotheses(taught);
  console.log(weights);
  if (values['leave-out']) console.log(leaveOut(taught).join('\n'));
  if (values.write) writeWeights(weights, values.seeds);
}
