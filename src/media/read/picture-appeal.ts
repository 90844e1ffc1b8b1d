import type { Frame } from 'node-av/lib';

/**
 * Score of a small full-range 4:2:0 picture as a poster: rich in tones, colors and detail; not black, white,
 * or in the middle of a fade. Higher is better. Scores are comparable within one video only.
 */
export function pictureAppeal(frame: Frame): number {
  const [luma, blue, red] = frame.data!;
  const [lumaStride, chromaStride] = frame.linesize;
  const { width, height } = frame;
  const tones = tonesOf(luma!, lumaStride!, width, height);
  const color = colorfulness(blue!, red!, chromaStride!, width >> 1, height >> 1);
  return tones.entropyBits / ENTROPY_BITS + DETAIL * tones.detail + COLOR * color;
}

/** Maximum entropy of 256 levels. */
const ENTROPY_BITS = 8;
/** Weights. Detail and color decide between pictures of similar tones: each is worth at most a bit and a half of eight. */
const [DETAIL, COLOR] = [0.2, 0.2];
/** Mean difference of neighbours, in levels: blurred pictures 1 to 3, sharp ones 6 to 15. */
const SHARP_STEP = 12;
/** Mean distance from grey, in levels: dull pictures 3 to 8, vivid ones 25 and more. */
const VIVID = 30;

function tonesOf(data: Uint8Array, stride: number, width: number, height: number) {
  const counts = new Uint32Array(256);
  let steps = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0, at = y * stride; x < width; x++, at++) {
      const level = data[at];
      counts[level]++;
      if (x > 0) steps += Math.abs(level - data[at - 1]);
    }
  }
  const pixels = width * height;
  let entropyBits = 0;
  for (const count of counts) {
    const share = count / pixels;
    if (share > 0) entropyBits -= share * Math.log2(share);
  }
  return { entropyBits, detail: Math.min(1, steps / pixels / SHARP_STEP) };
}

function colorfulness(blue: Uint8Array, red: Uint8Array, stride: number, width: number, height: number) {
  let sum = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0, at = y * stride; x < width; x++, at++) sum += Math.hypot(blue[at] - 128, red[at] - 128);
  return Math.min(1, sum / (width * height) / VIVID);
}
