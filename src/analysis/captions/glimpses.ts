import type { Picture } from '../../domain/footage.ts';
import { InkColour } from './colour.ts';
import { type InkKernel, type Look, outlineOf, type Polarity } from './ink.ts';
import { describePiece, isClearOfEdges, MIN_LOOKS, type TextPiece } from './judge.ts';
import type { InkPatch } from './lines.ts';
import type { PixelBox } from './patch.ts';
import type { PendingPieces } from './pending.ts';
import { findRegions } from './regions.ts';
import { TextReader } from './text.ts';
import { type CaptionTrack, FOUND_AGAIN, STANDING_LEVELS, withMargin } from './track.ts';

interface Glimpse {
  readonly piece: TextPiece;
  readonly patch: InkPatch;
  readonly polarity: Polarity;
}

/**
 * Text that is in one sample and gone in the next: words shown one by one stay for 0.2 to 0.6 s. One of them
 * proves nothing; many in one place are a series.
 */
export class CaptionGlimpses {
  /**
   * `work` holds ink of the sample that is not part of a track, `changed` the part of it that the sample before
   * did not have.
   */
  readonly #kernel: InkKernel;
  #last: Glimpse[] = [];
  readonly #reader = new TextReader();

  constructor(kernel: InkKernel) {
    this.#kernel = kernel;
  }

  push(
    look: Look,
    last: Look,
    colour: Picture,
    tracks: readonly CaptionTrack[],
    pieces: PendingPieces,
  ): void {
    const { width, rows, patches } = this.#kernel;
    const between = (last.timeSeconds + look.timeSeconds) / 2;
    // Text that is still there becomes a track.
    this.#last = this.#last.filter((glimpse) => !this.#isThere(glimpse, look, last));
    this.end(between, pieces);
    for (const polarity of ['bright', 'dark'] as const) {
      const standing = tracks.filter((track) => track.looks >= MIN_LOOKS && track.polarity === polarity);
      this.#mark(look, last, polarity, standing);
      for (const region of findRegions(this.#kernel.changed, this.#kernel)) {
        const patch = this.#cut(look, region, polarity);
        const text = this.#reader.read(patch);
        if (text === null || !isClearOfEdges(text.box, width, rows)) continue;
        const seen = new InkColour();
        patches.addColour(seen, patch.mask, patch.box, colour, outlineOf(look, polarity));
        const piece = describePiece(text, {
          startSeconds: between,
          endSeconds: null,
          colour: seen,
          bright: patch.isBright,
          sure: false,
          width,
          rows,
        });
        this.#last.push({ piece, patch, polarity });
      }
    }
  }

  /** Ends the texts of the last sample at this time. */
  end(seconds: number, pieces: PendingPieces): void {
    for (const { piece } of this.#last) pieces.push({ ...piece, endSeconds: seconds });
    this.#last = [];
  }

  #mark(look: Look, last: Look, polarity: Polarity, standing: readonly CaptionTrack[]): void {
    const { work } = this.#kernel;
    work.set(look[polarity]);
    for (const track of standing) track.eraseInk(work);
    this.#kernel.markChanged(look, last, polarity, STANDING_LEVELS);
  }

  #cut(look: Look, region: PixelBox, polarity: Polarity): InkPatch {
    const { patches, work } = this.#kernel;
    const box = withMargin(region, patches);
    return {
      box,
      isBright: polarity === 'bright',
      mask: patches.cut(work, box),
      levels: patches.cut(look.grey, box),
    };
  }

  #isThere({ patch, polarity }: Glimpse, look: Look, last: Look): boolean {
    const compared = { ink: look[polarity], grey: look.grey, before: last.grey };
    const { patches } = this.#kernel;
    const { inked, found } = patches.compare(patch.mask, patch.box, compared, STANDING_LEVELS);
    return found >= FOUND_AGAIN * inked;
  }
}
