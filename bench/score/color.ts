import { median } from '../../src/signal/statistics.ts';
import type { Dials } from '../../src/style/model/color-dials.ts';
import type { MadeTruth } from '../lib/truth.ts';
import { confidenceThirds, type Judged, type Third } from './calibration.ts';

/** Measurements of one clip of the family `grades`. */
export interface GradedClip {
  readonly made: MadeTruth;
  readonly dials: Dials;
  readonly confidence: number;
}

export type Dial = keyof Dials;
export const DIALS = [
  'temperature',
  'tint',
  'saturation',
  'contrast',
  'highlights',
  'shadows',
] as const satisfies readonly Dial[];

interface DialScore {
  readonly dial: Dial;
  /** Bases on which turning it shows at all. */
  readonly bases: number;
  /** Spearman's rank correlation of amount and dial within a base: mean and least of the bases; null of none. */
  readonly rankMean: number | null;
  readonly rankLeast: number | null;
  /** Visible amounts whose dial moved to the right side of the untouched clip's, and all visible ones. */
  readonly signsRight: number;
  readonly signs: number;
  /** Median move of the dial at amount ±1. */
  readonly move: number;
  /** Median moves of all dials at amount ±1, by sign of the amount, as a share of this one's. */
  readonly crossTalk: Readonly<Record<Dial, number>>;
  /** Share of pairs of different contents and amounts at least 1 apart that the dial itself puts in the right order. */
  readonly orderAcross: number;
}

interface LookScore {
  /** Dials of combined grades that moved to the right side, and all of them. */
  readonly mixSignsRight: number;
  readonly mixSigns: number;
  /** Highest saturation of a black-and-white clip. */
  readonly greySaturation: number;
  /** Least rise in temperature from black and white to sepia. */
  readonly sepiaRise: number;
  /** Largest change of a dial by bars or captions. */
  readonly besideMove: number;
  /** Largest move of temperature and tint by exposure. */
  readonly exposureCast: number;
}

export interface GradeScore {
  readonly dials: readonly DialScore[];
  readonly looks: LookScore;
  /** Share of triples in which two contents of one grade lie nearer than the same two contents of two grades. */
  readonly separability: number;
  /**
   * By confidence: of how many clips temperature and tint lie within 15 units of the grade: 0 ungraded,
   * else the median move of the same grade.
   */
  readonly thirds: readonly Third[];
}

/** CIELAB units that are just noticeable (Mahy et al. 1994): a turn that moves less of the picture is not scored. */
const JUST_NOTICEABLE_LAB = 2.3;
const NO_GRADE = ['letterbox', 'pillarbox', 'captions'];
/** Temperature and tint this near to the grade are right. */
const NEAR_UNITS = 15;
const CAST_DIALS = ['temperature', 'tint'] as const;
const EXPOSURE = ['darker', 'brighter'];

/** Scores the dials of all clips of the family, for all bases. */
export function scoreGrades(clips: readonly GradedClip[]): GradeScore {
  const bases = groupBy(clips, baseOf);
  return {
    dials: DIALS.map((dial) => scoreDial(dial, clips, bases)),
    looks: scoreLooks(bases),
    separability: separability(clips, bases),
    thirds: calibration(clips, bases),
  };
}

function scoreDial(
  dial: Dial,
  clips: readonly GradedClip[],
  bases: ReadonlyMap<string, readonly GradedClip[]>,
): DialScore {
  const ranks: number[] = [];
  const moves = new Map<Dial, number[]>(DIALS.map((name) => [name, []]));
  let [signs, signsRight] = [0, 0];
  for (const ofBase of bases.values()) {
    const origin = untouched(ofBase);
    const turned = ofBase.filter(({ made }) => made.known_grade?.field === dial && isVisible(made));
    if (turned.length < 3) continue;
    const amounts = [0, ...turned.map(({ made }) => made.known_grade!.amount)];
    ranks.push(spearman(amounts, [origin.dials[dial], ...turned.map(({ dials }) => dials[dial])]));
    for (const { made, dials } of turned) {
      const { amount } = made.known_grade!;
      signs++;
      if (Math.sign(dials[dial] - origin.dials[dial]) === Math.sign(amount)) signsRight++;
      if (Math.abs(amount) !== 1) continue;
      for (const name of DIALS) moves.get(name)!.push(amount * (dials[name] - origin.dials[name]));
    }
  }
  const move = middle(moves.get(dial)!);
  return {
    dial,
    bases: ranks.length,
    rankMean: ranks.length === 0 ? null : ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length,
    rankLeast: ranks.length === 0 ? null : Math.min(...ranks),
    signsRight,
    signs,
    move,
    crossTalk: Object.fromEntries(
      DIALS.map((name) => [name, middle(moves.get(name)!) / move]),
    ) as DialScore['crossTalk'],
    orderAcross: orderAcross(dial, clips),
  };
}

function orderAcross(dial: Dial, clips: readonly GradedClip[]): number {
  const turned = clips.filter(({ made }) => made.known_grade?.field === dial && isVisible(made));
  let [right, all] = [0, 0];
  for (const one of turned) {
    for (const other of turned) {
      const [low, high] = [one.made.known_grade!, other.made.known_grade!];
      if (low.base === high.base || high.amount - low.amount < 1) continue;
      all++;
      if (other.dials[dial] > one.dials[dial]) right++;
    }
  }
  return all === 0 ? 1 : right / all;
}

