import type { FrameSketch } from '../frames/sketch.ts';
import { type Fade, fadeAround } from './fade.ts';
import { type Bottom, MAX_RAMP_ERROR } from './fade-arm.ts';
import {
  centredSums,
  colorGround,
  hexOf,
  isColor,
  meanColor,
  type PlainRun,
  plainRuns,
  type Rgb,
} from './ground.ts';

const COLOR_FADE = {
  /** A plain picture that lasts longer is a shot: a wall, a sky, a card. */
  MAX_HOLD_SECONDS: 1,
  /** Samples within this many levels of the least one belong to the bottom. */
  SLACK: 2,
  /** Largest visible share of the picture at the bottom: the background is computed from both. */
  MAX_SHOWN: 0.5,
} as const;

/** Position of the samples in the clip, as in `Segment`. */
interface Place {
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

/** Fades through plain colors other than black and white, with the method of `findFades`. */
export function findColorFades(
  samples: readonly FrameSketch[],
  jumps: ReadonlySet<number>,
  place: Place,
): Fade[] {
  const fades: Fade[] = [];
  for (const run of plainRuns(samples)) {
    const first = fadeIn(samples, run, meanColor(samples[run.plainest].small), jumps);
    if (first === null) continue;
    // At the bottom of a fast fade, part of the picture is visible.
    const rgb = groundBehind(samples, first.fade, run.plainest);
    if (!isColor(rgb)) continue;
    const { fade, bottom } = fadeIn(samples, run, rgb, jumps) ?? first;
    const isEdge = (place.atStart && run.first === 0) || (place.atEnd && run.last === samples.length - 1);
    const held = samples[bottom.last].timeSeconds - samples[bottom.first].timeSeconds;
    if (!isEdge && held > COLOR_FADE.MAX_HOLD_SECONDS) continue;
    const arms = [fade.out, fade.in].filter((arm) => arm !== null);
    if (
      arms.some(
        ({ hidden, error }) => error > MAX_RAMP_ERROR || hidden < run.first - 1 || hidden > run.last + 1,
      )
    )
      continue;
    // If the picture leaves differently than it arrived, as in a dive into one spot of it, this is another kind
    // of transition.
    const isCutAt = (at: number) => jumps.has(at) || jumps.has(at - 1) || jumps.has(at + 1);
    const isWhole = fade.out === null ? isCutAt(bottom.first) : fade.in !== null || isCutAt(bottom.last + 1);
    if (!isEdge && !isWhole) continue;
    fades.push({ ...fade, type: 'fade_color', color: hexOf(rgb) });
  }
  return fades;
}

function fadeIn(
  samples: readonly FrameSketch[],
  { first, last }: PlainRun,
  rgb: Rgb,
  jumps: ReadonlySet<number>,
): { readonly fade: Omit<Fade, 'type' | 'color'>; readonly bottom: Bottom } | null {
  const ground = colorGround(rgb);
  const levels = Float64Array.from(samples, (sample) => ground.distanceOf(sample));
  const level = levels.subarray(first, last + 1).reduce((least, one) => Math.min(least, one));
  const isLow = (at: number) => levels[at] <= level + COLOR_FADE.SLACK;
  let [from, to] = [first, last];
  while (!isLow(from)) from += 1;
  while (!isLow(to)) to -= 1;
  const bottom: Bottom = { first: from, last: to, level };
  const fade = fadeAround(samples, { ground, levels, low: level }, bottom, jumps);
  return fade && { fade, bottom };
}

/** The color that is mixed with the whole picture of the fade's longer side at its bottom. */
function groundBehind(
  samples: readonly FrameSketch[],
  fade: Omit<Fade, 'type' | 'color'>,
  bottom: number,
): Rgb {
  const seen = meanColor(samples[bottom].small);
  let [most, ground] = [0, seen];
  for (const arm of [fade.out, fade.in]) {
    if (arm === null) continue;
    const picture = samples[arm.whole].small;
    const { own, both } = centredSums(picture, samples[bottom].small);
    const shown = own === 0 ? 0 : both / own;
    if (shown <= most || shown > COLOR_FADE.MAX_SHOWN) continue;
    const mean = meanColor(picture);
    most = shown;
    ground = [0, 1, 2].map(
      (channel) => (seen[channel] - shown * mean[channel]) / (1 - shown),
    ) as unknown as Rgb;
  }
  return ground;
}
