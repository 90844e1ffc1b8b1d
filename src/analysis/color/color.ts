import type { Frame } from '../../domain/footage.ts';
import type { Detector } from '../detector.ts';
import {
  type Box,
  type CaptionSpan,
  type ColorFacts,
  type ColorMoments,
  type ColorStatistics,
  type Shot,
  type Transition,
  WHOLE_PICTURE,
} from '../facts.ts';
import { ThinnedSamples } from '../frames/thinned-samples.ts';
import { isFlatCard } from './flat-card.ts';
import { ColorGrid, isBlack } from './grid.ts';
import { paletteOf } from './palette.ts';
import { ColorTally } from './tally.ts';

/** Ten frames a second suffice for color. */
const FIRST_INTERVAL_SECONDS = 0.1;

/** Most samples of a long shot, evenly spread. As many pictures of the clip are stored, of 1.3 kB each. */
const MAX_SPREAD = 48;
/** Standard error of the neutral, in (a, b), at which a cast is as likely the content's as the grade's. */
const CAST_ERROR = 12;
/** Remaining confidence if the cast is meaningless: lightness and chroma are measured all the same. */
const TONE_TRUST = 0.3;
/**
 * Span of lightness, 5th to 95th percentile, below which a picture is one tone (a wall, a card) and shows no
 * grade. Real clips: at least 25 (a screen in the dark); plain cards: below 1, with film grain too.
 */
const MIN_SPAN = 4;

/** Least share of a shot's frames outside its transitions that show a card: letters may still appear. */
const MIN_CARD_SHARE = 0.8;

interface Sample {
  readonly index: number;
  readonly timeSeconds: number;
  readonly pixels: Uint8Array;
  readonly black: boolean;
}

/**
 * Color of a clip and its shots. Frames are only sampled until `finish`, when the shots are known. Frames inside
 * transitions, black frames, cards, bars and captions are left out, and each shot has the same weight.
 */
