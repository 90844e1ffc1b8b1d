/** Colors through the filter chains of a clip, for each matrix, range and format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_UNSPECIFIED,
  type AVPixelFormat,
} from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { outputColorFilters } from '../../src/media/av/output-colors.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { videoChain } from '../../src/render/picture/video-chain.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const [WIDTH, HEIGHT, TILE] = [576, 384, 32];
/** Kr and Kb of ITU-R BT.601, BT.709 and BT.2020. */
const [BT601, BT709, BT2020] = [
  [0.299, 0.114],
  [0.2126, 0.0722],
  [0.2627, 0.0593],
] as const;

interface Kind {
  readonly name: string;
  readonly format: AVPixelFormat;
  readonly space: number;
  readonly weights: readonly [number, number];
  readonly full: boolean;
}

const YUV = { format: AV_PIX_FMT_YUV420P, full: false };
const KINDS: readonly Kind[] = [
  { ...YUV, name: 'BT.709', space: AVCOL_SPC_BT709, weights: BT709 },
  { ...YUV, name: 'BT.709, full range', space: AVCOL_SPC_BT709, weights: BT709, full: true },
  { ...YUV, name: 'NTSC', space: AVCOL_SPC_SMPTE170M, weights: BT601 },
  { ...YUV, name: 'PAL', space: AVCOL_SPC_BT470BG, weights: BT601 },
  { ...YUV, name: 'PAL, full range', space: AVCOL_SPC_BT470BG, weights: BT601, full: true },
  { ...YUV, name: 'small and untagged', space: AVCOL_SPC_UNSPECIFIED, weights: BT601 },
  { ...YUV, name: 'BT.2020', space: AVCOL_SPC_BT2020_NCL, weights: BT2020 },
  { name: 'RGB', format: AV_PIX_FMT_RGB24, space: AVCOL_SPC_RGB, weights: BT709, full: true },
];

/** RGB 0..1 of a tile: muted, so that nothing leaves any range. */
function tileColor(tile: number): [number, number, number] {
  const digit = (place: number) => (((tile * 2654435761) >>> (8 * place)) & 255) / 255;
  return [0.25 + 0.5 * digit(0), 0.25 + 0.5 * digit(1), 0.25 + 0.5 * digit(2)];
}

/** Codes of a color, not rounded (ITU-R BT.709-6, section 3; ITU-T T.871 for full range). */
function codesOf(rgb: readonly number[], [kr, kb]: readonly [number, number], full: boolean) {
  const [r, g, b] = rgb as [number, number, number];
  const luma = kr * r + (1 - kr - kb) * g + kb * b;
  const [lift, span, chroma] = full ? [0, 255, 255] : [16, 219, 224];
  return [
    lift + span * luma,
    128 + (chroma * (b - luma)) / (2 * (1 - kb)),
    128 + (chroma * (r - luma)) / (2 * (1 - kr)),
  ];
}

/** The color of rounded codes. */
function colorOf(codes: readonly number[], [kr, kb]: readonly [number, number], full: boolean) {
  const [lift, span, chroma] = full ? [0, 255, 255] : [16, 219, 224];
  const luma = (codes[0] - lift) / span;
  const b = luma + (2 * (1 - kb) * (codes[1] - 128)) / chroma;
  const r = luma + (2 * (1 - kr) * (codes[2] - 128)) / chroma;
  return [r, (luma - kr * r - kb * b) / (1 - kr - kb), b];
}

