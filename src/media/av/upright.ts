import {
  AV_PKT_DATA_DISPLAYMATRIX,
  AVCOL_SPC_RGB,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants';
import type { Frame, Stream } from 'node-av/lib';
import type { Picture } from '../../footage.ts';

/** Quarter turns clockwise that make the stored picture upright: 0, 90, 180 or 270 degrees. */
export type Rotation = 0 | 90 | 180 | 270;

/** ISO 14496-12 display matrix, 16.16 fixed point, rows (a b u)(c d v)(x y w): rotation snapped to quarter turns. */
export function streamRotation(stream: Stream): Rotation {
  const matrix = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (matrix === null || matrix.length < 36) return 0;
  const a = matrix.readInt32LE(0);
  const b = matrix.readInt32LE(4);
  if (a === 0 && b === 0) return 0;
  const degrees = (Math.atan2(b, a) * 180) / Math.PI;
  return ((((Math.round(degrees / 90) * 90) % 360) + 360) % 360) as Rotation;
}

/** Size as displayed: after sample aspect and rotation, in square pixels. */
export function displaySize(stream: Stream): { width: number; height: number } {
  const { width, height } = stream.codecpar;
  const aspect =
    stream.sampleAspectRatio.num > 0 ? stream.sampleAspectRatio : stream.codecpar.sampleAspectRatio;
  const ratio = aspect.num > 0 && aspect.den > 0 ? aspect.num / aspect.den : 1;
  const square = { width: Math.max(1, Math.round(width * Math.min(Math.max(ratio, 0.1), 10))), height };
  const turned = streamRotation(stream) % 180 !== 0;
  return turned ? { width: square.height, height: square.width } : square;
}

/** True for PQ and HLG. */
export function isHdrTransfer(transfer: number): boolean {
  return transfer === AVCOL_TRC_SMPTE2084 || transfer === AVCOL_TRC_ARIB_STD_B67;
}

/**
 * The matrix to assume where a file does not say: BT.709 for HD, BT.601 for SD, as players do.
 * Name as FFmpeg's scale filter takes it.
 */
export function colourMatrix(frame: Frame): string {
  if (frame.colorSpace === AVCOL_SPC_UNSPECIFIED) {
    return Math.min(frame.width, frame.height) >= 720 ? 'bt709' : 'smpte170m';
  }
  return frame.colorSpace === AVCOL_SPC_RGB ? 'bt709' : 'auto';
}

/** Filters that turn a stored picture upright, each ending in a comma; empty when it is. */
export function turnFilters(rotation: Rotation): string {
  switch (rotation) {
    case 90:
      return 'transpose=clock,';
    case 180:
      return 'hflip,vflip,';
    case 270:
      return 'transpose=cclock,';
    case 0:
      return '';
  }
}

/** A small picture turned upright as `turnFilters` would. */
export function turnPicture(picture: Picture, rotation: Rotation): Picture {
  if (rotation === 0) return picture;
  const { width, height, channels, data } = picture;
  const swaps = rotation !== 180;
  const columns = swaps ? height : width;
  const turned = new Uint8Array(data.length);
  // From one pixel to the next in a row and in a column of the stored picture; and where its first comes to lie.
  const across = rotation === 90 ? columns : rotation === 270 ? -columns : -1;
  const down = rotation === 90 ? -1 : rotation === 270 ? 1 : -columns;
  const first = rotation === 90 ? columns - 1 : rotation === 270 ? columns * (width - 1) : width * height - 1;
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, to = first + y * down; x < width; x++, to += across) {
      for (let c = 0; c < channels; c++, from++) turned[to * channels + c] = data[from]!;
    }
  }
  return { width: columns, height: swaps ? width : height, channels, data: turned };
}

/**
 * Brings PQ or HLG to BT.709 SDR by the curve of ITU-R BT.2390, each ending in a comma; empty for SDR frames.
 * Wants and gives YUV; costs about as much as the picture is large, so scale down before it where that is allowed.
 */
export function toneMapFilters(frame: Frame): string {
  return isHdrTransfer(frame.colorTrc)
    ? 'format=yuv420p10le,tonemapx=tonemap=bt2390:transfer=bt709:matrix=bt709:primaries=bt709:range=tv:format=yuv420p,'
    : '';
}
