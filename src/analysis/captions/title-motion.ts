import type { Span } from '../facts.ts';
import type { TitleAnimation } from '../title-facts.ts';
import type { Grey, Letters } from './title-letters.ts';

/** A title's letters as a frame shows them: moved, scaled, more or less opaque. */
interface Seen {
  readonly kind: 'still' | 'x' | 'y' | 'scale';
  /** Pixels from its place, or the scale. */
  readonly value: number;
  /** Correlation of the levels with the letters, -1..1. */
  readonly likeness: number;
  /** 0..1; null: the background has the tone of the letters. */
  readonly opacity: number | null;
  /** Opacity of equal parts from left to right; only of `still`. */
  readonly parts: readonly number[];
}

export interface TimedGrey {
  readonly timeSeconds: number;
  readonly grey: Grey;
}

/** Limits without a range beside them were set on 104 drawn titles (0302). */
const MOTION = {
  /** The letters' likeness in place below this share of the settled one is not the title. */
  settledLikeness: 0.8,
  settledOpacity: 0.9,
  /** Least likeness of settled letters: with background of their tone among them, 3 of 8 animations were wrong. */
  minSettled: 0.85,
  /** Below this opacity nothing is seen. */
  absentOpacity: 0.1,
  absentLikeness: 0.3,
  noise: 0.15,
  /** A part of the letters that is seen. */
  seenPart: 0.6,
  absentShare: 0.5,
  /** Elsewhere than in its place, among hundreds of places, noise is more alike. */
  minMovedLikeness: 0.45,
  movedShare: 0.6,
  /** A moved title is more alike than one in place by this. */
  movedMargin: 0.12,
  maxOpacity: 1.2,
  /** Shortest animation, seconds: encoders blend two frames. */
  minSeconds: 0.09,
  /** Share of the frames that agree. */
  minAgreement: 0.6,
  /** Largest difference of parts of one opacity. */
  maxPartSpread: 0.35,
  /** Part of a linear fade between the limits above. */
  fadeShare: 0.78,
} as const;
const SCALES = Array.from({ length: 38 }, (_, step) => 0.2 + 0.03 * step).filter(
  (scale) => Math.abs(scale - 1) > 0.03,
);
const PARTS = 8;
/** Least contrast of letters and background, levels. */
const MIN_CONTRAST = 20;

/** Finds letters of a title in frames, at their place and elsewhere. */
export class LetterTracker {
  readonly #letters: Letters;
  readonly #center: readonly [number, number];
  readonly #part: Uint8Array;
  readonly #partBeside: Uint8Array;

  constructor(letters: Letters) {
    this.#letters = letters;
    const left = Math.min(...letters.lines.map((line) => line.left));
    const right = Math.max(...letters.lines.map((line) => line.right));
    const [first, last] = [letters.lines[0]!, letters.lines.at(-1)!];
    this.#center = [(left + right) / 2, (first.top + last.bottom) / 2];
    const partsOf = (points: Int16Array) =>
      Uint8Array.from({ length: points.length / 2 }, (_, i) =>
        Math.max(0, Math.min(PARTS - 1, Math.floor((PARTS * (points[2 * i]! - left)) / (right - left)))),
      );
    this.#part = partsOf(letters.ink);
    this.#partBeside = partsOf(letters.beside);
  }

  /**
   * The most alike place. `settled`: likeness of settled letters; null: only in place. `without`: a frame without the title, which
   * may have the same pattern in that place.
   */
  find(grey: Grey, settled: number | null, without?: Grey): Seen {
    const still = this.#seen(grey, 'still', 0);
    const isSettled =
      settled === null || (still.likeness >= 0.9 * settled && (still.opacity ?? 1) >= MOTION.settledOpacity);
    if (isSettled) return still;
    let best: Seen | null = null;
    const offer = (kind: Seen['kind'], value: number) => {
      const seen = this.#seen(grey, kind, value);
      if (best === null || seen.likeness > best.likeness) best = seen;
    };
    for (let value = -grey.height; value <= grey.height; value++) if (Math.abs(value) > 1) offer('y', value);
    for (let value = -grey.width; value <= grey.width; value++) if (Math.abs(value) > 1) offer('x', value);
    for (const scale of SCALES) offer('scale', scale);
    const moved = best as Seen | null;
    const least = Math.max(MOTION.minMovedLikeness, MOTION.movedShare * settled);
    if (moved === null || moved.likeness < Math.max(least, still.likeness + MOTION.movedMargin)) return still;
    const { kind, value, likeness, opacity } = moved;
    const isOfTitle = opacity !== null && opacity > MOTION.absentOpacity && opacity <= MOTION.maxOpacity;
    if (!isOfTitle || without === undefined) return isOfTitle ? moved : still;
    return this.#seen(without, kind, value).likeness > likeness - MOTION.movedMargin ? still : moved;
  }

