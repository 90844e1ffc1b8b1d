import { mean, median, standardDeviation } from '../../src/signal/statistics.ts';
import type { MouthSample } from './mouths.ts';
import { CURVES_PER_SECOND as PER_SECOND, type VoiceMoment } from './voices.ts';

/** Turns are not shorter: an interjection is no turn. */
const MIN_TURN_SECONDS = 1.3;
/** What a change of speaker costs, in seconds of evidence of one (in natural logarithms): from .15 to .4 the tuning half is told the same. */
const CHANGE_COST = 0.2;
/** Standard deviation of the Gaussian that smooths how much mouths move and what voices say: from .2 to .4 s the same. */
const SMOOTHING_SECONDS = 0.3;
/** Of the change of mouths: what noise alone is. */
const NOISE = 0.003;
/** A moment is silent below these shares of the clip's greatest level, and of that within a second about it. */
const LOUD = { ofClip: 0.03, ofSecond: 0.06 } as const;
/** What a coefficient of the timbre weighs beside the mouths: from .05 to .12 the same. */
const VOICE_WEIGHT = 0.08;
const ROUNDS = 8;

/** Who speaks, moment by moment: 0 is who is on the left, 1 who is on the right. */
export type Path = readonly (0 | 1)[];

/** For each moment of the sound: above 0 where the right mouth moves more, below where the left one does. */
export function mouthEvidence(samples: readonly MouthSample[], moments: number): number[] {
  const sides = (['left', 'right'] as const).map((side) => smoothed(atMoments(samples, side, moments)));
  return Array.from({ length: moments }, (_, at) =>
    Math.log((sides[1]![at]! + NOISE) / (sides[0]![at]! + NOISE)),
  );
}

export function loudMoments(voices: readonly VoiceMoment[]): boolean[] {
  const peak = voices.reduce((most, { level }) => Math.max(most, level), 0);
  return voices.map(({ level }, at) => {
    const about = voices.slice(Math.max(0, at - PER_SECOND), at + PER_SECOND);
    const near = about.reduce((most, one) => Math.max(most, one.level), 0);
    return level > LOUD.ofClip * peak && level > LOUD.ofSecond * near;
  });
}

/** The turns by the mouths alone. */
export function turnsByMouths(mouths: readonly number[], isLoud: readonly boolean[]): Path {
  return bestPath(mouths.map((value, at) => (isLoud[at]! ? value : 0)));
}

/**
 * The turns by mouths and voices: each of two voices is what sounds while one mouth moves more than it does on the middle of the clip; the
 * voices tell the turns, which tell the voices anew. There must be two who speak: one alone is parted in two.
 */
export function turnsByVoices(
  mouths: readonly number[],
  voices: readonly VoiceMoment[],
  isLoud: readonly boolean[],
): Path {
  const loud = voices.flatMap((_, at) => (isLoud[at]! ? [at] : []));
  const timbres = standardised(voices, loud);
  const middle = median(loud.map((at) => mouths[at]!));
  let isRight = mouths.map((value) => logistic(3 * (value - middle)));
  let path: Path = [];
  for (let round = 0; round < ROUNDS; round++) {
    const means = [0, 1].map((side) =>
      meanTimbre(timbres, loud, (at) => (side === 1 ? isRight[at]! : 1 - isRight[at]!)),
    );
    const voice = smoothed(
      timbres.map((timbre, at) =>
        isLoud[at]! ? nearness(timbre, means[1]!) - nearness(timbre, means[0]!) : null,
      ),
    );
    // In the end mouths are believed more as they are: who moves his mouth more than the other speaks more.
    const taken = round < ROUNDS / 2 ? middle : middle / 2;
    const evidence = mouths.map((value, at) => (isLoud[at]! ? value - taken + VOICE_WEIGHT * voice[at]! : 0));
    path = bestPath(evidence);
    isRight = evidence.map((value, at) => (logistic(2 * value) + path[at]!) / 2);
  }
  return path;
}

