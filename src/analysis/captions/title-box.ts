import { type Picture, RGB } from '../../domain/footage.ts';
import { clamp } from '../../signal/interpolation.ts';
import type { TitleBox } from '../title-facts.ts';
import type { PixelBox } from './patch.ts';
import type { Letters } from './title-letters.ts';

/** Distances of a box's edges from the ink, in type sizes: nearer there are outlines and shadows. */
const NEAREST_EM = 0.1;
const FARTHEST_EM = { vertical: 1.1, horizontal: 1.6 } as const;
/** Rows or columns inside and outside of an edge, in pixels: the blurred edge lies between. */
const INSIDE = 1;
const OUTSIDE = 2;
/** Distance at which the picture must not change as at the edge: soft shadows do. */
const BEYOND = 3;
/** Length of the patches along an edge that are compared, in type sizes: shorter than a letter. */
const PATCH_EM = 0.3;
/** Limits without a range beside them, here and in `SIDE`, were set on 104 drawn titles (0302). */
const EDGE = {
  /** Least step, levels. */
  minStep: 8,
  /** Least share of the squared steps that one color of one opacity explains: boxes .9 to 1, textures below .6. */
  minGain: 0.8,
  minOpacity: 0.25,
  /** Largest change beyond the edge, as a share of that at the edge. */
  maxBeyond: 0.45,
  /** Least variation of the picture outside, levels: otherwise any opacity explains the step. */
  minVariation: 10,
  /** Share of the patches that show at least half of the predicted step. */
  minStraight: 0.8,
} as const;
/** Most edges on a side whose color and opacity are tried on the other sides. */
const MAX_TRIED = 3;
const SIDE = {
  minGain: 0.6,
  /** Steps over those that the box predicts. */
  steps: [0.6, 1.5],
  /** Patches with a smaller predicted step, levels, are ignored: the background has the tone of the box. */
  minVisible: 6,
  minVisibleShare: 0.3,
} as const;

/** Colors of the two sides of an edge in a patch of a picture. */
interface Pair {
  readonly patch: number;
  readonly inside: readonly number[];
  readonly outside: readonly number[];
  readonly beyond: readonly number[];
}

interface Overlay {
  readonly opacity: number;
  readonly color: readonly number[];
  /** Share of the squared steps that it explains. */
  readonly gain: number;
}

type Side = 'top' | 'bottom' | 'left' | 'right';
const SIDES: readonly Side[] = ['top', 'bottom', 'left', 'right'];

/** Edges on one side of the ink, from the nearest on. */
type Edges = readonly (readonly Pair[])[];

/**
 * A box of one color behind the letters, opaque or not, with a straight edge on each side. Undefined: none, or unknown,
 * because the background varies too little.
 */
export function measureBox(
  pictures: readonly Picture[],
  { lines }: Letters,
  emPixels: number,
): TitleBox | undefined {
  const sides = SIDES.map((side) => edgesOf(side, pictures, lines, emPixels));
  let best: Overlay | null = null;
  for (const overlay of sides.flatMap(likelyOverlays)) {
    const found = sides.map((edges) => bestEdge(edges, overlay)).filter((edge) => edge !== null);
    // One side may lie on a background of the box's tone.
    if (found.length < SIDES.length - 1 || sides.some((edges) => isContradicting(edges, overlay))) continue;
    const common = overlayOf(found.flat());
    if (common === null || common.opacity < EDGE.minOpacity || common.gain < EDGE.minGain) continue;
    if (best === null || common.gain > best.gain) best = common;
  }
  if (best === null) return undefined;
  const hex = best.color.map((level) => Math.round(level).toString(16).padStart(2, '0'));
  return { color: `#${hex.join('')}`, opacity: Math.min(1, best.opacity), confidence: best.gain };
}

function edgesOf(side: Side, pictures: readonly Picture[], lines: readonly PixelBox[], em: number): Edges {
  const isVertical = side === 'top' || side === 'bottom';
  const widest = lines.reduce((one, other) =>
    other.right - other.left > one.right - one.left ? other : one,
  );
  const line = side === 'top' ? lines[0]! : side === 'bottom' ? lines.at(-1)! : widest;
  const farthest = em * FARTHEST_EM[isVertical ? 'vertical' : 'horizontal'];
  const edges: (readonly Pair[])[] = [];
  for (let distance = Math.max(2, Math.round(NEAREST_EM * em)); distance <= farthest; distance++) {
    const pairs = pairsAt(side, line, distance, pictures, em);
    if (pairs === null) break;
    edges.push(pairs);
  }
  return edges;
}

