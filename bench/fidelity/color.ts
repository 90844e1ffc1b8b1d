/** One pair of clips: the source's frames in the template's colors, by us and by others, and what became of them. */

import { GradeKernel } from '../../src/render/picture/grade-kernel.ts';
import { mean } from '../../src/signal/statistics.ts';
import { cubeOf } from '../../src/style/look/grade.ts';
import type { Grade } from '../../src/style/model/timeline.ts';
import {
  banding,
  chromaNoise,
  edgeGains,
  flicker,
  type LabPicture,
  newClipping,
  noiseGain,
  profileOf,
  quantile,
  type SkinTurn,
  samplePixels,
  skinTurn,
  slicedWasserstein,
  structure,
} from '../score/look.ts';
import { isBlack, LabReader, type Moment, redrawn } from './frames.ts';
import type { ClipLook } from './looks.ts';
import { FACES, originalOf, type Pair } from './pairs.ts';
import { halfOf, type LabMap, mapped, mongeKantorovich, reinhard } from './peers.ts';

export interface Change {
  /** Sliced Wasserstein distance to the template, in Lab units, and as a share of the untouched source's. */
  readonly distance: number;
  readonly distanceLeft: number;
  readonly structure: number;
  readonly edgeGain: number;
  readonly noiseGain: number;
  readonly clipping: number;
  readonly banding: number;
  /** Relative to the source's: 1 is as steady. */
  readonly flicker: number;
  readonly skin: SkinTurn | null;
}

export const METHODS = ['ours', 'mix', 'monge', 'reinhard'] as const;
export type Method = (typeof METHODS)[number];

export interface ColorResult {
  readonly pair: Pair;
  readonly untouched: number;
  readonly changes: Readonly<Record<Method, Change>>;
}

/** Rows of pictures to look at: template, source, ours, mix, Monge–Kantorovich. */
export type Sheet = (readonly LabPicture[])[];

const SAMPLES = 20_000;
const SHEET_ROWS = 3;

interface Drawn {
  readonly now: readonly LabPicture[];
  readonly next: readonly LabPicture[];
}

export function compareColors(
  pair: Pair,
  source: ClipLook,
  template: ClipLook,
  grade: Grade | null,
): { result: ColorResult; sheet: Sheet } {
  using reader = new LabReader();
  const read = (moments: readonly Moment[]): Drawn => ({
    now: moments.map(({ frame }) => reader.read(frame)),
    next: moments.map(({ next }) => reader.read(next)),
  });
  const before = read(source.moments);
  const natural = source.natural === source.moments ? before : read(source.natural);
  const expected = read(template.moments).now.filter((picture) => !isBlack(picture));
  const [from, to] = [samplePixels(before.now, SAMPLES), samplePixels(expected, SAMPLES)];
  const through = (map: LabMap): Drawn => ({
    now: before.now.map((picture) => mapped(picture, map)),
    next: before.next.map((picture) => mapped(picture, map)),
  });
  const drawn: Record<Method, Drawn> = {
    ours: ours(source, grade, reader),
    mix: through(halfOf(mongeKantorovich(from, to))),
    monge: through(mongeKantorovich(from, to)),
    reinhard: through(reinhard(from, to)),
  };
  const aim = profileOf(to);
  const untouched = slicedWasserstein(profileOf(from), aim);
  const changes = Object.fromEntries(
    METHODS.map((method) => [method, judge(pair, natural, drawn[method], aim, untouched)]),
  ) as Record<Method, Change>;
  return { result: { pair, untouched, changes }, sheet: sheetOf(expected, before, drawn) };
}

function ours({ moments }: ClipLook, grade: Grade | null, reader: LabReader): Drawn {
  const kernel = grade === null ? null : new GradeKernel(cubeOf(grade));
  const draw = (frame: Moment['frame']) => {
    if (kernel === null) return reader.read(frame);
    const graded = redrawn(frame, (plain, out) => kernel.apply(plain, out));
    const picture = reader.read(graded);
    graded.free();
    return picture;
  };
  return { now: moments.map(({ frame }) => draw(frame)), next: moments.map(({ next }) => draw(next)) };
}

function judge(pair: Pair, before: Drawn, after: Drawn, aim: Float64Array, untouched: number): Change {
  const each = <Value>(measure: (one: LabPicture, other: LabPicture) => Value) =>
    before.now.map((picture, at) => measure(picture, after.now[at]));
  const distance = slicedWasserstein(profileOf(samplePixels(after.now, SAMPLES)), aim);
  const noises = each(chromaNoise).filter(([noise]) => noise > 0);
  const squares = (at: 0 | 1) => Math.sqrt(mean(noises.map((noise) => noise[at] ** 2)));
  const face = FACES[originalOf(pair.source)];
  const turns = face === undefined ? [] : each((one, other) => skinTurn(one, other, face));
  const skins = turns.filter((turn) => turn !== null);
  const stabilisation = ({ now, next }: Drawn) => mean(now.map((picture, at) => flicker(picture, next[at])));
  return {
    distance,
    distanceLeft: distance / untouched,
    structure: mean(each(structure)),
    edgeGain: quantile(each(edgeGains).flat(), 0.95),
    noiseGain: noises.length === 0 ? 1 : noiseGain([squares(0), squares(1)]),
    clipping: mean(each(newClipping)),
    banding: mean(each(banding)),
    flicker: stabilisation(after) / Math.max(1e-3, stabilisation(before)),
    skin:
      skins.length === 0
        ? null
        : {
            degrees: mean(skins.map(({ degrees }) => degrees)),
            chroma: mean(skins.map(({ chroma }) => chroma)),
          },
  };
}

function sheetOf(expected: readonly LabPicture[], before: Drawn, drawn: Record<Method, Drawn>): Sheet {
  return Array.from({ length: SHEET_ROWS }, (_, row) => {
    const pick = (pictures: readonly LabPicture[]) =>
      pictures[Math.floor(((row + 0.5) / SHEET_ROWS) * pictures.length)];
    return [expected, before.now, drawn.ours.now, drawn.mix.now, drawn.monge.now].map(pick);
  });
}
