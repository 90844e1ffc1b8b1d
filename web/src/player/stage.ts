import type { Size } from '../../../src/domain/footage.ts';
import type { Reframe, Timeline } from '../../../src/style/model/timeline.ts';

/** Pixels from the left and the top; whole numbers. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type View = 'slider' | 'before' | 'after';

/** Shapes that differ by less lie over each other without anybody seeing it. */
const SAME_SHAPE = 0.02;

/** Of two ratios of width to height. */
export function haveSameShape(one: number, other: number): boolean {
  return Math.abs(one / other - 1) < SAME_SHAPE;
}

/** The size of the canvas: the wider of the shapes, its short side at most `lines`, even. */
export function stageSize(output: Size, before: Size | null, view: View, lines: number): Size {
  const own = output.width / output.height;
  const other = before === null ? own : before.width / before.height;
  const ratio = view === 'after' || haveSameShape(own, other) ? own : Math.max(own, other);
  const short = Math.min(lines, output.width, output.height);
  const even = (value: number) => 2 * Math.round(value / 2);
  return ratio >= 1
    ? { width: even(short * ratio), height: even(short) }
    : { width: even(short), height: even(short / ratio) };
}

/** The largest rectangle of a shape in the middle of another. */
export function contained(shape: Size, { x, y, width, height }: Rectangle): Rectangle {
  const scale = Math.min(width / shape.width, height / shape.height);
  const wide = Math.min(width, Math.round(shape.width * scale));
  const high = Math.min(height, Math.round(shape.height * scale));
  return { x: x + ((width - wide) >> 1), y: y + ((height - high) >> 1), width: wide, height: high };
}

/** The middle of a framing that fills the output's shape: the picture behind a padded one. */
export function coveringPart(
  framing: Reframe,
  picture: Size,
  output: Pick<Timeline, 'width' | 'height'>,
): Reframe {
  const [wide, high] = [framing.width * picture.width, framing.height * picture.height];
  const scale = Math.max(output.width / wide, output.height / high);
  const width = (output.width / scale / wide) * framing.width;
  const height = (output.height / scale / high) * framing.height;
  return {
    x: framing.x + (framing.width - width) / 2,
    y: framing.y + (framing.height - height) / 2,
    width,
    height,
  };
}
