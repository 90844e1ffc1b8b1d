/** Parameters of the published face detector, beside the bytes of `face-weights.bin`. */

/** Slope of its activation (leaky ReLU) for negative values. */
export const SLOPE = 0.1;
/** Number of weights of a 3×3 convolution, per channel. */
export const TAPS = 9;
/** Input channels of each layer after the first; each layer doubles them. */
export const LAYER_CHANNELS = [16, 32, 64, 128, 256] as const;
/** Means of red, green and blue in the training data, subtracted from pixels. */
export const MEANS = [117.001, 114.697, 97.404] as const;
/** Width and height of the anchor boxes, in cells of the output. */
export const ANCHORS = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308],
] as const;
/** Outputs for each anchor: x, y, width, height, score. */
export const OUTPUTS = 5;
/** The arrays of `face-weights.bin`, in its order: number of bytes, value of byte 0, and step per unit of a byte. */
export const ARRAYS: readonly (readonly [count: number, least: number, step: number])[] = [
  [3 * TAPS * LAYER_CHANNELS[0], -1.2069439495311063, 0.009007044399485869],
  [LAYER_CHANNELS[0], -0.9211046672334858, 0.005263455241334205],
  [TAPS * 16, -0.5042491814669441, 0.004001977630690033],
  [16 * 32, -1.411334180831909, 0.013836609615999109],
  [32, -0.30926119685173037, 0.0015159862590771096],
  [TAPS * 32, -0.317286870876948, 0.002666276225856706],
  [32 * 64, -1.6792414422128714, 0.015265831292844286],
  [64, -0.37113414915168985, 0.0020280554598453],
  [TAPS * 64, -0.8907084034938438, 0.006100742489683862],
  [64 * 128, -2.0508026908425725, 0.016276211832083907],
  [128, -0.7637432129944072, 0.003394414279975143],
  [TAPS * 128, -0.8059260143953211, 0.006716050119961009],
  [128 * 256, -2.8875797271728514, 0.021875603993733724],
  [256, -0.8187188749804216, 0.0041141652009066415],
  [TAPS * 256, -0.9013508368940915, 0.008423839597141042],
  [256 * 512, -3.8709387695088107, 0.030007277283014035],
  [512, -1.4871686851277068, 0.008402082966823203],
  [512 * OUTPUTS * ANCHORS.length, -4.675461362389957, 0.028336129469030042],
  [OUTPUTS * ANCHORS.length, -0.41053225912299807, 0.002268134028303857],
];
