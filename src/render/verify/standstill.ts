import type { PictureSamples } from '../picture/luma-samples.ts';

/** Samples that differ by at most this are equal. */
const EQUAL_LEVELS = 1;
/** Share of the samples that may change in a frozen picture, because captions do. */
const MAX_CHANGED_SHARE = 0.1;
/** Levels, and share of the samples, from which on the source shows other content: beyond noise and codec errors. */
const OTHER_LEVELS = 12;
const OTHER_SHARE = 0.25;
/** Levels are clamped to these before comparing, because a grade may clip shadows and highlights. */
const [SHADOW, HIGHLIGHT] = [40, 220];
/** Limited-range luma: at most this is black, at least this is certainly not. */
const DARK = 20;
const LIT = 60;
const STANDSTILL_SECONDS = 0.3;
const BLACK_SECONDS = 0.2;

/**
 * Detects stretches in which a picture is frozen or black while its source is not: signs of a broken filter chain, decoder or encoder.
 */
export class StandstillWatch {
  /** Description of the first fault; null: none. */
  fault: string | null = null;
  readonly #rate: number;
  #anchor: { readonly expected: PictureSamples; readonly shown: PictureSamples } | null = null;
  #frozen = 0;
  #black = 0;
  #frame = 0;

  constructor(framesPerSecond: number) {
    this.#rate = framesPerSecond;
  }

  /** Adds the next frame: samples of the source and of the frame. Null: not known. */
  push(expected: PictureSamples | null, shown: PictureSamples | null): void {
    this.#frame++;
    if (expected === null || shown === null) {
      this.#anchor = null;
      this.#black = 0;
      return;
    }
    const black = share(shown.means, (level) => level > DARK) < MAX_CHANGED_SHARE;
    const lit = share(expected.points, (level) => level >= LIT) >= OTHER_SHARE;
    this.#black = black && lit ? this.#black + 1 : 0;
    this.#report(this.#black, BLACK_SECONDS, 'black');
    if (this.#anchor === null || hasChanged(shown, this.#anchor.shown)) {
      this.#anchor = { expected, shown };
      this.#frozen = 0;
    } else if (isOther(expected, this.#anchor.expected)) {
      this.#report(++this.#frozen, STANDSTILL_SECONDS, 'frozen');
    }
  }

  #report(frames: number, seconds: number, word: string): void {
    if (frames < Math.max(2, seconds * this.#rate)) return;
    this.fault ??= `it is ${word} before ${(this.#frame / this.#rate).toFixed(1)} s, where the source is not`;
  }
}

function hasChanged(one: PictureSamples, other: PictureSamples): boolean {
  return (
    differingShare(one.means, other.means, EQUAL_LEVELS + 1) > MAX_CHANGED_SHARE ||
    differingShare(one.points, other.points, OTHER_LEVELS) > MAX_CHANGED_SHARE
  );
}

/** Compares means only: a reduced output has no texture finer than its pixels. */
function isOther(one: PictureSamples, other: PictureSamples): boolean {
  return differingShare(visible(one.means), visible(other.means), OTHER_LEVELS) >= OTHER_SHARE;
}

/** Share of the samples that differ by at least `least` levels. */
export function differingShare(one: Uint8Array, other: Uint8Array, least: number): number {
  return share(one, (level, index) => Math.abs(level - other[index]) >= least);
}

function visible(samples: Uint8Array): Uint8Array {
  return samples.map((level) => Math.min(HIGHLIGHT, Math.max(SHADOW, level)));
}

function share(samples: Uint8Array, is: (level: number, index: number) => boolean): number {
  let count = 0;
  for (const [index, level] of samples.entries()) if (is(level, index)) count++;
  return count / samples.length;
}
