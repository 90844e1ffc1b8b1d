import type { Shot } from '../facts.ts';

/** The samples of each shot. Samples and shots are in order. */
export function samplesByShot<Sample extends { readonly timeSeconds: number }>(
  samples: readonly Sample[],
  shots: readonly Shot[],
): Sample[][] {
  let at = 0;
  return shots.map(({ startSeconds, endSeconds }) => {
    const inside: Sample[] = [];
    while (at < samples.length && samples[at]!.timeSeconds < endSeconds) {
      if (samples[at]!.timeSeconds >= startSeconds) inside.push(samples[at]!);
      at++;
    }
    return inside;
  });
}