export class ColorAnalysis
  implements
    Detector<
      [Frame, Box?],
      ColorFacts,
      [readonly Shot[], readonly Transition[], (readonly CaptionSpan[])?, (readonly Box[])?]
    >
{
  readonly #isStill: boolean;
  readonly #samples: ThinnedSamples<Sample>;
  readonly #cardObservations: { readonly index: number; readonly isCard: boolean }[] = [];
  #grid: ColorGrid | null = null;

  constructor({ maxSamples, isStill = false }: { maxSamples?: number; isStill?: boolean } = {}) {
    this.#isStill = isStill;
    this.#samples = new ThinnedSamples(FIRST_INTERVAL_SECONDS, maxSamples);
  }

  /** `area`: the part inside black bars. */
  push(frame: Frame, area: Box = WHOLE_PICTURE): void {
    const { color } = frame;
    const isCard = isFlatCard(frame, area);
    if (isCard !== null) this.#cardObservations.push({ index: frame.index, isCard });
    if (!this.#samples.isDue(frame.timeSeconds)) return;
    this.#grid ??= new ColorGrid(color.width, color.height);
    if (color.width !== this.#grid.width || color.height !== this.#grid.height) return;
    const pixels = this.#grid.sample(color);
    this.#samples.push(frame.timeSeconds, {
      index: frame.index,
      timeSeconds: frame.timeSeconds,
      pixels,
      black: isBlack(pixels),
    });
  }

  /**
   * `captions`: burnt-in captions to leave out, default none; `areas`: the part of each shot inside black bars,
   * default the whole frame. A clip without any frame gives neutral zeros.
   */
  finish(
    shots: readonly Shot[],
    transitions: readonly Transition[],
    captions: readonly CaptionSpan[] = [],
    areas: readonly Box[] = [],
  ): ColorFacts {
    const gradual = transitions.filter((transition) => transition.endFrame - transition.startFrame > 1);
    const isInside = ({ index }: { readonly index: number }) =>
      gradual.some(({ startFrame, endFrame }) => index > startFrame && index < endFrame);
    const seen = this.#samples.all.filter((sample) => !sample.black && !isInside(sample));
    const observations = this.#cardObservations.filter((observation) => !isInside(observation));
    // A picture was chosen for its colors, whatever it shows.
    const film = this.#isStill ? seen : withoutCards(seen, shots, observations);
    const isCardsOnly = film.length === 0 && seen.length > 0;
    const clean = isCardsOnly ? seen : film;
    const whole = new ColorTally();
    const tally = new ColorTally();
    const shown = new Map<Sample, Box>();
    const statistics = shots.map((shot, index): ColorStatistics | null => {
      const samples = samplesOf(clean, shot);
      const inside = this.#fill(tally, samples, captions, areas[index] ?? WHOLE_PICTURE);
      for (const sample of samples) shown.set(sample, inside);
      whole.merge(tally);
      return tally.weight > 0 ? tally.statistics() : null;
    });
    const isSeen = whole.weight > 0;
    if (!isSeen) {
      // Every sample is black or a card: measure all of them, with confidence 0.
      this.#fill(tally, spread(this.#samples.all), [], WHOLE_PICTURE);
      whole.merge(tally);
    }
    // A few frames of a clip may be chance; a picture has no more.
    const frames = this.#isStill
      ? 1
      : (1 - Math.exp(-clean.length / 8)) * (0.5 + 0.5 * Math.sqrt(clean.length / this.#samples.all.length));
    const cast = 1 / (1 + (whole.castError() / CAST_ERROR) ** 2);
    const confidence = frames * (TONE_TRUST + (1 - TONE_TRUST) * cast);
    const clip = whole.statistics();
    const [darkest, brightest] = [clip.lightnessPercentiles[1], clip.lightnessPercentiles[19]];
    const usable = isSeen && brightest - darkest >= MIN_SPAN;
    return {
      clip,
      shots: statistics,
      palette: paletteOf(whole.cells()),
      moments: this.#moments(spread([...shown.keys()]), shown),
      ...(isCardsOnly ? { isCardsOnly } : {}),
      confidence: usable ? Math.round(confidence * 1000) / 1000 : 0,
    };
  }

  #moments(samples: readonly Sample[], areas: ReadonlyMap<Sample, Box>): ColorMoments {
    const grid = this.#grid;
    const pictures = grid === null ? [] : samples.map(({ pixels }) => grid.halved(pixels));
    return {
      ...(grid?.halvedSize ?? { width: 0, height: 0 }),
      timesSeconds: samples.map(({ timeSeconds }) => timeSeconds),
      areas: samples.map((sample) => areas.get(sample)!),
      rgb: Buffer.concat(pictures).toString('base64'),
    };
  }

  /** Adds up the samples' pixels inside the bars; returns that area. */
  #fill(tally: ColorTally, samples: readonly Sample[], captions: readonly CaptionSpan[], area: Box): Box {
    tally.clear();
    const grid = this.#grid;
    if (grid === null || samples.length === 0) return area;
    const window = grid.windowOf(area);
    const inside = grid.marks(window, []);
    for (const { pixels, timeSeconds } of samples) {
      const over = captions.filter(
        (span) => timeSeconds >= span.startSeconds && timeSeconds <= span.endSeconds,
      );
      tally.add(
        pixels,
        over.length === 0
          ? inside
          : grid.marks(
              window,
              over.map(({ box }) => box),
            ),
      );
    }
    return grid.shareOf(window);
  }
}

/** Samples outside the shots that are cards. */
function withoutCards(
  samples: readonly Sample[],
  shots: readonly Shot[],
  observations: readonly { readonly index: number; readonly isCard: boolean }[],
): readonly Sample[] {
  const cards = shots.filter(({ startFrame, endFrame }) => {
    const inside = observations.slice(
      lowerBound(observations, startFrame),
      lowerBound(observations, endFrame),
    );
    const count = inside.filter(({ isCard }) => isCard).length;
    return count > 0 && count >= MIN_CARD_SHARE * inside.length;
  });
  return samples.filter(
    ({ index }) => !cards.some(({ startFrame, endFrame }) => index >= startFrame && index < endFrame),
  );
}

/** Samples are in order, so those of one shot are found by bisection: long clips have thousands of shots. */
function samplesOf(samples: readonly Sample[], shot: Shot): readonly Sample[] {
  const first = lowerBound(samples, shot.startFrame);
  return spread(samples.slice(first, lowerBound(samples, shot.endFrame)));
}

function spread(samples: readonly Sample[]): readonly Sample[] {
  const step = samples.length / MAX_SPREAD;
  if (step <= 1) return samples;
  return Array.from({ length: MAX_SPREAD }, (_, at) => samples[Math.floor((at + 0.5) * step)]);
}

function lowerBound(samples: readonly { readonly index: number }[], index: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (samples[middle].index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
