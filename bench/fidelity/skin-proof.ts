/**
 * Effects of a grade on people: known looks on clips with faces, and the color of skin under the looks of
 * other such clips.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VideoFacts } from '../../src/analysis/facts.ts';
import { gradeLab } from '../../src/style/look/grade.ts';
import type { Grade } from '../../src/style/model/timeline.ts';
import { Random } from '../generate/random.ts';
import { measureClip } from '../lib/measure.ts';
import { percent, table } from '../lib/report.ts';
import { difference, gradeBetween, graded, knownLooks, type Side, sideOf } from './look-proof.ts';

/** Skin of every tone, in CIELAB: the middles of the faces of 16 clips have a hue of 32 to 69 degrees and a chroma of 7 to 27 (medians of a clip). */
const SKIN = { hueDegrees: [33, 72], chroma: [10, 44] } as const;
/** Pairs of clips as they are. */
const PAIRS = 60;
/** A hue turned further is seen as another skin; with less chroma than the first share skin looks dead, with more than the second sunburnt. */
const TURNED_DEGREES = 12;
const [DEAD, BURNT] = [0.5, 1.4];
/** Below, a color has no hue to speak of. */
const MIN_CHROMA = 3;
/** Amplification of color steps above which noise becomes visible as blotches. */
const TORN = 3;
/** Every third pixel is sampled. */
const PIXEL_STEP = 3;

export interface SkinProof {
  readonly strength: number;
  readonly clips: number;
  /**
   * As in the proof of looks: mean color difference from the expected output, relative to the untouched
   * source's.
   */
  readonly knownLooks: number;
  readonly harmful: number;
  /** Shares of the pixels with skin's color. */
  readonly dead: number;
  readonly burnt: number;
  readonly turned: number;
  /** Share of all pixels about which colors are torn apart. */
  readonly torn: number;
}

export async function proveSkin(folder: string, strengths: readonly number[]): Promise<SkinProof[]> {
  const clips: VideoFacts[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (!/\.(mp4|mkv|mov|webm)$/.test(name)) continue;
    const { seen } = await measureClip(join(folder, name));
    if (seen !== null && seen.video.faces.length > 0) clips.push(seen.video);
  }
  if (clips.length < 2) throw new Error(`${folder} has ${clips.length} clips with faces: two are needed`);
  return proveSkinOf(clips, strengths);
}

export function proveSkinOf(clips: readonly VideoFacts[], strengths: readonly number[]): SkinProof[] {
  const random = new Random(7);
  const known = knownLooks(clips, random);
  const pairs = Array.from({ length: PAIRS }, () => {
    const [source, template] = random
      .shuffled(clips)
      .slice(0, 2)
      .map((video) => sideOf(video));
    return { source: source!, template: template! };
  });
  return strengths.map((strength) => {
    const errors = known.map(({ source, template, wanted }) =>
      difference(graded(source, gradeBetween(source, template, strength)), wanted),
    );
    const untouched = known.map(({ source, wanted }) => difference(source.lab, wanted));
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    return {
      strength,
      clips: clips.length,
      knownLooks: sum(errors) / sum(untouched),
      harmful: errors.filter((error, at) => error > untouched[at]).length / errors.length,
      ...skinUnder(pairs, strength),
    };
  });
}

function skinUnder(pairs: readonly { source: Side; template: Side }[], strength: number) {
  let [skin, dead, burnt, turned, pixels, torn] = [0, 0, 0, 0, 0, 0];
  for (const { source, template } of pairs) {
    const grade = gradeBetween(source, template, strength);
    const out = graded(source, grade);
    for (let at = 0; at < out.length; at += 3) {
      const [lightness, a, b] = source.lab.subarray(at, at + 3) as unknown as [number, number, number];
      if (at % (3 * PIXEL_STEP) === 0) {
        pixels++;
        if (largestStep(grade, lightness, a, b) > TORN) torn++;
      }
      if (!isSkin(a, b)) continue;
      const [chroma, left] = [Math.hypot(a, b), Math.hypot(out[at + 1], out[at + 2])];
      skin++;
      if (left < DEAD * chroma) dead++;
      if (left > BURNT * chroma) burnt++;
      if (left > MIN_CHROMA && turnBetween([a, b], [out[at + 1], out[at + 2]]) > TURNED_DEGREES) turned++;
    }
  }
  return { dead: dead / skin, burnt: burnt / skin, turned: turned / skin, torn: torn / pixels };
}

function isSkin(a: number, b: number): boolean {
  const [hue, chroma] = [(Math.atan2(b, a) * 180) / Math.PI, Math.hypot(a, b)];
  return (
    hue > SKIN.hueDegrees[0] && hue < SKIN.hueDegrees[1] && chroma > SKIN.chroma[0] && chroma < SKIN.chroma[1]
  );
}

/** Degrees, 0..180. */
function turnBetween([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number {
  return (Math.abs(Math.atan2(a * d - b * c, a * c + b * d)) * 180) / Math.PI;
}

/** How long a step of 1 in (a, b) is after the grade, in the direction in which it is longest. */
function largestStep(grade: Grade, lightness: number, a: number, b: number): number {
  const [here, along, across] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  gradeLab(grade, lightness, a, b, here);
  gradeLab(grade, lightness, a + 1, b, along);
  gradeLab(grade, lightness, a, b + 1, across);
  const [p, q] = [along[1] - here[1], across[1] - here[1]];
  const [r, s] = [along[2] - here[2], across[2] - here[2]];
  const [squares, area] = [p * p + q * q + r * r + s * s, p * s - q * r];
  return Math.sqrt((squares + Math.sqrt(Math.max(0, squares ** 2 - 4 * area ** 2))) / 2);
}

export function skinTable(proofs: readonly SkinProof[]): string {
  return table(
    ['strength', 'clips', 'known looks', 'harmful', 'skin dead', 'sunburnt', 'turned', 'colors torn'],
    proofs.map((one) => [
      String(one.strength),
      String(one.clips),
      one.knownLooks.toFixed(3),
      percent(one.harmful, 1),
      percent(one.dead, 1),
      percent(one.burnt, 1),
      percent(one.turned, 1),
      percent(one.torn, 1),
    ]),
  );
}
