import type { Detector } from '../../src/analysis/detector.ts';
import type { Box } from '../../src/analysis/facts.ts';
import { FaceNetwork } from '../../src/analysis/subjects/face-network.ts';
import type { Frame, Picture } from '../../src/domain/footage.ts';

/** As often as the analysis looks for faces: three times a second tells the turns no better. */
const LOOK_SECONDS = 1.5;
const MIN_SCORE = 0.35;
/** Frames are compared over this time: 80 and 120 ms tell the same. */
const LAG_SECONDS = 0.07;
/** A face goes no further within the lag, in pixels of the grey grid. */
const REACH = 2;
/** The mouth, and what holds still about it, in shares of a face's box. */
const MOUTH: Box = { x: 0.2, y: 0.6, width: 0.6, height: 0.4 };
const REST: Box = { x: 0.1, y: 0.05, width: 0.8, height: 0.55 };
/** The mouth goes up and down by itself. */
const MOUTH_REACH = 1;

export interface MouthSample {
  readonly timeSeconds: number;
  /** How much the mouth's picture changes, in its face's contrast; null: no such face. */
  readonly left: number | null;
  readonly right: number | null;
}

export interface MouthFacts {
  readonly samples: readonly MouthSample[];
  /** Share of the looks in which both faces were found. */
  readonly bothShare: number;
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Shift {
  readonly x: number;
  readonly y: number;
}

/** The mouths of two people, one in each half of the picture, in the small grey picture of every frame. */
export class MouthMeter implements Detector<[Frame], MouthFacts> {
  #network: FaceNetwork | null = null;
  #lookSeconds = Number.NEGATIVE_INFINITY;
  #looks = 0;
  #both = 0;
  #faces: readonly (Box | null)[] = [null, null];
  readonly #recent: { readonly timeSeconds: number; readonly grey: Picture }[] = [];
  readonly #samples: MouthSample[] = [];

  push({ timeSeconds, grey, detail }: Frame): void {
    if (detail !== null && timeSeconds >= this.#lookSeconds) this.#look(detail, timeSeconds);
    while (this.#recent.length > 1 && timeSeconds - this.#recent[1]!.timeSeconds >= LAG_SECONDS)
      this.#recent.shift();
    const [before] = this.#recent;
    const isUsable = before !== undefined && timeSeconds - before.timeSeconds >= LAG_SECONDS;
    const [left, right] = this.#faces.map((face) =>
      isUsable && face !== null ? mouthChange(before.grey, grey, face) : null,
    );
    this.#samples.push({ timeSeconds, left: left!, right: right! });
    this.#recent.push({ timeSeconds, grey: { ...grey, data: grey.data.slice() } });
  }

  finish(): MouthFacts {
    return { samples: this.#samples, bothShare: this.#looks === 0 ? 0 : this.#both / this.#looks };
  }

  /** A face that is not found this time stays where it was. */
  #look(detail: Picture, timeSeconds: number): void {
    this.#network ??= new FaceNetwork(detail);
    this.#lookSeconds = timeSeconds + LOOK_SECONDS;
    this.#looks += 1;
    const found = this.#network.find(detail).filter(({ score }) => score >= MIN_SCORE);
    const seen = [true, false].map(
      (isLeft) => found.find(({ box }) => box.x + box.width / 2 < 0.5 === isLeft)?.box ?? null,
    );
    if (seen.every((face) => face !== null)) this.#both += 1;
    this.#faces = seen.map((face, side) => face ?? this.#faces[side]!);
  }
}

/** Mean change of the mouth's pixels once the face's own way is taken off, over the standard deviation of the face's pixels. */
export function mouthChange(before: Picture, now: Picture, face: Box): number | null {
  const mouth = areaOf(MOUTH, face, now);
  const rest = areaOf(REST, face, now);
  if (mouth === null || rest === null) return null;
  const way = leastShift(
    shiftsWithin(REACH, { x: 0, y: 0 }),
    (shift) =>
      // Of two that fit as well the shorter one.
      changeIn(before, now, rest, shift) + 0.01 * Math.hypot(shift.x, shift.y),
  );
  const shifts = shiftsWithin(MOUTH_REACH, way).filter(
    ({ x, y }) => Math.max(Math.abs(x), Math.abs(y)) <= REACH,
  );
  const own = leastShift(shifts, (shift) => changeIn(before, now, mouth, shift));
  return changeIn(before, now, mouth, own) / Math.max(1, contrastIn(now, rest));
}

/** Null where nothing of it is left inside the picture and its border, which shifts may reach into. */
function areaOf(part: Box, face: Box, { width, height }: Picture): Area | null {
  const inside = (value: number, size: number) =>
    Math.max(REACH, Math.min(size - REACH, Math.round(value * size)));
  const area = {
    left: inside(face.x + part.x * face.width, width),
    top: inside(face.y + part.y * face.height, height),
    right: inside(face.x + (part.x + part.width) * face.width, width),
    bottom: inside(face.y + (part.y + part.height) * face.height, height),
  };
  return area.right > area.left && area.bottom > area.top ? area : null;
}

function shiftsWithin(reach: number, about: Shift): Shift[] {
  const steps = Array.from({ length: 2 * reach + 1 }, (_, step) => step - reach);
  return steps.flatMap((y) => steps.map((x) => ({ x: about.x + x, y: about.y + y })));
}

function leastShift(shifts: readonly Shift[], costOf: (shift: Shift) => number): Shift {
  let [best, least] = [shifts[0]!, Number.POSITIVE_INFINITY];
  for (const shift of shifts) {
    const cost = costOf(shift);
    if (cost < least) [best, least] = [shift, cost];
  }
  return best;
}

function changeIn(before: Picture, now: Picture, { left, top, right, bottom }: Area, shift: Shift): number {
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++)
      sum += Math.abs(now.data[y * now.width + x]! - before.data[(y + shift.y) * now.width + x + shift.x]!);
  }
  return sum / ((right - left) * (bottom - top));
}

function contrastIn({ data, width }: Picture, { left, top, right, bottom }: Area): number {
  let [sum, squares] = [0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      sum += data[y * width + x]!;
      squares += data[y * width + x]! ** 2;
    }
  }
  const count = (right - left) * (bottom - top);
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}
