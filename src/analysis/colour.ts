import type { Frame } from '../footage.ts';
import { bytesToLab } from '../signal/colour-space.ts';
import { ColourGrid, isBlack } from './colour-grid.ts';
import { paletteOf } from './colour-palette.ts';
import { ColourTally } from './colour-tally.ts';
import {
  type Box,
  type CaptionSpan,
  type ColourFacts,
  type ColourStatistics,
  type Shot,
  type Transition,
  WHOLE_PICTURE,
} from './facts.ts';
import { ThinnedSamples } from './thinned-samples.ts';

/** Ten frames a second are plenty for colour; beyond `MOST_SAMPLES` the interval doubles. */
const FIRST_INTERVAL_SECONDS = 0.1;
/** Half a 48×27 picture is 1.9 kB: 16,384 of them are 32 MB, whatever the clip's length. */
const MOST_SAMPLES = 16384;

/** Of a long shot this many samples at most, evenly spread, say all that is to be said. */
const MOST_SAMPLES_PER_SHOT = 60;
/** Standard error of the neutral, in (a, b), at which a cast is as likely the content's as the grade's. */
const CAST_ERROR = 12;
/** What is left of the confidence where the cast says nothing: lightness and chroma are measured all the same. */
const TONE_TRUST = 0.3;

interface Sample {
  readonly index: number;
  readonly timeSeconds: number;
  readonly pixels: Uint8Array;
  readonly black: boolean;
}

/**
 * Colour of a clip and its shots. Frames are only sampled until `finish`, when the shots are known: frames
 * inside transitions, black frames, borders and captions are left out, and each shot has the same weight.
 */
export class ColourAnalysis {
  readonly #samples: ThinnedSamples<Sample>;
  #grid: ColourGrid | null = null;

  constructor(mostSamples = MOST_SAMPLES) {
    this.#samples = new ThinnedSamples(FIRST_INTERVAL_SECONDS, mostSamples);
  }

  push(frame: Frame): void {
    const { colour } = frame;
    if (!this.#samples.isDue(frame.timeSeconds)) return;
    this.#grid ??= new ColourGrid(colour.width, colour.height);
    if (colour.width !== this.#grid.width || colour.height !== this.#grid.height) return;
    const pixels = this.#grid.sample(colour);
    this.#samples.push(frame.timeSeconds, {
      index: frame.index,
      timeSeconds: frame.timeSeconds,
      pixels,
      black: isBlack(pixels),
    });
  }

  /**
   * `captions` are the burnt-in captions to leave out, `area` the part of the picture inside the whole clip's borders.
   * A clip without any frame gives neutral zeros.
   */
  finish(
    shots: readonly Shot[],
    transitions: readonly Transition[],
    captions: readonly CaptionSpan[] = [],
    area: Box = WHOLE_PICTURE,
  ): ColourFacts {
    const gradual = transitions.filter((transition) => transition.endFrame - transition.startFrame > 1);
    const clean = this.#samples.all.filter(
      (sample) =>
        !sample.black &&
        !gradual.some(({ startFrame, endFrame }) => sample.index > startFrame && sample.index < endFrame),
    );
    const whole = new ColourTally();
    const tally = new ColourTally();
    const statistics = shots.map((shot): ColourStatistics | null => {
      this.#fill(tally, samplesOf(clean, shot), captions, area);
      whole.merge(tally);
      return tally.weight > 0 ? tally.statistics() : null;
    });
    const usable = whole.weight > 0;
    if (!usable) {
      // The figures of what there is, with a confidence of nothing.
      this.#fill(tally, spread(this.#samples.all), [], WHOLE_PICTURE);
      whole.merge(tally);
    }
    const frames =
      (1 - Math.exp(-clean.length / 8)) * (0.5 + 0.5 * Math.sqrt(clean.length / this.#samples.all.length));
    const cast = 1 / (1 + (whole.castError() / CAST_ERROR) ** 2);
    const confidence = frames * (TONE_TRUST + (1 - TONE_TRUST) * cast);
    return {
      clip: whole.statistics(),
      shots: statistics,
      palette: paletteOf(whole.cells.list()),
      confidence: usable ? Math.round(confidence * 1000) / 1000 : 0,
    };
  }

  #fill(tally: ColourTally, samples: readonly Sample[], captions: readonly CaptionSpan[], area: Box): void {
    tally.clear();
    const grid = this.#grid;
    if (grid === null || samples.length === 0) return;
    const ofShot = grid.borderless(samples.map(({ pixels }) => pixels));
    const window = grid.within(ofShot, area);
    const lab = new Float64Array(3);
    for (const { pixels, timeSeconds } of samples) {
      const over = captions.filter(
        (span) => timeSeconds >= span.startSeconds && timeSeconds <= span.endSeconds,
      );
      const covered = over.length === 0 ? null : grid.cover(over.map(({ box }) => box));
      for (let y = window.top; y < window.bottom; y++) {
        const [from, to] = grid.bytesOf(y, window);
        for (let at = from; at < to; at += 3) {
          if (covered !== null && covered[at / 3] === 1) continue;
          const red = pixels[at]!;
          const green = pixels[at + 1]!;
          const blue = pixels[at + 2]!;
          bytesToLab(red, green, blue, lab);
          tally.add(lab[0]!, lab[1]!, lab[2]!, endOf(red, green, blue));
        }
      }
    }
  }
}

function endOf(red: number, green: number, blue: number): 'black' | 'white' | null {
  if (red <= 1 && green <= 1 && blue <= 1) return 'black';
  return red >= 254 && green >= 254 && blue >= 254 ? 'white' : null;
}

/** Samples are in order, so those of one shot are found by bisection: long clips have thousands of shots. */
function samplesOf(samples: readonly Sample[], shot: Shot): readonly Sample[] {
  const first = lowerBound(samples, shot.startFrame);
  return spread(samples.slice(first, lowerBound(samples, shot.endFrame)));
}

function spread(samples: readonly Sample[]): readonly Sample[] {
  const step = samples.length / MOST_SAMPLES_PER_SHOT;
  if (step <= 1) return samples;
  return Array.from({ length: MOST_SAMPLES_PER_SHOT }, (_, at) => samples[Math.floor((at + 0.5) * step)]!);
}

function lowerBound(samples: readonly Sample[], index: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (samples[middle]!.index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
