import {
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_SPC_UNSPECIFIED,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, type Frame } from 'node-av/lib';
import { colorMatrix, isHdrTransfer } from './upright.ts';

/** Names of matrices in FFmpeg's filter `colorspace`. */
const MATRICES: ReadonlyMap<number, string> = new Map([
  [AVCOL_SPC_BT709, 'bt709'],
  [AVCOL_SPC_FCC, 'fcc'],
  [AVCOL_SPC_BT470BG, 'bt470bg'],
  [AVCOL_SPC_SMPTE170M, 'smpte170m'],
  [AVCOL_SPC_SMPTE240M, 'smpte240m'],
  [AVCOL_SPC_BT2020_NCL, 'bt2020ncl'],
]);

/** Scaling without `accurate_rnd` rounds down on average. */
export const SCALE_FLAGS = 'flags=bicubic+accurate_rnd';
/** For enlarging: sharper edges at the same cost (decision 0038). */
export const ENLARGING_FLAGS = 'flags=lanczos+accurate_rnd';
/** Means of areas. Without accurate rounding the mean of 120 rows of one level is up to 6 levels off. */
export const MEAN_FLAGS = 'flags=area+accurate_rnd';

/**
 * Filters that convert decoded SDR frames to BT.709, limited range, each ending in a comma; empty if no conversion is needed. Does not use
 * libswscale's conversion of matrices, which darkens luma by 1.6 levels, or with rounding costs forty times as much. HDR frames must
 * be tone mapped before.
 */
export function outputColorFilters(frame: Frame): string {
  if (isHdrTransfer(frame.colorTrc)) return '';
  if (isRgbFormat(frame)) {
    return `scale=${SCALE_FLAGS}+full_chroma_int+full_chroma_inp:out_color_matrix=bt709:out_range=limited,format=yuv420p,`;
  }
  const matrix = matrixName(frame);
  const full = isFullRange(frame);
  if (matrix === null || (matrix === 'bt709' && !full)) return '';
  const light = 'itrc=bt709:trc=bt709:iprimaries=bt709:primaries=bt709';
  return `colorspace=ispace=${matrix}:space=bt709:irange=${full ? 'pc' : 'tv'}:range=tv:${light}:format=yuv420p,`;
}

/** Whether the format stores RGB, a palette of RGB, or black and white. */
export function isRgbFormat(frame: Frame): boolean {
  return /rgb|bgr|gbr|pal8|mono/.test(formatName(frame));
}

/** Grey without a range is full, as in JPEG and libswscale. */
export function isFullRange(frame: Frame): boolean {
  const format = formatName(frame);
  const isGrey = format.startsWith('gray') && frame.colorRange !== AVCOL_RANGE_MPEG;
  return frame.colorRange === AVCOL_RANGE_JPEG || format.startsWith('yuvj') || isGrey;
}

/** Name of the frame's matrix in FFmpeg's filter `colorspace`; null: the filter does not support it. */
function matrixName(frame: Frame): string | null {
  if (frame.colorSpace === AVCOL_SPC_UNSPECIFIED) return colorMatrix(frame);
  return MATRICES.get(frame.colorSpace) ?? null;
}

function formatName({ format }: Frame): string {
  return avGetPixFmtName(format as AVPixelFormat) ?? '';
}
