import {
  AV_PKT_DATA_DISPLAYMATRIX,
  AVCOL_SPC_RGB,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import type { Frame, Stream } from 'node-av/lib';
import type { Picture, Size } from '../../domain/footage.ts';

/** Clockwise rotation in degrees that makes the stored picture upright. */
export type Rotation = 0 | 90 | 180 | 270;

/** Orientation of a stored picture: first mirrored left to right if `isMirrored`, then rotated. */
export interface Orientation {
  readonly rotation: Rotation;
  readonly isMirrored: boolean;
}

/** Tolerance of a tie between two quarter turns, such as 45 degrees, where the smaller one is chosen. */
const TIE_DEGREES = 1;

/**
 * The nearest of the eight orientations for the stream's display matrix (ISO 14496-12; 16.16 fixed point, rows (a b u)(c d v)(x y w)).
 * Scaling and remaining angles are ignored.
 */
export function streamOrientation(stream: Stream): Orientation {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix === null || matrix.length < 36) return { rotation: 0, isMirrored: false };
  const [a, b, c, d] = [0, 4, 12, 16].map((at) => matrix.readInt32LE(at)) as [number, number, number, number];
  const isMirrored = a * d - b * c < 0;
  // The axes (a, b) and (c, d) of a turned, or mirrored and turned, picture; each counts by its length.
  const [x, y] = isMirrored ? [d - a, -(b + c)] : [a + d, b - c];
  const degrees = (Math.atan2(y, x) * 180) / Math.PI;
  const turns = Math.sign(degrees) * Math.ceil((Math.abs(degrees) - TIE_DEGREES) / 90 - 0.5);
  return { rotation: ((((turns % 4) + 4) % 4) * 90) as Rotation, isMirrored };
}

/** Whether width and height are swapped. */
function swapsSides({ rotation }: Orientation): boolean {
  return rotation % 180 !== 0;
}

/** A size after rotation; the same function converts it back. */
export function turnedSize({ width, height }: Size, orientation: Orientation): Size {
  return swapsSides(orientation) ? { width: height, height: width } : { width, height };
}

/** Size as displayed: after sample aspect and orientation, in square pixels. */
export function displaySize(stream: Stream): Size {
  const { width, height } = stream.codecpar;
  const square = { width: Math.max(1, Math.round(width * pixelAspect(stream))), height };
  return turnedSize(square, streamOrientation(stream));
}

/** Width over height of a pixel, clamped to 1:10: of the container, else of `frame`, else of the codec, like FFmpeg. */
export function pixelAspect(stream: Stream, frame?: Frame): number {
  const aspects = [
    stream.sampleAspectRatio,
    ...(frame === undefined ? [] : [frame.sampleAspectRatio]),
    stream.codecpar.sampleAspectRatio,
  ];
  const aspect = aspects.find(({ num, den }) => num > 0 && den > 0);
  return aspect === undefined ? 1 : Math.min(Math.max(aspect.num / aspect.den, 0.1), 10);
}

/** True for PQ and HLG. */
export function isHdrTransfer(transfer: number): boolean {
  return transfer === AVCOL_TRC_SMPTE2084 || transfer === AVCOL_TRC_ARIB_STD_B67;
}

/**
 * Matrix of a frame, named for FFmpeg's filter `scale`. If the file does not specify it: BT.709 for HD, BT.601 for SD, as players do.
 */
export function colorMatrix(frame: Frame): string {
  if (frame.colorSpace === AVCOL_SPC_UNSPECIFIED) {
    return Math.min(frame.width, frame.height) >= 720 ? 'bt709' : 'smpte170m';
  }
  return frame.colorSpace === AVCOL_SPC_RGB ? 'bt709' : 'auto';
}

/** Filters that make a stored picture upright, each ending in a comma; empty if it is upright. */
export function turnFilters({ rotation, isMirrored }: Orientation): string {
  switch (rotation) {
    case 90:
      return isMirrored ? 'transpose=clock_flip,' : 'transpose=clock,';
    case 180:
      // `vflip` alone returns rows in reverse order in memory, which code over planes does not support.
      return isMirrored ? 'vflip,copy,' : 'hflip,vflip,';
    case 270:
      return isMirrored ? 'transpose=cclock_flip,' : 'transpose=cclock,';
    case 0:
      return isMirrored ? 'hflip,' : '';
  }
}

/** Makes a small picture upright, like `turnFilters`. */
export function turnPicture(picture: Picture, orientation: Orientation): Picture {
  const { rotation, isMirrored } = orientation;
  if (rotation === 0 && !isMirrored) return picture;
  const { width, height, channels, data } = picture;
  const size = turnedSize(picture, orientation);
  const columns = size.width;
  const turned = new Uint8Array(data.length);
  // Steps in the result from pixel to pixel and from row to row of the stored picture, and the position of its first pixel.
  let across = { 0: 1, 90: columns, 180: -1, 270: -columns }[rotation];
  const down = { 0: columns, 90: -1, 180: -columns, 270: 1 }[rotation];
  let first = { 0: 0, 90: columns - 1, 180: width * height - 1, 270: columns * (width - 1) }[rotation];
  if (isMirrored) {
    first += (width - 1) * across;
    across = -across;
  }
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, to = first + y * down; x < width; x++, to += across) {
      for (let c = 0; c < channels; c++, from++) turned[to * channels + c] = data[from];
    }
  }
  return { ...size, channels, data: turned };
}

/**
 * Filters that tone map PQ or HLG to BT.709 SDR by the curve of ITU-R BT.2390, each ending in a comma; empty for SDR frames.
 * Input and output are YUV. The cost is proportional to the picture's size, so scale down before if possible.
 */
export function toneMapFilters(frame: Frame): string {
  if (!isHdrTransfer(frame.colorTrc)) return '';
  return `${toYuv(frame)}tonemapx=tonemap=bt2390:transfer=bt709:matrix=bt709:primaries=bt709:range=tv:format=yuv420p,`;
}

/** FFmpeg converts RGB, such as that of PNG, with the matrix of BT.601, but the filter reads the result as BT.2020. */
function toYuv({ colorSpace }: Frame): string {
  if (colorSpace !== AVCOL_SPC_RGB) return 'format=yuv420p10le,';
  return 'scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp:out_color_matrix=bt2020:out_range=limited,format=yuv420p10le,setparams=colorspace=bt2020nc:range=limited,';
}
