/** Facts of films in black and white. */
import type { VideoFacts } from '../../src/analysis/facts.ts';
import { videoFacts } from './clip-facts.ts';

/** A clip of `grey` pictures in black and white and then `colored` ones. */
export function filmOf(grey: number, colored: number): VideoFacts {
  const [width, height, count] = [24, 14, grey + colored];
  const rgb = Array.from({ length: count }, (_, picture) =>
    Array.from({ length: width * height }, (_pixel, at) => {
      // Light changes from picture to picture, unlike that of a screen recording.
      const level = (190 * at) / (width * height) + 40 + 8 * (picture % 2);
      return picture < grey ? [level, level, level] : [level, level / 2, at % 2 === 0 ? 20 : 220];
    }),
  ).flat(2);
  const moments = {
    ...{ width, height, rgb: Buffer.from(Uint8Array.from(rgb)).toString('base64') },
    timesSeconds: Array.from({ length: count }, (_, at) => at),
    areas: Array.from({ length: count }, () => ({ x: 0, y: 0, width: 1, height: 1 })),
  };
  return videoFacts({ color: { ...videoFacts().color, moments } });
}
