/**
 * Fits the estimator of looks: natural pictures of a folder, each in many random looks whose truth is known.
 * Reports the explained share of the looks on pictures left out; `--write` fits to all and writes the
 * weights.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rgbToLab } from '../src/signal/color-space.ts';
import { evidenceOf } from '../src/style/look/evidence.ts';
import {
  encodeWeights,
  LOOK_FIGURES,
  type LookWeights,
  lookOfEvidence,
} from '../src/style/look/look-network.ts';
import { type Example, fitPerceptron } from './fit/perceptron.ts';
import { picturesIn, type RgbPicture, readPicture, shrunk } from './fit/pictures.ts';
import { figuresOf, type RgbLook, randomLook } from './fit/random-look.ts';
import { Random } from './generate/random.ts';

const WEIGHTS = fileURLToPath(new URL('../src/style/look/look-weights.bin', import.meta.url));
/** Looks are applied to pictures of this many pixels, and estimated from those of an analysis. */
const PIXELS = { graded: 2304, seen: 330 } as const;
const EPOCHS = 20;
/** One picture of ten is left out to judge by. */
const LEFT_OUT = 10;

function graded(picture: RgbPicture, look: RgbLook): RgbPicture {
  const rgb = Float64Array.from(picture.rgb);
  for (let at = 0; at < rgb.length; at += 3) look(rgb.subarray(at, at + 3));
  return { ...picture, rgb };
}

function exampleOf(picture: RgbPicture, look: RgbLook): Example | null {
  const { width, height, rgb } = shrunk(graded(picture, look), PIXELS.seen);
  const lab = new Float64Array(rgb.length);
  for (let at = 0; at < rgb.length; at += 3)
    rgbToLab(rgb[at], rgb[at + 1], rgb[at + 2], lab.subarray(at, at + 3));
  const evidence = evidenceOf({ width, height, lab });
  return evidence === null ? null : { evidence, figures: figuresOf(look) };
}

/** Explained share of the looks' variance, of all values and by value. */
function explained(examples: readonly Example[], weights: LookWeights): { all: number; each: number[] } {
  const [left, whole] = [new Float64Array(LOOK_FIGURES), new Float64Array(LOOK_FIGURES)];
  for (const { evidence, figures } of examples) {
    const { mean } = lookOfEvidence(evidence, weights);
    for (let at = 0; at < LOOK_FIGURES; at++) {
      const scale = weights.priorDeviation[at] ** 2;
      left[at] += (mean[at] - figures[at]) ** 2 / scale;
      whole[at] += figures[at] ** 2 / scale;
    }
  }
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  return { all: 1 - sum(left) / sum(whole), each: Array.from(left, (value, at) => 1 - value / whole[at]) };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { looks: { type: 'string', default: '20' }, write: { type: 'boolean', default: false } },
});
const folder = positionals[0];
if (folder === undefined)
  throw new Error('Name a folder of natural pictures (JPEG, PNG, WebP); hundreds are needed.');
const random = new Random(1);
const [fitting, judging]: [Example[], Example[]] = [[], []];
for (const [index, path] of picturesIn(folder).entries()) {
  const picture = await readPicture(path, PIXELS.graded).catch(() => null);
  if (picture === null) continue;
  for (let at = 0; at < Number(values.looks); at++) {
    const example = exampleOf(picture, randomLook(random));
    if (example !== null) (index % LEFT_OUT === 0 ? judging : fitting).push(example);
  }
  if (index % 100 === 99) console.error(`${index + 1} pictures seen`);
}
const { all, each } = explained(judging, fitPerceptron(fitting, EPOCHS, new Random(2)));
console.log(`explained on ${judging.length} examples left out: ${all.toFixed(3)}`);
console.log(each.map((value) => value.toFixed(2)).join(' '));
if (values.write) {
  const weights = fitPerceptron([...fitting, ...judging], EPOCHS, new Random(2));
  writeFileSync(WEIGHTS, encodeWeights(weights));
  console.log(`written: ${WEIGHTS}`);
}