/** Color and opacity by the clearest edges of a side. */
function likelyOverlays(edges: Edges): Overlay[] {
  const likely = edges.flatMap((pairs) => {
    const step = stepOf(pairs);
    const overlay = step < EDGE.minStep ? null : overlayOf(pairs);
    if (overlay === null || overlay.opacity < EDGE.minOpacity || overlay.gain < EDGE.minGain) return [];
    if (Math.abs(beyondShare(pairs, overlay)) > EDGE.maxBeyond) return [];
    return straightness(pairs, overlay).share < EDGE.minStraight
      ? []
      : [{ overlay, clarity: step * overlay.gain }];
  });
  return likely
    .sort((one, other) => other.clarity - one.clarity)
    .slice(0, MAX_TRIED)
    .map(({ overlay }) => overlay);
}

/** The edge of a side at which a box ends; null: none. */
function bestEdge(edges: Edges, overlay: Overlay): readonly Pair[] | null {
  let best: readonly Pair[] | null = null;
  let highest = 0;
  for (const pairs of edges) {
    const step = stepOf(pairs);
    const gain = gainOf(pairs, overlay);
    if (step < EDGE.minStep || gain < SIDE.minGain || step * gain <= highest) continue;
    const share = stepShare(pairs, overlay);
    const straight = straightness(pairs, overlay);
    if (share < SIDE.steps[0] || share > SIDE.steps[1] || straight.visible < SIDE.minVisibleShare) continue;
    if (straight.share < EDGE.minStraight || Math.abs(beyondShare(pairs, overlay)) > EDGE.maxBeyond) continue;
    [best, highest] = [pairs, step * gain];
  }
  return best;
}

/** Whether a side shows no edge although the box would be visible there. */
function isContradicting(edges: Edges, overlay: Overlay): boolean {
  if (bestEdge(edges, overlay) !== null) return false;
  return (
    edges.length === 0 || edges.some((pairs) => straightness(pairs, overlay).visible >= SIDE.minVisibleShare)
  );
}

/** Null: the edge would be outside of the picture. */
function pairsAt(
  side: Side,
  line: PixelBox,
  distance: number,
  pictures: readonly Picture[],
  em: number,
): Pair[] | null {
  const { width, height } = pictures[0]!;
  const isVertical = side === 'top' || side === 'bottom';
  const outwards = side === 'top' || side === 'left' ? -1 : 1;
  const ink = { top: line.top, bottom: line.bottom - 1, left: line.left, right: line.right - 1 }[side];
  const edge = ink + outwards * distance;
  const at = {
    inside: edge - outwards * INSIDE,
    outside: edge + outwards * OUTSIDE,
    beyond: edge + outwards * (OUTSIDE + BEYOND),
  };
  if (at.beyond < 0 || at.beyond >= (isVertical ? height : width)) return null;
  const [from, to] = isVertical ? [line.left, line.right] : [line.top, line.bottom];
  const count = Math.max(2, Math.round((to - from) / Math.max(3, PATCH_EM * em)));
  const pairs: Pair[] = [];
  for (const picture of pictures) {
    for (let patch = 0; patch < count; patch++) {
      const range = [
        Math.round(from + (patch * (to - from)) / count),
        Math.round(from + ((patch + 1) * (to - from)) / count),
      ] as const;
      const mean = (across: number) => meanColor(picture, isVertical, across, range);
      pairs.push({ patch, inside: mean(at.inside), outside: mean(at.outside), beyond: mean(at.beyond) });
    }
  }
  return pairs;
}

function meanColor(
  { width, data }: Picture,
  isVertical: boolean,
  across: number,
  [from, to]: readonly [number, number],
): number[] {
  const sums = [0, 0, 0];
  for (let along = from; along < to; along++) {
    const at = RGB * (isVertical ? across * width + along : along * width + across);
    for (let channel = 0; channel < RGB; channel++) sums[channel]! += data[at + channel]!;
  }
  return sums.map((sum) => sum / (to - from));
}