/** Tiles of one color each, and what BT.709 codes they should become. */
function tiled({ format, space, weights, full }: Kind) {
  const frame = new Frame();
  frame.alloc();
  Object.assign(frame, { format, width: WIDTH, height: HEIGHT, colorSpace: space });
  frame.colorRange = full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  assert.ok(frame.getBuffer() >= 0);
  const wanted: number[][] = [];
  const perRow = WIDTH / TILE;
  const fill = (plane: number, tile: number, size: number, bytes: readonly number[]) => {
    const stride = frame.linesize[plane];
    const left = (tile % perRow) * size * bytes.length;
    for (let y = Math.floor(tile / perRow) * size, end = y + size; y < end; y++) {
      for (let x = 0; x < size * bytes.length; x++)
        frame.data![plane][y * stride + left + x] = bytes[x % bytes.length];
    }
  };
  for (let tile = 0; tile < perRow * (HEIGHT / TILE); tile++) {
    const color = tileColor(tile);
    if (format === AV_PIX_FMT_RGB24) {
      const bytes = color.map((level) => Math.round(255 * level));
      fill(0, tile, TILE, bytes);
      wanted.push(
        codesOf(
          bytes.map((level) => level / 255),
          BT709,
          false,
        ),
      );
      continue;
    }
    const codes = codesOf(color, weights, full).map(Math.round);
    for (const [plane, code] of codes.entries()) fill(plane, tile, plane === 0 ? TILE : TILE / 2, [code]);
    wanted.push(codesOf(colorOf(codes, weights, full), BT709, false));
  }
  return { frame, wanted };
}

/** Mean error of each plane's tiles, signed and not, after a chain to another size. */
function errorsAfter(kind: Kind, scale: number, depth: '' | 'format=yuv422p10le,') {
  const { frame, wanted } = tiled(kind);
  const size = { width: WIDTH * scale, height: HEIGHT * scale };
  const source = { width: WIDTH, height: HEIGHT, matrix: 'auto', colors: outputColorFilters(frame) };
  const chain = depth + videoChain(timelineClip(0, 1), size, source);
  using graph = new LinearGraph('video', { num: 1, den: 25 }, () => chain);
  const sums = [0, 1, 2].map(() => ({ signed: 0, plain: 0 }));
  frame.pts = 0n;
  const read = (out: Frame) => {
    for (const [index, plane] of planesOf(out).entries()) {
      const pitch = (TILE * scale) / (index === 0 ? 1 : 2);
      for (const [tile, codes] of wanted.entries()) {
        const x = Math.floor(((tile % (WIDTH / TILE)) + 0.5) * pitch);
        const y = Math.floor((Math.floor(tile / (WIDTH / TILE)) + 0.5) * pitch);
        const error = plane.data[y * plane.stride + x] - codes[index];
        sums[index].signed += error / wanted.length;
        sums[index].plain += Math.abs(error) / wanted.length;
      }
    }
  };
  graph.push(frame, read);
  graph.push(null, read);
  frame.free();
  return sums;
}

for (const kind of KINDS) {
  // FFmpeg's own conversion from 8 to 10 bits of full range is not exact.
  const depths = kind.full ? ([''] as const) : (['', 'format=yuv422p10le,'] as const);
  for (const scale of [1, 0.5, 1.5]) {
    for (const depth of depths) {
      test(`${kind.name}${depth === '' ? '' : ', 10 bits 4:2:2'}, at ${scale}: no darker, no tinted`, () => {
        for (const { signed, plain } of errorsAfter(kind, scale, depth)) {
          assert.ok(Math.abs(signed) < 0.2, `on average ${signed.toFixed(2)} levels off`);
          assert.ok(plain < 0.6, `${plain.toFixed(2)} levels off`);
        }
      });
    }
  }
}

for (const [width, height] of [
  [641, 361],
  [640, 361],
  [641, 360],
] as const) {
  test(`${width}×${height}, whole: an odd line is left out, not refused`, () => {
    const frame = new Frame();
    frame.alloc();
    Object.assign(frame, {
      format: AV_PIX_FMT_YUV420P,
      width,
      height,
      colorSpace: AVCOL_SPC_SMPTE170M,
      pts: 0n,
    });
    assert.ok(frame.getBuffer() >= 0);
    const source = { width, height, matrix: 'auto', colors: outputColorFilters(frame) };
    const chain = videoChain(timelineClip(0, 1), { width: 640, height: 360 }, source);
    using graph = new LinearGraph('video', { num: 1, den: 25 }, () => chain);
    const sizes: string[] = [];
    graph.push(frame, (out) => void sizes.push(`${out.width}x${out.height}`));
    assert.deepEqual(sizes, ['640x360']);
    frame.free();
  });
}
