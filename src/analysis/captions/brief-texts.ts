import type { Picture } from '../../domain/footage.ts';
import { InkColor } from './color.ts';
import { type InkKernel, type InkSample, outlineOf, type Polarity } from './ink.ts';
import { describePiece, isClearOfEdges, MIN_SAMPLES, type TextPiece } from './judge.ts';
import type { InkPatch } from './lines.ts';
import type { PixelBox } from './patch.ts';
import type { PieceFilter } from './piece-filter.ts';
import { findRegions } from './regions.ts';
import { TextReader } from './text.ts';
import { type CaptionTrack, MAX_LEVEL_CHANGE, MIN_FOUND_SHARE, withMargin } from './track.ts';

interface BriefText {
  readonly piece: TextPiece;
  readonly patch: InkPatch;
  readonly polarity: Polarity;
}

/**
 * Text that is in one sample and gone in the next: words shown one by one stay for 0.2 to 0.6 s. One of them
 * proves nothing; many in one place are a series.
 */
export class BriefTextDetector {
  /**
   * `work` holds ink of the sample that is not part of a track, `changed` the part of it that the sample before
   * did not have.
   */
  readonly #kernel: InkKernel;
  #last: BriefText[] = [];
  readonly #reader = new TextReader();

  constructor(kernel: InkKernel) {
    this.#kernel = kernel;
  }

  push(
    sample: InkSample,
    last: InkSample,
    color: Picture,
    tracks: readonly CaptionTrack[],
    pieces: PieceFilter,
  ): void {
    const { width, rows, patches } = this.#kernel;
    const between = (last.timeSeconds + sample.timeSeconds) / 2;
    // Text that is still there becomes a track.
    this.#last = this.#last.filter((brief) => !this.#isThere(brief, sample, last));
    this.end(between, pieces);
    for (const polarity of ['bright', 'dark'] as const) {
      const remaining = tracks.filter(
        (track) => track.sampleCount >= MIN_SAMPLES && track.polarity === polarity,
      );
      this.#mark(sample, last, polarity, remaining);
      for (const region of findRegions(this.#kernel.changed, this.#kernel)) {
        const patch = this.#cut(sample, region, polarity);
        const text = this.#reader.read(patch);
        if (text === null || !isClearOfEdges(text, width, rows)) continue;
        const seen = new InkColor();
        patches.addColor(seen, patch.mask, patch.box, color, outlineOf(sample, polarity));
        const piece = describePiece(text, {
          startSeconds: between,
          endSeconds: null,
          color: seen,
          bright: patch.isBright,
          isOverlay: false,
          width,
          rows,
        });
        this.#last.push({ piece, patch, polarity });
      }
    }
  }

  /** Ends the texts of the last sample at this time. */
  end(seconds: number, pieces: PieceFilter): void {
    for (const { piece } of this.#last) pieces.push({ ...piece, endSeconds: seconds });
    this.#last = [];
  }

  #mark(sample: InkSample, last: InkSample, polarity: Polarity, tracks: readonly CaptionTrack[]): void {
    const { work } = this.#kernel;
    work.set(sample[polarity]);
    for (const track of tracks) track.eraseInk(work);
    this.#kernel.markChanged(sample, last, polarity, MAX_LEVEL_CHANGE);
  }

  #cut(sample: InkSample, region: PixelBox, polarity: Polarity): InkPatch {
    const { patches, work } = this.#kernel;
    const box = withMargin(region, patches);
    return {
      box,
      isBright: polarity === 'bright',
      mask: patches.cut(work, box),
      levels: patches.cut(sample.grey, box),
    };
  }

  #isThere({ patch, polarity }: BriefText, sample: InkSample, last: InkSample): boolean {
    const compared = { ink: sample[polarity], grey: sample.grey, before: last.grey };
    const { patches } = this.#kernel;
    const { inked, found } = patches.compare(patch.mask, patch.box, compared, MAX_LEVEL_CHANGE);
    return found >= MIN_FOUND_SHARE * inked;
  }
}
