/** Layers of the published network, beside the weights in `figure-weights.bin`. */

/** Activations: none, max(0, x), and the hard swish of MobileNetV3. */
export const LINEAR = 0;
export const RECTIFIED = 1;
const SOFT = 2;
export const FIRST_CHANNELS = 16;
/** Inner channels, side and step of the taps, activation, channels of the gate (0: none), output channels. */
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
