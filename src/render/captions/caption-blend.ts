import { luma709 } from '../../signal/color-space.ts';
import type { Plane, Yuv } from '../picture/composite.ts';

/** Premultiplied levels and coverage (0..255) of one plane; rows have no padding. */
interface CoveredPlane {
  readonly width: number;
  readonly height: number;
  readonly levels: Uint8Array;
  readonly coverage: Uint8Array;
}

/** A drawn caption: its position in the picture (even numbers) and its three planes (BT.709, limited range, 4:2:0). */
export interface CaptionBitmap {
  readonly x: number;
  readonly y: number;
  readonly planes: readonly [CoveredPlane, CoveredPlane, CoveredPlane];
}

/** RGBA rows with premultiplied colors, `stride` bytes apart. */
export interface DrawnText {
  readonly data: Uint8Array;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** ITU-R BT.709-6, section 3: luma and color differences in limited range. */
const LUMA_SCALE = 219 / 255;
const BLUE_SCALE = 224 / 255 / 1.8556;
const RED_SCALE = 224 / 255 / 1.5748;

/** Converts the inked part of a drawing whose corner is at (x, y), both even. Null: there is no ink. */
export function bitmapOf(drawn: DrawnText, x: number, y: number): CaptionBitmap | null {
  const box = inkBox(drawn);
  if (box === null) return null;
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const empty = (w: number, h: number): CoveredPlane => ({
    width: w,
    height: h,
    levels: new Uint8Array(w * h),
    coverage: new Uint8Array(w * h),
  });
  const [luma, blue, red] = [
    empty(width, height),
    empty(width >> 1, height >> 1),
    empty(width >> 1, height >> 1),
  ];
  const rows = { ...drawn, data: drawn.data.subarray(box.top * drawn.stride + 4 * box.left) };
  fillLuma(rows, luma);
  fillChroma(rows, blue, red);
  return { x: x + box.left, y: y + box.top, planes: [luma, blue, red] };
}

/** Bounds of the ink, rounded outwards to even numbers; ends exclusive. The drawing's own size is even. */
function inkBox({ data, stride, width, height }: DrawnText) {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let y = 0; y < height; y++) {
    const row = y * stride + 3;
    let x = 0;
    while (x < width && data[row + 4 * x] === 0) x++;
    if (x === width) continue;
    let end = width;
    while (data[row + 4 * (end - 1)] === 0) end--;
    left = Math.min(left, x);
    right = Math.max(right, end);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  if (right === 0) return null;
  return { left: left & ~1, right: (right + 1) & ~1, top: top & ~1, bottom: (bottom + 1) & ~1 };
}

function fillLuma({ data, stride }: DrawnText, luma: CoveredPlane): void {
  for (let y = 0, out = 0; y < luma.height; y++) {
    for (let at = y * stride, end = at + 4 * luma.width; at < end; at += 4, out++) {
      const alpha = data[at + 3];
      if (alpha === 0) continue;
      const light = luma709(data[at], data[at + 1], data[at + 2]);
      luma.coverage[out] = alpha;
      luma.levels[out] = Math.round((16 * alpha) / 255 + LUMA_SCALE * light);
    }
  }
}

/** Chroma of 2×2 pixels: the mean of their premultiplied colors and of their coverage. */
function fillChroma({ data, stride }: DrawnText, blue: CoveredPlane, red: CoveredPlane): void {
  for (let y = 0, out = 0; y < blue.height; y++) {
    for (let x = 0, at = 2 * y * stride; x < blue.width; x++, at += 8, out++) {
      const mean = (channel: number) => {
        const here = at + channel;
        return (data[here] + data[here + 4] + data[here + stride] + data[here + stride + 4]) / 4;
      };
      const alpha = mean(3);
      if (alpha === 0) continue;
      const [r, b] = [mean(0), mean(2)];
      const light = luma709(r, mean(1), b);
      const neutral = (128 * alpha) / 255;
      blue.coverage[out] = Math.round(alpha);
      red.coverage[out] = blue.coverage[out];
      blue.levels[out] = Math.round(neutral + BLUE_SCALE * (b - light));
      red.levels[out] = Math.round(neutral + RED_SCALE * (r - light));
    }
  }
}

/** Blends a caption over a picture, in place, clipped to the picture. Exact where coverage is 0 or 255. `at`: moved by even numbers of pixels. */
export function blendCaption(bitmap: CaptionBitmap, picture: Yuv, at = { x: 0, y: 0 }): void {
  for (let plane = 0; plane < 3; plane++) {
    const shift = plane === 0 ? 0 : 1;
    blendPlane(bitmap.planes[plane], (bitmap.x + at.x) >> shift, (bitmap.y + at.y) >> shift, picture[plane]);
  }
}

/** The caption with a part of its opacity, 0..1. */
export function fadedCaption({ planes, ...place }: CaptionBitmap, opacity: number): CaptionBitmap {
  const faded = ({ levels, coverage, ...size }: CoveredPlane): CoveredPlane => ({
    ...size,
    levels: levels.map((level) => Math.round(level * opacity)),
    coverage: coverage.map((cover) => Math.round(cover * opacity)),
  });
  const [luma, blue, red] = planes;
  return { ...place, planes: [faded(luma), faded(blue), faded(red)] };
}

function blendPlane(over: CoveredPlane, x: number, y: number, under: Plane): void {
  const { levels, coverage } = over;
  const { data } = under;
  const fromX = Math.max(0, -x);
  const toX = Math.min(over.width, under.width - x);
  const toY = Math.min(over.height, under.height - y);
  for (let row = Math.max(0, -y); row < toY; row++) {
    const line = row * over.width;
    const target = (y + row) * under.stride + x;
    for (let column = fromX; column < toX; column++) {
      const covered = coverage[line + column];
      if (covered === 0) continue;
      const at = target + column;
      // x·(255 − a) ÷ 255, rounded, without a division: exact for 16 bits.
      const rest = data[at] * (255 - covered) + 128;
      data[at] = levels[line + column] + ((rest + (rest >> 8)) >> 8);
    }
  }
}
