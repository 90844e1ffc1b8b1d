import type { Picture } from '../../domain/footage.ts';
import { InkColor } from './color.ts';
import { type InkSample, outlineOf, type Polarity } from './ink.ts';
import type { InkPatch } from './lines.ts';
import type { PatchKernel, PixelBox, TrackedInk } from './patch.ts';
import { ROW_STEP } from './regions.ts';

/** Pixels and rows around the ink that are included: the outline, and the area beyond it. */
const MARGIN = 10;
const MARGIN_ROWS = MARGIN / ROW_STEP;
/** Largest change, in grey levels, of a pixel of static text from one sample to the next. */
export const MAX_LEVEL_CHANGE = 20;
/** Least share of the ink that must be found again for the text to be still there. */
export const MIN_FOUND_SHARE = 0.6;

/** Strokes that have not moved since they appeared: a candidate for a caption. */
export class CaptionTrack {
  readonly box: PixelBox;
  readonly polarity: Polarity;
  /** The last time at which they were absent; null if they were there in the first sample. */
  readonly absentSeconds: number | null;
  readonly firstSeconds: number;
  lastSeconds: number;
  /** The first time at which they were gone; null until then. */
  goneSeconds: number | null = null;
  readonly color = new InkColor();
  sampleCount = 1;
  /**
   * Mean change of the ink and of the rest of the box since the sample before, grey levels, summed over the
   * samples.
   */
  inkChange = 0;
  groundChange = 0;
  /** Cuts and other breaks that it outlasted. */
  breaks = 0;
  /** Whether it appeared or disappeared while the rest of the picture was still. */
  isIndependent = false;
  wentAlone = false;
  readonly #kernel: PatchKernel;
  readonly #seen: TrackedInk;

  constructor(
    kernel: PatchKernel,
    sample: InkSample,
    ink: Uint8Array,
    region: PixelBox,
    polarity: Polarity,
    absentSeconds: number | null,
  ) {
    this.#kernel = kernel;
    this.box = withMargin(region, kernel);
    this.polarity = polarity;
    this.absentSeconds = absentSeconds;
    this.firstSeconds = sample.timeSeconds;
    this.lastSeconds = sample.timeSeconds;
    this.#seen = {
      hits: new Uint16Array(kernel.cut(ink, this.box)),
      sums: new Float32Array(kernel.cut(sample.grey, this.box)),
    };
  }

  /** Looks for the text in a sample; false if it has gone. `before` is the last sample that had it. */
  follow(sample: InkSample, before: InkSample): boolean {
    const compared = { ink: sample[this.polarity], grey: sample.grey, before: before.grey };
    const alive = this.#alive;
    const { inked, found, ...change } = this.#kernel.compare(alive, this.box, compared, MAX_LEVEL_CHANGE);
    if (found === 0 || found < MIN_FOUND_SHARE * inked) return false;
    this.inkChange += change.inkChange / inked;
    this.groundChange += change.groundChange / Math.max(1, alive.length - inked);
    this.#kernel.keep(this.#seen, this.box, compared, MAX_LEVEL_CHANGE);
    this.sampleCount++;
    this.lastSeconds = sample.timeSeconds;
    return true;
  }

  /** Removes this track's ink, past and present, from a picture of ink. */
  eraseInk(ink: Uint8Array): void {
    this.#kernel.erase(this.#seen, this.box, ink);
  }

  addColor(color: Picture, sample: InkSample): void {
    this.#kernel.addColor(this.color, this.#alive, this.box, color, outlineOf(sample, this.polarity));
  }

  /** The ink that was there through the whole track, on the mean picture. */
  patch(): InkPatch {
    return {
      box: this.box,
      isBright: this.polarity === 'bright',
      mask: this.#kernel.steadyInk(this.#seen, 0.7 * this.sampleCount),
      levels: this.#kernel.meanLevels(this.#seen, this.sampleCount),
    };
  }

  /** Ink that was missing in half of the samples is dropped. */
  get #alive(): Uint8Array {
    return this.#kernel.steadyInk(this.#seen, (this.sampleCount + 1) / 2);
  }
}

/** A region with the margin around it, inside the picture. */
export function withMargin(
  region: PixelBox,
  picture: { readonly width: number; readonly rows: number },
): PixelBox {
  return {
    left: Math.max(0, region.left - MARGIN),
    top: Math.max(0, region.top - MARGIN_ROWS),
    right: Math.min(picture.width, region.right + MARGIN),
    bottom: Math.min(picture.rows, region.bottom + MARGIN_ROWS),
  };
}
