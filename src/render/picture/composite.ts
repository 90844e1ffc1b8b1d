import type { Direction, TransitionType } from '../../analysis/facts.ts';
import { luma709 } from '../../signal/color-space.ts';
import { ease } from '../../signal/easing.ts';

/** One plane of a picture: rows of `width` bytes, `stride` bytes apart. */
export interface Plane {
  readonly data: Uint8Array;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** A yuv420p picture, limited range: luma, blue difference, red difference. */
export type Yuv = readonly [Plane, Plane, Plane];

/** Luma, blue and red difference. */
type Levels = readonly [number, number, number];

const BLACK: Levels = [16, 128, 128];
const WHITE: Levels = [235, 128, 128];
/** Depth to which a zoom transition moves into the old picture. */
export const ZOOM_DEPTH = 1;

/** Type and parameters of a transition. */
export interface TransitionLook {
  readonly type: Exclude<TransitionType, 'cut'>;
  readonly direction?: Direction | undefined;
  /** `#rrggbb` of `fade_color`; left out: black. */
  readonly color?: string | undefined;
}

/**
 * Draws one frame of a transition: `progress` 0 is all `from`, 1 all `to`. All three pictures have the same size.
 * Arithmetic on planes instead of FFmpeg filters: lengths are exact to the frame, and any easing is possible.
 */
export function composite(
  { type, direction, color }: TransitionLook,
  progress: number,
  from: Yuv,
  to: Yuv,
  out: Yuv,
): void {
  for (let plane = 0; plane < 3; plane++) {
    const [a, b, o] = [from[plane], to[plane], out[plane]];
    switch (type) {
      case 'dissolve':
        blend(a, b, o, progress);
        break;
      case 'fade_black':
      case 'fade_white':
      case 'fade_color':
        fadeThrough(a, b, o, progress, fadeLevels(type, color)[plane]);
        break;
      case 'wipe':
        wipe(a, b, o, progress, direction ?? 'right');
        break;
      case 'slide':
        slide(a, b, o, progress, direction ?? 'left');
        break;
      case 'circle':
        circle(a, b, o, progress);
        break;
      case 'zoom':
        zoom(a, b, o, progress);
        break;
    }
  }
}

function blend(a: Plane, b: Plane, out: Plane, share: number): void {
  const weight = Math.round(share * 256);
  for (let y = 0; y < out.height; y++) {
    const ra = y * a.stride;
    const rb = y * b.stride;
    const ro = y * out.stride;
    for (let x = 0; x < out.width; x++) {
      const from = a.data[ra + x];
      out.data[ro + x] = from + (((b.data[rb + x] - from) * weight + 128) >> 8);
    }
  }
}

function fadeLevels(type: 'fade_black' | 'fade_white' | 'fade_color', color: string | undefined): Levels {
  if (type === 'fade_white') return WHITE;
  return type === 'fade_black' || color === undefined ? BLACK : levelsOf(color);
}

/** ITU-R BT.709-6, section 3, limited range. */
function levelsOf(color: string): Levels {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  const luma = luma709(red, green, blue);
  return [
    Math.round(16 + (219 / 255) * luma),
    Math.round(128 + ((224 / 255) * (blue - luma)) / 1.8556),
    Math.round(128 + ((224 / 255) * (red - luma)) / 1.5748),
  ];
}

/** First half: `a` to a plain level; second half: from that level to `b`. */
function fadeThrough(a: Plane, b: Plane, out: Plane, share: number, level: number): void {
  const [picture, presence] = share < 0.5 ? [a, 1 - 2 * share] : [b, 2 * share - 1];
  const weight = Math.round(presence * 256);
  for (let y = 0; y < out.height; y++) {
    const rp = y * picture.stride;
    const ro = y * out.stride;
    for (let x = 0; x < out.width; x++) {
      out.data[ro + x] = level + (((picture.data[rp + x] - level) * weight + 128) >> 8);
    }
  }
}

function copyRow(
  from: Plane,
  fromX: number,
  row: number,
  out: Plane,
  outX: number,
  outRow: number,
  count: number,
) {
  if (count <= 0) return;
  const start = row * from.stride + fromX;
  out.data.set(from.data.subarray(start, start + count), outRow * out.stride + outX);
}

/** An edge moves across the picture in `direction`. */
function wipe(a: Plane, b: Plane, out: Plane, share: number, direction: Direction): void {
  const { width, height } = out;
  const vertical = direction === 'up' || direction === 'down';
  const edge = Math.round(share * (vertical ? height : width));
  for (let y = 0; y < height; y++) {
    if (vertical) {
      const shown = direction === 'down' ? y < edge : y >= height - edge;
      copyRow(shown ? b : a, 0, y, out, 0, y, width);
    } else if (direction === 'right') {
      copyRow(b, 0, y, out, 0, y, edge);
      copyRow(a, edge, y, out, edge, y, width - edge);
    } else {
      copyRow(a, 0, y, out, 0, y, width - edge);
      copyRow(b, width - edge, y, out, width - edge, y, edge);
    }
  }
}

/** The new picture pushes the old one out; both move in `direction`. */
function slide(a: Plane, b: Plane, out: Plane, share: number, direction: Direction): void {
  const { width, height } = out;
  const dx = Math.round(share * width);
  const dy = Math.round(share * height);
  for (let y = 0; y < height; y++) {
    if (direction === 'left') {
      copyRow(a, dx, y, out, 0, y, width - dx);
      copyRow(b, 0, y, out, width - dx, y, dx);
    } else if (direction === 'right') {
      copyRow(b, width - dx, y, out, 0, y, dx);
      copyRow(a, 0, y, out, dx, y, width - dx);
    } else if (direction === 'up') {
      if (y < height - dy) copyRow(a, 0, y + dy, out, 0, y, width);
      else copyRow(b, 0, y - (height - dy), out, 0, y, width);
    } else if (y < dy) copyRow(b, 0, height - dy + y, out, 0, y, width);
    else copyRow(a, 0, y - dy, out, 0, y, width);
  }
}

/** The new picture appears in a growing circle from the centre. */
function circle(a: Plane, b: Plane, out: Plane, share: number): void {
  const { width, height } = out;
  const radius = (share * Math.hypot(width, height)) / 2;
  for (let y = 0; y < height; y++) {
    const dy = y + 0.5 - height / 2;
    const half = radius > Math.abs(dy) ? Math.sqrt(radius * radius - dy * dy) : 0;
    const left = Math.max(0, Math.round(width / 2 - half));
    const right = Math.min(width, Math.round(width / 2 + half));
    copyRow(a, 0, y, out, 0, y, left);
    copyRow(b, left, y, out, left, y, right - left);
    copyRow(a, right, y, out, right, y, width - right);
  }
}

/** The old picture is enlarged while the new one fades in. */
function zoom(a: Plane, b: Plane, out: Plane, share: number): void {
  const { width, height } = out;
  // At most 1: every position lies within the old picture.
  const scale = 1 / (1 + ZOOM_DEPTH * share);
  const weight = ease('ease_in_out', share);
  for (let y = 0; y < height; y++) {
    const sy = (y + 0.5 - height / 2) * scale + height / 2 - 0.5;
    const y0 = Math.floor(sy);
    const y1 = Math.min(height - 1, y0 + 1);
    const fy = sy - y0;
    for (let x = 0; x < width; x++) {
      const sx = (x + 0.5 - width / 2) * scale + width / 2 - 0.5;
      const x0 = Math.floor(sx);
      const x1 = Math.min(width - 1, x0 + 1);
      const fx = sx - x0;
      const top = a.data[y0 * a.stride + x0] * (1 - fx) + a.data[y0 * a.stride + x1] * fx;
      const bottom = a.data[y1 * a.stride + x0] * (1 - fx) + a.data[y1 * a.stride + x1] * fx;
      const old = top + (bottom - top) * fy;
      out.data[y * out.stride + x] = Math.round(old + (b.data[y * b.stride + x] - old) * weight);
    }
  }
}
