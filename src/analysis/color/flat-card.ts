import { type Frame, type Picture, RGB } from '../../domain/footage.ts';
import { cropped, pixelsWithin } from '../bars/picture-area.ts';
import type { Box } from '../facts.ts';

const CARD = {
  /**
   * Largest difference, in levels, between neighbouring background cells: vignettes and steep gradients have up
   * to 7.
   */
  CELL_STEP: 8,
  /** Least share of the picture's edge, and of its area, that is background. Big letters leave .7. */
  MIN_EDGE: 0.98,
  MIN_GROUND: 0.5,
  /**
   * Largest difference, in levels, between pixels (and between cells, under film grain) of a drawn background,
   * and the least share of them within it. Skies: up to .987.
   */
  PIXEL_STEP: 2,
  GRAIN_STEP: 2,
  MIN_SMOOTH: 0.99,
  /** Letters and logos have few tones: this many, each with this many levels to either side, … */
  INKS: 4,
  INK_LEVELS: 6,
  /**
   * … make up at least this share of the foreground. Titles and logos: .83 to .98; people, objects and cartoons
   * on flat backgrounds: .32 to .79.
   */
  MIN_INKED: 0.81,
  /**
   * Least share of foreground cells. Without foreground, the background must be one color, within this many
   * levels.
   */
  MIN_FOREGROUND: 0.002,
  PLAIN_LEVELS: 6,
} as const;

/**
 * Whether a frame is a card: letters or a logo of few tones on a drawn background, plain or a gradient, that
 * reaches all edges. It shows nothing of the grade of the pictures beside it. Null: the frame has no detail.
 * `area`: the part inside black bars.
 */
export function isFlatCard({ color, detail }: Pick<Frame, 'color' | 'detail'>, area: Box): boolean | null {
  if (detail === null) return null;
  const cells = cropped(color, pixelsWithin(area, color));
  const ground = groundOf(cells);
  if (ground === null) return false;
  const foreground = 1 - ground.reduce((sum, one) => sum + one, 0) / ground.length;
  if (foreground < CARD.MIN_FOREGROUND) return isPlain(cells);
  const pixels = cropped(detail, pixelsWithin(area, detail));
  const inner = innerCells(ground, cells);
  return (
    (smoothShare(cells, inner) >= CARD.MIN_SMOOTH ||
      pixelSmoothShare(pixels, cells, inner) >= CARD.MIN_SMOOTH) &&
    inkedShare(pixels, cells, ground) >= CARD.MIN_INKED
  );
}

function differenceOf({ data }: Picture, one: number, other: number): number {
  let most = 0;
  for (let channel = 0; channel < RGB; channel++)
    most = Math.max(most, Math.abs(data[RGB * one + channel] - data[RGB * other + channel]));
  return most;
}

/** Marks the cells that small steps connect to the picture's corner; null if they are no background. */
function groundOf(cells: Picture): Uint8Array | null {
  const { width, height } = cells;
  const corners = [width - 1, width * (height - 1), width * height - 1];
  const marked = new Uint8Array(width * height);
  const open = [0];
  marked[0] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of neighbours(at, cells)) {
      if (marked[next] === 1 || differenceOf(cells, at, next) > CARD.CELL_STEP) continue;
      marked[next] = 1;
      open.push(next);
    }
  }
  if (corners.some((corner) => marked[corner] === 0)) return null;
  let [edge, all, ground] = [0, 0, 0];
  for (let at = 0; at < marked.length; at++) {
    ground += marked[at];
    if (neighbours(at, cells).length === 4) continue;
    all += 1;
    edge += marked[at];
  }
  return edge >= CARD.MIN_EDGE * all && ground >= CARD.MIN_GROUND * marked.length ? marked : null;
}

function neighbours(at: number, { width, height }: Picture): number[] {
  const x = at % width;
  const found: number[] = [];
  if (x > 0) found.push(at - 1);
  if (x < width - 1) found.push(at + 1);
  if (at >= width) found.push(at - width);
  if (at < width * (height - 1)) found.push(at + width);
  return found;
}

/** Background cells with background on all sides: foreground blurs into the others. */
function innerCells(ground: Uint8Array, cells: Picture): Uint8Array {
  return ground.map((one, at) =>
    one === 1 && neighbours(at, cells).every((next) => ground[next] === 1) ? 1 : 0,
  );
}

function isPlain({ data }: Picture): boolean {
  for (let channel = 0; channel < RGB; channel++) {
    let [least, most] = [255, 0];
    for (let at = channel; at < data.length; at += RGB) {
      least = Math.min(least, data[at]);
      most = Math.max(most, data[at]);
    }
    if (most - least > CARD.PLAIN_LEVELS) return false;
  }
  return true;
}

/** Share of the inner cells that differ from the next ones by at most the remaining film grain. */
function smoothShare(cells: Picture, inner: Uint8Array): number {
  let [smooth, all] = [0, 0];
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === 0) continue;
    all += 1;
    if (neighbours(at, cells).every((next) => differenceOf(cells, at, next) <= CARD.GRAIN_STEP)) smooth += 1;
  }
  return all === 0 ? 0 : smooth / all;
}

/** The cell that contains a pixel. */
function cellAt(x: number, y: number, pixels: Picture, cells: Picture): number {
  const column = Math.floor((x * cells.width) / pixels.width);
  return Math.floor((y * cells.height) / pixels.height) * cells.width + column;
}

/** Share of the grey pixels in inner cells that equal their neighbours to the right and below. */
function pixelSmoothShare(pixels: Picture, cells: Picture, inner: Uint8Array): number {
  const { width, height, data } = pixels;
  let [smooth, all] = [0, 0];
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      if (inner[cellAt(x, y, pixels, cells)] === 0) continue;
      const at = y * width + x;
      all += 1;
      const isSmooth =
        Math.abs(data[at + 1] - data[at]) <= CARD.PIXEL_STEP &&
        Math.abs(data[at + width] - data[at]) <= CARD.PIXEL_STEP;
      if (isSmooth) smooth += 1;
    }
  }
  return all === 0 ? 0 : smooth / all;
}

/** Share of the grey foreground pixels that have one of the most frequent tones. */
function inkedShare(pixels: Picture, cells: Picture, ground: Uint8Array): number {
  const { width, height, data } = pixels;
  const tones = new Float64Array(256);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (ground[cellAt(x, y, pixels, cells)] === 0) tones[data[y * width + x]] += 1;
  const all = tones.reduce((sum, count) => sum + count, 0);
  let inked = 0;
  for (let ink = 0; ink < CARD.INKS; ink++) {
    let [most, tone] = [0, 0];
    for (let level = 0; level < tones.length; level++) {
      const count = around(tones, level).reduce((sum, one) => sum + one, 0);
      if (count > most) [most, tone] = [count, level];
    }
    inked += most;
    around(tones, tone).fill(0);
  }
  return all === 0 ? 0 : inked / all;
}

function around(tones: Float64Array, level: number): Float64Array {
  return tones.subarray(Math.max(0, level - CARD.INK_LEVELS), level + CARD.INK_LEVELS + 1);
}
