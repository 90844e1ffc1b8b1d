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

/** A text of the last sample. */
interface NewText {
  /** Without its end. */
  readonly piece: TextPiece;
  readonly patch: InkPatch;
  readonly polarity: Polarity;
}

/**
 * Finds texts that are in one sample only. Words shown one by one stay for .2 to .6 s, and samples are a third of a second apart. One
 * such text proves nothing; many in one place are a series (`series.ts`).
 */
export class BriefTextDetector {
  readonly #kernel: InkKernel;
  /** They are brief unless the next sample still has them. */
  #newTexts: NewText[] = [];
  readonly #reader = new TextReader();

  constructor(kernel: InkKernel) {
    this.#kernel = kernel;
  }

  /** `tracks`: the lasting texts, whose ink does not count. Brief texts that have ended are added to `pieces`. */
  push(
    sample: InkSample,
    last: InkSample,
    color: Picture,
    tracks: readonly CaptionTrack[],
    pieces: PieceFilter,
  ): void {
    const changeSeconds = (last.timeSeconds + sample.timeSeconds) / 2;
    this.#newTexts = this.#newTexts.filter((text) => !this.#isStillThere(text, sample, last));
    this.end(changeSeconds, pieces);
    for (const polarity of ['bright', 'dark'] as const) {
      const lasting = tracks.filter(
        (track) => track.sampleCount >= MIN_SAMPLES && track.polarity === polarity,
      );
      this.#markNewInk(sample, last, polarity, lasting);
      for (const region of findRegions(this.#kernel.changed, this.#kernel)) {
        const patch = this.#cut(sample, region, polarity);
        const piece = this.#read(patch, changeSeconds, color, outlineOf(sample, polarity));
        if (piece !== null) this.#newTexts.push({ piece, patch, polarity });
      }
    }
  }

  /** Ends the texts of the last sample at this time. */
  end(seconds: number, pieces: PieceFilter): void {
    for (const { piece } of this.#newTexts) pieces.push({ ...piece, endSeconds: seconds });
    this.#newTexts = [];
  }

  /** Marks in the kernel's `changed` the ink that no track has and that the last sample did not have. */
  #markNewInk(sample: InkSample, last: InkSample, polarity: Polarity, tracks: readonly CaptionTrack[]): void {
    const { work } = this.#kernel;
    work.set(sample[polarity]);
    for (const track of tracks) track.eraseInk(work);
    this.#kernel.markChanged(sample, last, polarity, MAX_LEVEL_CHANGE);
  }

  /** Null: the ink is no text, or reaches the picture's edge. */
  #read(patch: InkPatch, startSeconds: number, color: Picture, outline: Uint8Array): TextPiece | null {
    const { width, rows, patches } = this.#kernel;
    const text = this.#reader.read(patch);
    if (text === null || !isClearOfEdges(text, width, rows)) return null;
    const inkColor = new InkColor();
    patches.addColor(inkColor, patch.mask, patch.box, color, outline);
    return describePiece(text, {
      ...{ startSeconds, endSeconds: null, color: inkColor, bright: patch.isBright, isOverlay: false },
      ...{ width, rows },
    });
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

  #isStillThere({ patch, polarity }: NewText, sample: InkSample, last: InkSample): boolean {
    const compared = { ink: sample[polarity], grey: sample.grey, before: last.grey };
    const { patches } = this.#kernel;
    const { inked, found } = patches.compare(patch.mask, patch.box, compared, MAX_LEVEL_CHANGE);
    return found >= MIN_FOUND_SHARE * inked;
  }
}
