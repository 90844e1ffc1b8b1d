import type { Picture } from '../../footage.ts';
import { InkColour } from './colour.ts';
import type { InkKernel, Look, Polarity } from './ink.ts';
import { describePiece, isClearOfEdges, MIN_LOOKS, type TextPiece } from './judge.ts';
import type { PendingPieces } from './pending.ts';
import { findRegions, type PixelBox } from './regions.ts';
import { type InkPatch, TextReader } from './text.ts';
import { addColour, type CaptionTrack, FOUND_AGAIN, MARGIN, MARGIN_ROWS, STANDING_LEVELS } from './track.ts';

interface Glimpse {
  readonly piece: TextPiece;
  readonly patch: InkPatch;
  readonly polarity: Polarity;
}

/**
 * Text that is there in one look and no more in the next: words shown one by one stand for 0.2 to 0.6 s. One of
 * them proves nothing; many in one place are a series.
 */
export class CaptionGlimpses {
  /** Its `work` is ink of the look that has not stood for long, `changed` what of it was not there in the look before. */
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
    size: { readonly width: number; readonly height: number },
    pieces: PendingPieces,
  ): void {
    const between = (last.timeSeconds + look.timeSeconds) / 2;
    // What stands on becomes a track.
    this.#last = this.#last.filter((glimpse) => !isThere(glimpse, look, last, size.width));
    this.end(between, pieces);
    for (const polarity of ['bright', 'dark'] as const) {
      const standing = tracks.filter((track) => track.looks >= MIN_LOOKS && track.polarity === polarity);
      this.#mark(look, last, polarity, standing);
      for (const region of findRegions(this.#kernel.changed, this.#kernel)) {
        const patch = this.#cut(look, region, polarity, size);
        const text = this.#reader.read(patch);
        if (text === null || !isClearOfEdges(text.box, size.width, size.height)) continue;
        const seen = new InkColour();
        addColour(seen, patch.box, patch.mask, colour, look, polarity, size);
        const piece = describePiece(text, {
          startSeconds: between,
          endSeconds: null,
          colour: seen,
          bright: patch.isBright,
          sure: false,
          width: size.width,
          rows: size.height,
        });
        this.#last.push({ piece, patch, polarity });
      }
    }
  }

  /** What was seen in the last look was gone at this time. */
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

  #cut(look: Look, region: PixelBox, polarity: Polarity, size: { width: number; height: number }): InkPatch {
    const box = {
      left: Math.max(0, region.left - MARGIN),
      top: Math.max(0, region.top - MARGIN_ROWS),
      right: Math.min(size.width, region.right + MARGIN),
      bottom: Math.min(size.height, region.bottom + MARGIN_ROWS),
    };
    const width = box.right - box.left;
    const mask = new Uint8Array(width * (box.bottom - box.top));
    const levels = new Uint8Array(mask.length);
    for (let y = box.top; y < box.bottom; y++) {
      const row = y * size.width;
      mask.set(this.#kernel.work.subarray(row + box.left, row + box.right), (y - box.top) * width);
      levels.set(look.grey.subarray(row + box.left, row + box.right), (y - box.top) * width);
    }
    return { box, isBright: polarity === 'bright', mask, levels };
  }
}

function isThere({ patch, polarity }: Glimpse, look: Look, last: Look, width: number): boolean {
  const { box, mask } = patch;
  const now = look[polarity];
  let ink = 0;
  let found = 0;
  for (let y = box.top, k = 0; y < box.bottom; y++) {
    for (let x = box.left, at = y * width + box.left; x < box.right; x++, k++, at++) {
      if (mask[k] === 0) continue;
      ink++;
      if (now[at] === 1 && Math.abs(look.grey[at] - last.grey[at]) <= STANDING_LEVELS) found++;
    }
  }
  return found >= FOUND_AGAIN * ink;
}