/**
 * The path whose evidence, less what its changes cost, is greatest, all of its turns of the least length: for each moment the best path that
 * ends there, by who has the last turn and when it began.
 */
export function bestPath(evidence: readonly number[]): Path {
  const least = Math.round(MIN_TURN_SECONDS * PER_SECOND);
  const cost = CHANGE_COST * PER_SECOND;
  const sums = [0];
  for (const value of evidence) sums.push(sums.at(-1)! + value);
  const worth = [-1, 1].map((sign) => Float64Array.from(sums, (sum) => sign * sum));
  const began = [0, 1].map(() => new Int32Array(sums.length));
  const openings = [0, 1].map(() => ({ worth: 0, at: 0 }));
  for (let end = 2 * least; end < sums.length; end++) {
    const start = end - least;
    for (const [side, sign] of [-1, 1].entries()) {
      const opening = openings[side]!;
      const value = worth[1 - side]![start]! - cost - sign * sums[start]!;
      if (value > opening.worth) [opening.worth, opening.at] = [value, start];
      worth[side]![end]! += opening.worth;
      began[side]![end] = opening.at;
    }
  }
  return walkBack(worth, began, evidence.length);
}

function walkBack(worth: readonly Float64Array[], began: readonly Int32Array[], count: number): Path {
  const path: (0 | 1)[] = new Array<0 | 1>(count).fill(0);
  let side: 0 | 1 = worth[1]![count]! > worth[0]![count]! ? 1 : 0;
  for (let end = count; end > 0; ) {
    const start = began[side]![end]!;
    path.fill(side, start, end);
    end = start;
    side = side === 1 ? 0 : 1;
  }
  return path;
}

/** What was seen nearest to each moment. */
function atMoments(
  samples: readonly MouthSample[],
  side: 'left' | 'right',
  moments: number,
): (number | null)[] {
  let at = 0;
  return Array.from({ length: moments }, (_, moment) => {
    const time = moment / PER_SECOND;
    while (at + 1 < samples.length && samples[at + 1]!.timeSeconds <= time) at += 1;
    return samples[at]?.[side] ?? null;
  });
}

function smoothed(values: readonly (number | null)[]): number[] {
  const sigma = SMOOTHING_SECONDS * PER_SECOND;
  const reach = Math.ceil(3 * sigma);
  return values.map((_, middle) => {
    let [weights, sum] = [0, 0];
    for (let at = Math.max(0, middle - reach); at <= Math.min(values.length - 1, middle + reach); at++) {
      const value = values[at];
      if (value == null) continue;
      const weight = Math.exp(-0.5 * ((at - middle) / sigma) ** 2);
      weights += weight;
      sum += weight * value;
    }
    return weights === 0 ? 0 : sum / weights;
  });
}

/** Each coefficient with mean 0 and variance 1 over the loud moments. */
function standardised(voices: readonly VoiceMoment[], loud: readonly number[]): number[][] {
  const scales = (voices[0]?.timbre ?? []).map((_, place) => {
    const values = loud.map((at) => voices[at]!.timbre[place]!);
    return { middle: mean(values), spread: standardDeviation(values) || 1 };
  });
  return voices.map(({ timbre }) =>
    timbre.map((value, place) => (value - scales[place]!.middle) / scales[place]!.spread),
  );
}

function meanTimbre(
  timbres: readonly (readonly number[])[],
  loud: readonly number[],
  weightAt: (at: number) => number,
): number[] {
  const weights = loud.reduce((sum, at) => sum + weightAt(at), 1);
  return (timbres[0] ?? []).map(
    (_, place) => loud.reduce((sum, at) => sum + weightAt(at) * timbres[at]![place]!, 0) / weights,
  );
}

/** Log likelihood under a Gaussian of variance 1, but for what all have. */
function nearness(timbre: readonly number[], middle: readonly number[]): number {
  return timbre.reduce((sum, value, place) => sum - 0.5 * (value - middle[place]!) ** 2, 0);
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
