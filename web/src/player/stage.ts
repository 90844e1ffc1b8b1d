import type { Size } from '../../../src/domain/footage.ts';
import type { Reframe, Timeline } from '../../../src/style/model/timeline.ts';
import type { Layer } from './scene.ts';

/** Pixels from the left and the top; whole numbers. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `beside`: before and after next to each other. */
export type View = 'slider' | 'beside' | 'before' | 'after';

export const WHOLE: Reframe = { x: 0, y: 0, width: 1, height: 1 };

/** Where a scene is drawn. */
export interface Stage {
  /** Of the canvas. */
  readonly size: Size;
  /** Null: not in this view. On the slider both are the whole stage. */
  readonly before: Rectangle | null;
  readonly after: Rectangle | null;
}

/** All views have the output's shape. */
export function stageOf(output: Size, view: View, lines: number): Stage {
  const size = stageSize(output, lines);
  const whole = { x: 0, y: 0, ...size };
  if (view !== 'beside')
    return { size, before: view === 'after' ? null : whole, after: view === 'before' ? null : whole };
  const { width, height } = size;
  return { size: { width: 2 * width, height }, before: whole, after: { ...whole, x: width } };
}

/** The size of one picture: its short side at most `lines`, even. */
function stageSize(output: Size, lines: number): Size {
  const ratio = output.width / output.height;
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

/**
 * The visible part of the unstyled picture, and its place in `stage`: those of the output, so that people stand in the same place before and
 * after. The area that the output adds around it is left black.
 */
export function placeBefore(
  { clip, framing }: Pick<Layer, 'clip' | 'framing'>,
  picture: Size,
  output: Size,
  stage: Rectangle,
): { readonly part: Reframe; readonly place: Rectangle } {
  const place = contained(output, stage);
  if (clip.fit === 'crop') return { part: framing, place };
  const shown = { width: framing.width * picture.width, height: framing.height * picture.height };
  return { part: framing, place: contained(shown, place) };
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
