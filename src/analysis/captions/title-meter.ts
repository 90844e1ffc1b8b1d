import type { Picture, Size } from '../../domain/footage.ts';
import type { TimeRange } from '../../domain/time-range.ts';
import { median } from '../../signal/statistics.ts';
import type { Detector } from '../detector.ts';
import type { Span } from '../facts.ts';
import type { TitleFacts, TitleSample } from '../title-facts.ts';
import { measureBox } from './title-box.ts';
import { findLetters, greyOf } from './title-letters.ts';
import { LetterTracker, measureAnimation, type TimedGrey } from './title-motion.ts';

/** Time before a title appears and after it disappears. Times of titles are accurate to .15 s, and a fade counts as shown when its letters are sharp. */
const AROUND_SECONDS = 0.9;
/** Longest animation that is measured, from the title's found time. */
const INSIDE_SECONDS = 0.7;
/** Part of a title that is read at each end; a title of twice this is read as a whole. */
const END_SECONDS = 1.2;
/** Part at each end of a title in which it may be animated. */
const ANIMATED_SHARE = 0.3;
/** Distance of the pictures that are kept with their colors: .9 MB each. */
const SETTLED_STEP_SECONDS = 0.06;
/** Most pictures in which a title's letters and background are compared. */
const MAX_SETTLED = 12;
/** Type size in the pictures, pixels, and limits of their size: reading 1280×720 takes twice the time of decoding. */
const EM_PIXELS = 28;
const MIN_LINES = 120;
const MAX_PIXELS = 300_000;

/** The parts of a title that are measured. */
export type TitleDetails = Pick<TitleFacts, 'box' | 'animationIn' | 'animationOut'>;

/** Parts of a clip to read for a title, ascending. */
export function titleRanges({ startSeconds, endSeconds }: Span): readonly TimeRange[] {
  const [from, to] = [Math.max(0, startSeconds - AROUND_SECONDS), endSeconds + AROUND_SECONDS];
  if (endSeconds - startSeconds <= 2 * END_SECONDS) return [[from, to]];
  return [
    [from, startSeconds + END_SECONDS],
    [endSeconds - END_SECONDS, to],
  ];
}

/** Height of the pictures to read. `shown`: size of the video. */
export function titleLines({ lineHeight }: TitleSample, { width, height }: Size): number {
  const most = Math.sqrt((MAX_PIXELS * height) / width);
  return Math.round(Math.min(most, Math.max(MIN_LINES, EM_PIXELS / lineHeight)));
}

/** Measures box and animation of one title. `blends`: gradual transitions and fades of the clip. */
export class TitleMeter implements Detector<[number, Picture], TitleDetails> {
  readonly #sample: TitleSample;
  readonly #blends: readonly Span[];
  readonly #frames: TimedGrey[] = [];
  readonly #settled: (TimedGrey & { readonly picture: Picture })[] = [];
  readonly #inside: readonly [number, number];

  constructor(sample: TitleSample, blends: readonly Span[]) {
    this.#sample = sample;
    this.#blends = blends;
    const seconds = sample.endSeconds - sample.startSeconds;
    const margin = Math.min(INSIDE_SECONDS, ANIMATED_SHARE * seconds);
    this.#inside = [sample.startSeconds + margin, sample.endSeconds - margin];
  }

  /** Pictures of `titleRanges`, in order. */
  push(timeSeconds: number, picture: Picture): void {
    const frame = { timeSeconds, grey: greyOf(picture) };
    this.#frames.push(frame);
    const [from, to] = this.#inside;
    const isDue = timeSeconds >= (this.#settled.at(-1)?.timeSeconds ?? from) + SETTLED_STEP_SECONDS;
    if (isDue && timeSeconds <= to) this.#settled.push({ ...frame, picture });
  }

  finish(): TitleDetails {
    const settled = evenly(this.#settled, MAX_SETTLED);
    if (settled.length < 3) return {};
    const { height } = settled[0]!.picture;
    const greys = settled.map(({ grey }) => grey);
    const letters = findLetters(greys, this.#sample);
    if (letters === null) return {};
    const tracker = new LetterTracker(letters);
    const likeness = median(greys.map((grey) => tracker.find(grey, null).likeness));
    const [from, to] = this.#inside;
    const middle = (from + to) / 2;
    const before = this.#frames.filter(({ timeSeconds }) => timeSeconds <= Math.min(from + 0.1, middle));
    const after = this.#frames.filter(({ timeSeconds }) => timeSeconds >= Math.max(to - 0.1, middle));
    const box = measureBox(
      settled.map(({ picture }) => picture),
      letters,
      this.#sample.lineHeight * height,
    );
    const animationIn = measureAnimation(before.toReversed(), tracker, likeness, this.#blends);
    const animationOut = measureAnimation(after, tracker, likeness, this.#blends);
    return {
      ...(box === undefined ? {} : { box }),
      ...(animationIn === undefined ? {} : { animationIn }),
      ...(animationOut === undefined ? {} : { animationOut }),
    };
  }
}

function evenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))]!);
}
