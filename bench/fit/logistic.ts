/** Logistic regression on named evidence: fitted, tried on clips left out, and written to where the detector reads it. */
import { writeFileSync } from 'node:fs';
import { fMeasure, type Hits } from '../score/transitions.ts';
import { type Choice, fitChoices } from './conditional-logit.ts';

export interface Example<Name extends string> {
  readonly evidence: Readonly<Record<Name, number>>;
  readonly isWanted: boolean;
}

/** The examples of one clip: clips are left out whole. */
export type ClipExamples<Name extends string> = readonly Example<Name>[];

const PENALTY = 1;
const FOLDS = 6;

/** Two candidates, none with odds of one and the true one: the choice between them is logistic regression. */
function choicesOf<Name extends string>(
  clips: readonly ClipExamples<Name>[],
  names: readonly Name[],
): Choice[] {
  return clips.flat().map(({ evidence, isWanted }) => ({
    candidates: [new Float64Array(names.length), Float64Array.from(names, (name) => evidence[name])],
    right: new Set([isWanted ? 1 : 0]),
  }));
}

function hitsOf<Name extends string>(
  clips: readonly ClipExamples<Name>[],
  names: readonly Name[],
  weights: Float64Array,
): Hits {
  let [right, wrong, missed] = [0, 0, 0];
  for (const { evidence, isWanted } of clips.flat()) {
    const isFound = names.reduce((sum, name, k) => sum + weights[k] * evidence[name], 0) > 0;
    if (isFound && isWanted) right += 1;
    else if (isFound) wrong += 1;
    else if (!isFound && isWanted) missed += 1;
  }
  return { right, wrong, missed };
}

const inWords = (hits: Hits): string => `${JSON.stringify(hits)} F ${fMeasure(hits)?.toFixed(4)}`;

/** Prints how well clips do by weights that were fitted to others. */
function tryOut<Name extends string>(clips: readonly ClipExamples<Name>[], names: readonly Name[]): void {
  const all = { right: 0, wrong: 0, missed: 0 };
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = clips.filter((_, k) => k % FOLDS !== fold);
    const weights = fitChoices(choicesOf(others, names), PENALTY);
    const { right, wrong, missed } = hitsOf(
      clips.filter((_, k) => k % FOLDS === fold),
      names,
      weights,
    );
    all.right += right;
    all.wrong += wrong;
    all.missed += missed;
  }
  console.log(`  left out ${inWords(all)}`);
}

/** Fits the weights; on request reports the loss without each piece of evidence. */
export function fitWeights<Name extends string>(
  clips: readonly ClipExamples<Name>[],
  names: readonly Name[],
  leavesAway: boolean,
): Record<Name, number> {
  const weights = fitChoices(choicesOf(clips, names), PENALTY);
  console.log(`${clips.length} clips, ${clips.flat().length} examples`);
  console.log(`  fitted ${inWords(hitsOf(clips, names, weights))}`);
  tryOut(clips, names);
  for (const name of names) {
    if (name === 'bias' || !leavesAway) continue;
    console.log(`without ${name}:`);
    tryOut(
      clips,
      names.filter((other) => other !== name),
    );
  }
  return Object.fromEntries(names.map((name, k) => [name, Number(weights[k].toFixed(2))])) as Record<
    Name,
    number
  >;
}

/** Writes a file of weights as the detectors read them. */
export function writeWeights(
  path: string,
  type: string,
  from: string,
  comment: string,
  weights: Readonly<Record<string, number>>,
): void {
  const quoted = (name: string): string => (name.includes('.') ? `'${name}'` : name);
  const lines = Object.entries(weights).map(([name, weight]) => `  ${quoted(name)}: ${weight},`);
  writeFileSync(
    path,
    `import type { ${type} } from './${from}';

/** ${comment} */
export const WEIGHTS: Readonly<Record<keyof ${type}, number>> = {
${lines.join('\n')}
};
`,
  );
}