/** Regression of the colors inside on those outside, with one slope: the part that the overlay lets through. Null: the picture varies too little. */
function overlayOf(pairs: readonly Pair[]): Overlay | null {
  const insides = [0, 0, 0];
  const outsides = [0, 0, 0];
  for (const { inside, outside } of pairs) {
    for (let c = 0; c < RGB; c++) {
      insides[c]! += inside[c]! / pairs.length;
      outsides[c]! += outside[c]! / pairs.length;
    }
  }
  let [products, squares] = [0, 0];
  for (const { inside, outside } of pairs) {
    for (let c = 0; c < RGB; c++) {
      products += (inside[c]! - insides[c]!) * (outside[c]! - outsides[c]!);
      squares += (outside[c]! - outsides[c]!) ** 2;
    }
  }
  if (Math.sqrt(squares / (RGB * pairs.length)) < EDGE.minVariation) return null;
  const through = Math.max(0, products / squares);
  const opacity = 1 - through;
  if (opacity <= 0) return { opacity, color: [0, 0, 0], gain: 0 };
  const color = insides.map((level, c) => clamp((level - through * outsides[c]!) / opacity, 0, 255));
  return { opacity, color, gain: gainOf(pairs, { opacity, color }) };
}

/** Share of the squared steps that an overlay explains. */
function gainOf(pairs: readonly Pair[], { opacity, color }: Pick<Overlay, 'opacity' | 'color'>): number {
  let [rest, whole] = [0, 0];
  for (const { inside, outside } of pairs) {
    for (let c = 0; c < RGB; c++) {
      whole += (inside[c]! - outside[c]!) ** 2;
      rest += (inside[c]! - (1 - opacity) * outside[c]! - opacity * color[c]!) ** 2;
    }
  }
  return whole === 0 ? 0 : 1 - rest / whole;
}

/** Steps from outside to inside over those that an overlay predicts. */
function stepShare(pairs: readonly Pair[], overlay: Overlay): number {
  return shareOf(pairs, overlay, ({ inside, outside }) => [inside, outside]);
}

function beyondShare(pairs: readonly Pair[], overlay: Overlay): number {
  return shareOf(pairs, overlay, ({ outside, beyond }) => [outside, beyond]);
}

function shareOf(
  pairs: readonly Pair[],
  { opacity, color }: Overlay,
  levelsOf: (pair: Pair) => readonly [to: readonly number[], from: readonly number[]],
): number {
  let [agreeing, whole] = [0, 0];
  for (const pair of pairs) {
    const [to, from] = levelsOf(pair);
    for (let c = 0; c < RGB; c++) {
      const predicted = opacity * (color[c]! - pair.outside[c]!);
      agreeing += predicted * (to[c]! - from[c]!);
      whole += predicted * predicted;
    }
  }
  return whole === 0 ? 0 : agreeing / whole;
}

/** Along an edge: share of the patches in which an overlay would be visible, and share of those that show at least half of its step. */
function straightness(pairs: readonly Pair[], overlay: Overlay): { visible: number; share: number } {
  const count = Math.max(...pairs.map(({ patch }) => patch)) + 1;
  let [visible, straight] = [0, 0];
  for (let patch = 0; patch < count; patch++) {
    const own = pairs.filter((pair) => pair.patch === patch);
    if (predictedStep(own, overlay) < SIDE.minVisible) continue;
    visible++;
    if (stepShare(own, overlay) >= 0.5) straight++;
  }
  return { visible: visible / count, share: visible === 0 ? 0 : straight / visible };
}

function predictedStep(pairs: readonly Pair[], { opacity, color }: Overlay): number {
  return rootMeanSquare(pairs, ({ outside }, c) => opacity * (color[c]! - outside[c]!));
}

function stepOf(pairs: readonly Pair[]): number {
  return rootMeanSquare(pairs, ({ inside, outside }, c) => inside[c]! - outside[c]!);
}

/** Over patches and channels, in levels. */
function rootMeanSquare(
  pairs: readonly Pair[],
  differenceOf: (pair: Pair, channel: number) => number,
): number {
  let sum = 0;
  for (const pair of pairs) for (let c = 0; c < RGB; c++) sum += differenceOf(pair, c) ** 2;
  return Math.sqrt(sum / (RGB * pairs.length));
}
