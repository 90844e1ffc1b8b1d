/** Pixels of HDR photos in RGB (PNG with `cICP`) are tone mapped like those of HDR videos in YUV. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_RGBA,
  AV_PIX_FMT_YUV420P10LE,
  AVCOL_PRI_BT2020,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_RGB,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { toneMapFilters } from '../../src/media/av/upright.ts';

type Rgb = readonly [number, number, number];
const SIZE = 64;
/** Rounding of 10-bit codes, which HLG amplifies near the edge of the gamut, and of 8-bit RGB. */
const MAX_LEVELS = 3;

function frameOf(properties: object, fill: (frame: Frame) => void): Frame {
  const frame = new Frame();
  frame.alloc();
  Object.assign(frame, {
    width: SIZE,
    height: SIZE,
    colorPrimaries: AVCOL_PRI_BT2020,
    pts: 0n,
    ...properties,
  });
  assert.ok(frame.getBuffer() >= 0);
  fill(frame);
  return frame;
}

/** As decoders of PNG return it: without alpha, and with. */
const rgbFrame = (color: Rgb, colorTrc: number, format: number) =>
  frameOf({ format, colorTrc, colorSpace: AVCOL_SPC_RGB, colorRange: AVCOL_RANGE_JPEG }, ({ data }) => {
    const pixel = format === AV_PIX_FMT_RGBA ? [...color, 255] : color;
    for (let at = 0; at < data![0]!.length; at++) data![0]![at] = pixel[at % pixel.length]!;
  });

/** ITU-R BT.2020-2, tables 4 and 5: non-constant luminance, 10 bits. */
const videoFrame = (color: Rgb, colorTrc: number) => {
  const properties = { colorSpace: AVCOL_SPC_BT2020_NCL, colorRange: AVCOL_RANGE_MPEG };
  return frameOf({ format: AV_PIX_FMT_YUV420P10LE, colorTrc, ...properties }, ({ data }) => {
    const [r, g, b] = color.map((level) => level / 255) as unknown as Rgb;
    const luma = 0.2627 * r + 0.678 * g + 0.0593 * b;
    const codes = [64 + 876 * luma, 512 + (896 * (b - luma)) / 1.8814, 512 + (896 * (r - luma)) / 1.4746];
    for (const [plane, code] of codes.entries())
      for (let at = 0; at + 1 < data![plane]!.length; at += 2)
        data![plane]!.writeUInt16LE(Math.round(code), at);
  });
};

/** RGB in the middle after tone mapping. */
function shown(frame: Frame): Rgb {
  const chain = `${toneMapFilters(frame)}scale=in_color_matrix=bt709,format=rgb24`;
  using graph = new LinearGraph('video', { num: 1, den: 1 }, () => chain);
  let found: Rgb | undefined;
  const read = ({ data, linesize }: Frame) => {
    const at = (SIZE / 2) * linesize[0]! + 3 * (SIZE / 2);
    found = [...data![0]!.subarray(at, at + 3)] as unknown as Rgb;
  };
  graph.push(frame, read);
  graph.push(null, read);
  frame.free();
  return found!;
}

for (const [curve, colorTrc] of [
  ['PQ', AVCOL_TRC_SMPTE2084],
  ['HLG', AVCOL_TRC_ARIB_STD_B67],
] as const)
  for (const format of [AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA])
    test(`${curve} in ${format === AV_PIX_FMT_RGBA ? 'RGB and alpha' : 'RGB'}`, () => {
      for (const color of [
        [148, 60, 60],
        [60, 148, 60],
        [60, 60, 148],
        [148, 148, 60],
        [120, 120, 120],
        [130, 110, 100],
      ] as const) {
        const [photo, video] = [shown(rgbFrame(color, colorTrc, format)), shown(videoFrame(color, colorTrc))];
        const difference = Math.max(...photo.map((level, axis) => Math.abs(level - video[axis]!)));
        assert.ok(difference <= MAX_LEVELS, `${color}: ${photo} as a photo, ${video} as a video`);
      }
    });
