/** The layers of the published network, beside the weights in `figure-weights.bin`: none of it was chosen here. */

/** What becomes of a result: nothing, no less than 0, or the hard swish of MobileNetV3. */
export const LINEAR = 0;
export const RECTIFIED = 1;
export const SOFT = 2;
export const FIRST_CHANNELS = 16;
/** The channels within, the side and the step of their taps, their curve, the channels of their gate (0: none), the channels that leave. */
export const BOTTLENECKS = [
  { wide: 16, side: 3, step: 2, curve: RECTIFIED, gate: 8, outs: 16 },
  { wide: 72, side: 3, step: 2, curve: RECTIFIED, gate: 0, outs: 24 },
  { wide: 88, side: 3, step: 1, curve: RECTIFIED, gate: 0, outs: 24 },
  { wide: 96, side: 5, step: 2, curve: SOFT, gate: 24, outs: 32 },
  { wide: 128, side: 5, step: 1, curve: SOFT, gate: 32, outs: 32 },
  { wide: 128, side: 5, step: 1, curve: SOFT, gate: 32, outs: 32 },
  { wide: 96, side: 5, step: 1, curve: SOFT, gate: 24, outs: 32 },
  { wide: 96, side: 5, step: 1, curve: SOFT, gate: 24, outs: 32 },
] as const;
export const HEAD_CHANNELS = 128;
export const WEIGHTS = 106_401;
