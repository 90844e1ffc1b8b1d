import {
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_SPC_UNSPECIFIED,
} from 'node-av/constants';
import { LUMA_WEIGHTS_709 } from '../../signal/color-space.ts';

/** Weights of red and blue in luma; green has the rest. */
export interface LumaWeights {
  readonly red: number;
  readonly blue: number;
}

/** ITU-R BT.709-6. */
export const HD_WEIGHTS: LumaWeights = LUMA_WEIGHTS_709;
/** ITU-R BT.601-7. */
const SD_WEIGHTS: LumaWeights = { red: 0.299, blue: 0.114 };
const HD_LINES = 720;

/** ITU-T H.273, table 4. */
const WEIGHTS: ReadonlyMap<number, LumaWeights> = new Map([
  [AVCOL_SPC_RGB, HD_WEIGHTS],
  [AVCOL_SPC_BT709, HD_WEIGHTS],
  [AVCOL_SPC_FCC, { red: 0.3, blue: 0.11 }],
  [AVCOL_SPC_BT470BG, SD_WEIGHTS],
  [AVCOL_SPC_SMPTE170M, SD_WEIGHTS],
  [AVCOL_SPC_SMPTE240M, { red: 0.212, blue: 0.087 }],
  [AVCOL_SPC_BT2020_NCL, { red: 0.2627, blue: 0.0593 }],
]);

/**
 * Luma weights of a picture. If the file does not specify its color space: BT.709 for HD and BT.601 for SD, as players do. Null: the
 * color space is not defined by luma weights.
 */
export function lumaWeights(picture: {
  readonly colorSpace: number;
  readonly width: number;
  readonly height: number;
}): LumaWeights | null {
  const { colorSpace, width, height } = picture;
  if (colorSpace !== AVCOL_SPC_UNSPECIFIED) return WEIGHTS.get(colorSpace) ?? null;
  return Math.min(width, height) >= HD_LINES ? HD_WEIGHTS : SD_WEIGHTS;
}
