/** Two samples this far apart show the same thing. */
const SAME = 1;
/** This share of the samples may move in a picture that stands still: captions do. */
const MAX_MOVING = 0.1;
/** This far apart, in this share of the samples, another thing is shown: beyond noise and what a codec takes away. */
const DIFFERENT = 12;
const MIN_DIFFERENT = 0.25;
/** A grade may sink shadows to black and highlights to white: what lies beyond these is no difference. */
const [SHADOW, HIGHLIGHT] = [40, 220];
/** Limited-range luma: black, and surely not black. */
const DARK = 20;
const LIT = 60;
const STANDSTILL_SECONDS = 0.3;
const BLACK_SECONDS = 0.2;

/**
 * Looks for stretches in which a picture stands still or is black while what it should show moves or is not: the marks of
 * a broken chain of filters, decoder or encoder. Samples are luma, limited range, in one order.
 */
export class StandstillWatch {
  /** What was found first, in words; null: nothing. */
  fault: string | null = null;
  readonly #rate: number;
  #anchor: { readonly expected: Uint8Array; readonly shown: Uint8Array } | null = null;
  #standing = 0;
  #black = 0;
  #frame = 0;

  constructor(framesPerSecond: number) {
    this.#rate = framesPerSecond;
  }

  /** The next frame: what it should show, and what it does. Null: what it should show is not known. */
  push(expected: Uint8Array | null, shown: Uint8Array | null): void {
    this.#frame++;
    if (expected === null || shown === null) {
      this.#anchor = null;
      this.#black = 0;
      return;
    }
    const black = share(shown, (level) => level > DARK) < MAX_MOVING;
    const lit = share(expected, (level) => level >= LIT) >= MIN_DIFFERENT;
    this.#black = black && lit ? this.#black + 1 : 0;
    this.#report(this.#black, BLACK_SECONDS, 'black');
    if (this.#anchor === null || apart(shown, this.#anchor.shown, SAME + 1) > MAX_MOVING) {
      this.#anchor = { expected, shown };
      this.#standing = 0;
    } else if (apart(visible(expected), visible(this.#anchor.expected), DIFFERENT) >= MIN_DIFFERENT) {
      this.#report(++this.#standing, STANDSTILL_SECONDS, 'frozen');
    }
  }

  #report(frames: number, seconds: number, word: string): void {
    if (frames < Math.max(2, seconds * this.#rate)) return;
    this.fault ??= `it is ${word} before ${(this.#frame / this.#rate).toFixed(1)} s, where the source is not`;
  }
}

/** Share of the samples that are at least `least` apart. */
export function apart(one: Uint8Array, other: Uint8Array, least: number): number {
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
