/** Black bars and borders of a source, by its pictures alone. */
import type { LabPicture } from '../score/look.ts';

/** Widths of the bars in shares of the picture's sides; 0: none. */
export interface Bars {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Black with the noise of an encoder, and what is seen beside a bar in at least a fifth of the pictures. */
const [BLACK, SEEN, SEEN_SHARE] = [6, 15, 0.2];
const MIN_DEPTH = 0.015;
/** A line next to the picture is mixed with it. */
const EDGE_LINES = 2;

export function barsOf(pictures: readonly LabPicture[]): Bars {
  const of = (
    line: (picture: LabPicture, at: number) => number,
    side: 'width' | 'height',
    isFar: boolean,
  ) => {
    const size = pictures[0]?.[side] ?? 0;
    const lines = Array.from({ length: size }, (_, at) => {
      const place = isFar ? size - 1 - at : at;
      return pictures.map((picture) => line(picture, place));
    });
    const depth = lines.findIndex(
      (levels) => levels.filter((level) => level > BLACK).length > 0.05 * levels.length,
    );
    if (depth < MIN_DEPTH * size || depth < EDGE_LINES + 1) return 0;
    const beside = lines[Math.min(size - 1, depth + EDGE_LINES)]!;
    const isStep = beside.filter((level) => level > SEEN).length >= SEEN_SHARE * beside.length;
    return isStep ? (depth - EDGE_LINES) / size : 0;
  };
  return {
    left: of(columnOf, 'width', false),
    right: of(columnOf, 'width', true),
    top: of(rowOf, 'height', false),
    bottom: of(rowOf, 'height', true),
  };
}

export function isInBars({ left, right, top, bottom }: Bars, x: number, y: number): boolean {
  return x < left || x >= 1 - right || y < top || y >= 1 - bottom;
}

const rowOf = ({ lab, width }: LabPicture, at: number) => brightOf(lab, 3 * at * width, 3, width);
const columnOf = ({ lab, width, height }: LabPicture, at: number) => brightOf(lab, 3 * at, 3 * width, height);

/** Lightness that 98 % of a line do not exceed. */
function brightOf(lab: Float32Array, start: number, step: number, count: number): number {
  const line = Float32Array.from({ length: count }, (_, at) => lab[start + at * step]!).sort();
  return line[Math.floor(0.98 * (count - 1))]!;
}
