/**
 * Fits the weights that distinguish dissolves, wipes, circles, slides and zooms from each other and from
 * similar changes.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { kindOf } from '../src/analysis/transitions/classify.ts';
import type { SpanEvidence } from '../src/analysis/transitions/span-evidence.ts';
import { type Kind, WEIGHTS as PRESENT } from '../src/analysis/transitions/transition-weights.ts';
import { type Choice, choose, fitChoices } from './fit/conditional-logit.ts';
import { transitionExamples, type WindowExample } from './fit/transition-examples.ts';
import { madeClips } from './generate/families.ts';
import { movingClips } from './generate/moving-changes.ts';
import { readTruths } from './lib/truth.ts';
import { recordingOf } from './shots/recording.ts';

const WEIGHTS = fileURLToPath(new URL('../src/analysis/transitions/transition-weights.ts', import.meta.url));
/** Weight of a real clip: they are few, and most important. */
const REAL_WEIGHT = 4;
/**
 * Of weights that differ from the present ones. Below 40, slow wipes become slides, and light on a moving picture
 * becomes a fade: docs/notebook/transitions.md.
 */
const PENALTY = 40;
const FOLDS = 5;
const SEEDS = ['edits:1-4', 'edits:11-15', 'fast:5001-5007', 'disturbed:1-6'];
const COMMON = [
  'bias',
  'error',
  'around',
  'alike',
  'samePlace',
  'patchy',
  'return',
  'seconds',
  'brief',
  'leap',
  'plain',
];
const NAMES = {
  dissolve: [...COMMON, 'even', 'uneven', 'moved', 'oneSided'],
  wipe: [...COMMON, 'advantage', 'explained'],
  slide: [...COMMON, 'advantage', 'seam', 'pan', 'travel', 'panContinuation'],
  zoom: [...COMMON, 'advantage', 'growth'],
} as Readonly<Record<Kind, readonly (keyof SpanEvidence)[]>>;
/** One weight for each piece of evidence of each kind. */
const COLUMNS = (Object.keys(NAMES) as Kind[]).flatMap((kind) => NAMES[kind].map((name) => ({ kind, name })));

/** The present weights; 0 for new evidence. */
const PRIOR = Float64Array.from(COLUMNS, ({ kind, name }) => PRESENT[kind][name] ?? 0);

/** Nothing, whose evidence is nought, and the candidates. */
function choiceOf(window: WindowExample): Choice {
  const right = new Set(window.flatMap(({ isRight }, k) => (isRight ? [k + 1] : [])));
  return {
    candidates: [
      new Float64Array(COLUMNS.length),
      ...window.map(({ type, evidence }) =>
        Float64Array.from(COLUMNS, ({ kind, name }) => (kind === kindOf({ type }) ? evidence[name] : 0)),
      ),
    ],
    right: right.size > 0 ? right : new Set([0]),
  };
}

/** Results on windows left out, by their truth: right, nothing found, another type found. */
function tryOut(clips: readonly (readonly WindowExample[])[]): void {
  const reported = new Map<string, [right: number, nothing: number, other: number]>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fitChoices(
      clips
        .filter((_, k) => k % FOLDS !== fold)
        .flat()
        .map(choiceOf),
      PENALTY,
      PRIOR,
    );
    for (const window of clips.filter((_, k) => k % FOLDS === fold).flat()) {
      const shown = window.find(({ isRight }) => isRight)?.type ?? 'nothing';
      const { candidates, right } = choiceOf(window);
      const chosen = choose(candidates, weights);
      const counts = reported.get(shown) ?? [0, 0, 0];
      counts[right.has(chosen) ? 0 : chosen === 0 ? 1 : 2] += 1;
      reported.set(shown, counts);
    }
  }
  for (const [shown, [right, nothing, other]] of reported)
    console.log(`  left out, ${shown}: ${right} right, ${nothing} nothing, ${other} other`);
}

function write(weights: Float64Array, clips: number): void {
  const rows = (kind: Kind): string =>
    COLUMNS.map(({ name, ...one }, k) =>
      one.kind === kind ? `    ${name}: ${Number(weights[k]!.toFixed(2))},\n` : '',
    ).join('');
  const tables = (Object.keys(NAMES) as Kind[]).map((kind) => `  ${kind}: {\n${rows(kind)}  },\n`);
  writeFileSync(
    WEIGHTS,
    `import type { SpanEvidence } from './span-evidence.ts';

export type Kind = 'dissolve' | 'wipe' | 'slide' | 'zoom';

/** Weights of the evidence for each kind, in logarithmic odds. Written by \`bench/fit-transitions.ts\` from ${clips} clips. */
export const WEIGHTS: Readonly<Record<Kind, Partial<Record<keyof SpanEvidence, number>>>> = {
${tables.join('')}};
`,
  );
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seeds: { type: 'string', multiple: true, default: SEEDS },
      moving: { type: 'string', multiple: true, default: [] },
      write: { type: 'boolean', default: false },
    },
  });
  const folders = [...positionals, ...(await madeClips(values.seeds)), ...(await movingClips(values.moving))];
  const clips: (readonly WindowExample[])[] = [];
  for (const truth of folders.flatMap((folder) => readTruths(folder))) {
    if (truth.cutsSeconds === null || truth.excluded.has('cuts')) continue;
    const windows = transitionExamples(await recordingOf(truth.path), truth);
    const times = truth.made.family === undefined ? REAL_WEIGHT : 1;
    clips.push(Array.from({ length: times }, () => windows).flat());
  }
  console.log(`${clips.length} clips, ${clips.flat().length} windows`);
  tryOut(clips);
  if (values.write) write(fitChoices(clips.flat().map(choiceOf), PENALTY, PRIOR), clips.length);
}

await main();
