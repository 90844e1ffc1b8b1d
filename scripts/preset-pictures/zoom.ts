import type { Picture, Size } from '../../src/domain/footage.ts';

/** The middle of a picture in another size and shape, as wide as `share` of what fits; bilinear. */
export function zoomed(picture: Picture, share: number, { width, height }: Size): Picture {
  const { width: fullWidth, height: fullHeight, channels, data } = picture;
  const step = share * Math.min(fullWidth / width, fullHeight / height);
  const out = new Uint8Array(width * height * channels);
  for (let y = 0, at = 0; y < height; y++) {
    const { low: top, high: bottom, weight: down } = between((y + 0.5 - height / 2) * step, fullHeight);
    for (let x = 0; x < width; x++) {
      const { low: left, high: right, weight: along } = between((x + 0.5 - width / 2) * step, fullWidth);
      for (let channel = 0; channel < channels; channel++, at++) {
        const value = (row: number, column: number) => data[(row * fullWidth + column) * channels + channel];
        const above = mix(value(top, left), value(top, right), along);
        out[at] = Math.round(mix(above, mix(value(bottom, left), value(bottom, right), along), down));
      }
    }
  }
  return { width, height, channels, data: out };
}

/** The two pixels beside a place, which is counted from the middle, and the weight of the second. */
function between(fromMiddle: number, length: number): { low: number; high: number; weight: number } {
  const place = Math.min(Math.max(0, fromMiddle + length / 2 - 0.5), length - 1);
  const low = Math.floor(place);
  return { low, high: Math.min(low + 1, length - 1), weight: place - low };
}

const mix = (one: number, other: number, weight: number): number => one + weight * (other - one);