function scoreLooks(bases: ReadonlyMap<string, readonly GradedClip[]>): LookScore {
  let [mixSignsRight, mixSigns] = [0, 0];
  const [greys, rises, beside, casts] = [[-100], [100], [0], [0]];
  for (const ofBase of bases.values()) {
    const origin = untouched(ofBase).dials;
    const grey = ofBase.find(({ made }) => made.known_look?.name === 'black-and-white');
    for (const { made, dials } of ofBase) {
      if (made.known_look === undefined) continue;
      const { name, parts } = made.known_look;
      for (const [dial, amount] of Object.entries(parts ?? {}) as [Dial, number][]) {
        mixSigns++;
        if (Math.sign(dials[dial] - origin[dial]) === Math.sign(amount)) mixSignsRight++;
      }
      if (name === 'black-and-white') greys.push(dials.saturation);
      if (name === 'sepia' && grey !== undefined) rises.push(dials.temperature - grey.dials.temperature);
      if (NO_GRADE.includes(name)) beside.push(...DIALS.map((dial) => Math.abs(dials[dial] - origin[dial])));
      if (EXPOSURE.includes(name)) {
        casts.push(Math.abs(dials.temperature - origin.temperature), Math.abs(dials.tint - origin.tint));
      }
    }
  }
  return {
    mixSignsRight,
    mixSigns,
    greySaturation: Math.max(...greys),
    sepiaRise: Math.min(...rises),
    besideMove: Math.max(...beside),
    exposureCast: Math.max(...casts),
  };
}

function separability(
  clips: readonly GradedClip[],
  bases: ReadonlyMap<string, readonly GradedClip[]>,
): number {
  const full = clips.filter(({ made }) => Math.abs(made.known_grade?.amount ?? 0) === 1 && isVisible(made));
  const byBase = [...bases.keys()].map((base) => full.filter(({ made }) => made.known_grade!.base === base));
  let [right, all] = [0, 0];
  for (const ones of byBase) {
    for (const others of byBase) {
      if (ones === others) continue;
      for (const one of ones) {
        const same = others.find((other) => nameOf(other) === nameOf(one));
        if (same === undefined) continue;
        for (const other of others) {
          if (other === same) continue;
          all++;
          if (distance(one.dials, same.dials) < distance(one.dials, other.dials)) right++;
        }
      }
    }
  }
  return all === 0 ? 1 : right / all;
}

function calibration(
  clips: readonly GradedClip[],
  bases: ReadonlyMap<string, readonly GradedClip[]>,
): Third[] {
  const origins = new Map([...bases].map(([base, ofBase]) => [base, untouched(ofBase).dials]));
  const judged: Judged[] = [];
  for (const [name, same] of groupBy(clips, nameOf)) {
    // Mixes are others in each base.
    if (name.startsWith('mix')) continue;
    const expected = CAST_DIALS.map((dial) =>
      middle(same.map((one) => one.dials[dial] - origins.get(baseOf(one))![dial])),
    );
    for (const { dials, confidence } of same) {
      const away = CAST_DIALS.map((dial, at) => Math.abs(dials[dial] - expected[at]));
      judged.push({ confidence, right: Math.max(...away) <= NEAR_UNITS ? 1 : 0 });
    }
  }
  return confidenceThirds(judged);
}

function baseOf({ made }: GradedClip): string {
  return (made.known_grade ?? made.known_look)!.base;
}

function nameOf({ made: { known_grade, known_look } }: GradedClip): string {
  return known_look?.name ?? `${known_grade!.field}${known_grade!.amount}`;
}

function isVisible({ known_grade }: MadeTruth): boolean {
  return (known_grade?.visible_lab ?? JUST_NOTICEABLE_LAB) >= JUST_NOTICEABLE_LAB;
}

function untouched(ofBase: readonly GradedClip[]): GradedClip {
  const found = ofBase.find(({ made }) => made.known_look?.name === 'untouched');
  if (found === undefined) throw new Error('A base has no untouched clip');
  return found;
}

function distance(one: Dials, other: Dials): number {
  return Math.hypot(...DIALS.map((dial) => one[dial] - other[dial]));
}

/** Pearson's correlation of the ranks, ties sharing their mean rank; 0 where nothing varies. */
export function spearman(x: readonly number[], y: readonly number[]): number {
  const [p, q] = [ranksOf(x), ranksOf(y)];
  const middle = (x.length + 1) / 2;
  let [pp, pq, qq] = [0, 0, 0];
  for (let at = 0; at < x.length; at++) {
    const [dp, dq] = [p[at] - middle, q[at] - middle];
    pp += dp * dp;
    pq += dp * dq;
    qq += dq * dq;
  }
  return pp === 0 || qq === 0 ? 0 : pq / Math.sqrt(pp * qq);
}

function ranksOf(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal + 1) / 2;
  });
}

function middle(values: readonly number[]): number {
  return values.length === 0 ? 0 : median(values);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