  #seen({ width, height, data }: Grey, kind: Seen['kind'], value: number): Seen {
    const { ink, beside, level, sign } = this.#letters;
    const [cx, cy] = this.#center;
    const scale = kind === 'scale' ? value : 1;
    const dx = cx * (1 - scale) + (kind === 'x' ? value : 0);
    const dy = cy * (1 - scale) + (kind === 'y' ? value : 0);
    const parts = kind === 'still' ? Array.from({ length: PARTS }, () => [0, 0, 0, 0]) : null;
    const sums = (points: Int16Array, part: Uint8Array, offset: number) => {
      let [count, sum, squares] = [0, 0, 0];
      for (let i = 0; i < points.length; i += 2) {
        const x = Math.round(scale * points[i]! + dx);
        const y = Math.round(scale * points[i + 1]! + dy);
        if (x < 0 || y < 0 || x >= width || y >= height) continue;
        const here = data[y * width + x]!;
        count++;
        sum += here;
        squares += here * here;
        if (parts !== null) {
          const cell = parts[part[i / 2]!]!;
          cell[offset]!++;
          cell[offset + 1]! += here;
        }
      }
      return { count, sum, squares };
    };
    const letters = sums(ink, this.#part, 0);
    const around = sums(beside, this.#partBeside, 2);
    const count = letters.count + around.count;
    // Less than .6 of the title is in the picture.
    if (2 * letters.count < 0.6 * ink.length || 2 * around.count < 0.6 * beside.length)
      return { kind, value, likeness: -1, opacity: null, parts: [] };
    const [inkMean, aroundMean] = [letters.sum / letters.count, around.sum / around.count];
    const mean = (letters.sum + around.sum) / count;
    const variance = (letters.squares + around.squares) / count - mean * mean;
    const share = (letters.count * around.count) / (count * count);
    const likeness =
      variance < 4 ? 0 : (sign * (inkMean - aroundMean) * Math.sqrt(share)) / Math.sqrt(variance);
    const opacityOf = (one: number, other: number) => {
      const contrast = sign * (level - other);
      return contrast < MIN_CONTRAST ? null : (sign * (one - other)) / contrast;
    };
    return {
      ...{ kind, value, likeness },
      opacity: opacityOf(inkMean, aroundMean),
      parts: (parts ?? []).flatMap(([inks, inkSum, others, otherSum]) => {
        if (inks! < 8 || others! < 8) return [];
        const opacity = opacityOf(inkSum! / inks!, otherSum! / others!);
        return opacity === null ? [] : [opacity];
      }),
    };
  }
}

/**
 * How a title appears or disappears. `frames`: ordered from settled ones outwards. `settled`: likeness of
 * settled letters. `blends`: when the picture itself fades or dissolves, and takes a title with it. Undefined:
 * unknown.
 */
export function measureAnimation(
  frames: readonly TimedGrey[],
  tracker: LetterTracker,
  settled: number,
  blends: readonly Span[],
): TitleAnimation | undefined {
  if (settled < MOTION.minSettled || frames.length < 4) return undefined;
  const seen: Seen[] = [];
  const outermost = tracker.find(frames.at(-1)!.grey, null);
  let last = -1;
  let absent = -1;
  for (const [index, { grey }] of frames.entries()) {
    const one = tracker.find(grey, settled, frames.at(-1)!.grey);
    seen.push(one);
    if (isSettled(one, settled)) {
      last = index;
      absent = -1;
    } else if (!isAbsent(one, outermost, settled)) absent = -1;
    else if (absent === -1) absent = index;
    // Two frames without it.
    if (absent !== -1 && index - absent >= 2) break;
  }
  if (last === -1 || absent === -1 || absent === 0) return undefined;
  const between = seen.slice(last + 1, absent);
  const gap = Math.abs(frames[absent]!.timeSeconds - frames[last]!.timeSeconds);
  const isBrief = between.length <= 1 || gap < MOTION.minSeconds;
  const isMoved = between.some(({ kind }) => kind !== 'still');
  // At once, although the background has something of the letters.
  if (!isMoved && (isBrief || isNearlyAbsent(between[0]!, settled)))
    return { type: 'cut', seconds: 0, confidence: settled };
  if (isBrief) return undefined;
  const { width, height } = frames[0]!.grey;
  const agreeing = (kind: Seen['kind']) => between.filter((one) => one.kind === kind);
  const named = (animation: Omit<TitleAnimation, 'confidence'>, count: number): TitleAnimation | undefined =>
    count < MOTION.minAgreement * between.length
      ? undefined
      : { ...animation, confidence: (settled * count) / between.length };
  const step = gap / (between.length + 1);
  for (const kind of ['x', 'y'] as const) {
    const moved = agreeing(kind);
    if (moved.length < 2 || !isOneWay(moved)) continue;
    const farthest = moved.at(-1)!.value;
    const sides = kind === 'x' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
    const distance = Math.abs(farthest) / (kind === 'x' ? width : height);
    const slide = {
      type: 'slide',
      seconds: gap - step / 2,
      side: sides[farthest > 0 ? 1 : 0],
      distance,
    } as const;
    return named(slide, moved.length + between.filter(isFaint).length);
  }
  const scaled = agreeing('scale');
  if (scaled.length >= 2 && isGrowing(scaled))
    return named({ type: 'pop', seconds: gap - step / 2 }, scaled.length + between.filter(isFaint).length);
  const still = agreeing('still');
  const times = [frames[absent]!.timeSeconds, frames[last]!.timeSeconds].sort((a, b) => a - b);
  const isBlended = blends.some((one) => one.startSeconds < times[1]! && one.endSeconds > times[0]!);
  if (!isBlended && still.length === between.length && isFading(still))
    return named({ type: 'fade', seconds: gap / MOTION.fadeShare - step }, still.length);
  return undefined;
}

function isSettled({ kind, likeness, opacity }: Seen, settled: number): boolean {
  return (
    kind === 'still' &&
    likeness >= MOTION.settledLikeness * settled &&
    (opacity === null || opacity >= MOTION.settledOpacity)
  );
}

/**
 * Background may look a little like the letters: then as in the outermost frame. On a background of their tone letters may be there
 * all the same.
 */
function isAbsent({ kind, likeness, opacity, parts }: Seen, outermost: Seen, settled: number): boolean {
  if (kind !== 'still' || opacity === null) return false;
  if (4 * parts.filter((part) => part > MOTION.seenPart).length > parts.length) return false;
  if (likeness < MOTION.noise || opacity < MOTION.absentOpacity) return true;
  const isWeak = Math.max(likeness, outermost.likeness) < MOTION.absentShare * settled;
  return isWeak && outermost.opacity !== null && Math.abs(opacity - outermost.opacity) < MOTION.absentOpacity;
}

function isNearlyAbsent({ likeness, opacity }: Seen, settled: number): boolean {
  return likeness < MOTION.absentLikeness * settled && opacity !== null && opacity < 0.3;
}

function isFaint({ kind, opacity }: Seen): boolean {
  return kind === 'still' && opacity !== null && opacity < 0.5;
}

/** Outwards it moves away, to one side. */
function isOneWay(moved: readonly Seen[]): boolean {
  const side = Math.sign(moved[0]!.value);
  return moved.every(
    ({ value }, index) =>
      Math.sign(value) === side && (index === 0 || side * (value - moved[index - 1]!.value) >= -2),
  );
}

/** Outwards it becomes smaller; near its place it may be larger. */
function isGrowing(scaled: readonly Seen[]): boolean {
  const smallest = scaled.at(-1)!.value;
  const highest = scaled.findIndex(({ value }) => value === Math.max(...scaled.map((one) => one.value)));
  return (
    smallest < 0.9 &&
    scaled.every(({ value }, index) => index <= highest || value <= scaled[index - 1]!.value + 0.07)
  );
}

/** Outwards all parts become fainter together. */
function isFading(still: readonly Seen[]): boolean {
  const known = still.flatMap(({ opacity, parts }) => (opacity === null ? [] : [{ opacity, parts }]));
  const middle = known.filter(({ opacity }) => opacity > 0.15 && opacity < 0.85);
  return (
    middle.length >= 2 &&
    known.every(({ opacity }, index) => index === 0 || opacity <= known[index - 1]!.opacity + 0.12) &&
    middle.every(({ parts }) => spread(parts) <= MOTION.maxPartSpread)
  );
}

/** Between the second lowest and the second highest. */
function spread(parts: readonly number[]): number {
  const sorted = parts.toSorted((a, b) => a - b);
  return sorted.length < 4 ? 0 : sorted.at(-2)! - sorted[1]!;
}
