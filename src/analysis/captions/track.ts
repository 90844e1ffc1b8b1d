import type { Picture } from '../../footage.ts';
import { InkColour } from './colour.ts';
import type { Look, Polarity } from './ink.ts';
import { type PixelBox, ROW_STEP } from './regions.ts';
import type { InkPatch } from './text.ts';

/** Pixels and rows around the ink that are kept: the outline, and what lies beyond it. */
export const MARGIN = 10;
export const MARGIN_ROWS = MARGIN / ROW_STEP;
/** Grey levels by which a pixel of standing text may differ from one look to the next. */
export const STANDING_LEVELS = 20;
/** Share of the ink that must be found again for the text to be there still. */
export const FOUND_AGAIN = 0.6;

/** Strokes that stand still since they appeared: a candidate for a caption. */
export class CaptionTrack {
  readonly box: PixelBox;
  readonly polarity: Polarity;
  readonly width: number;
  readonly height: number;
  /** The last time at which they were not there yet; null when they were there from the first look on. */
  readonly absentSeconds: number | null;
  readonly firstSeconds: number;
  lastSeconds: number;
  /** The first time at which they were gone; null until then. */
  goneSeconds: number | null = null;
  readonly colour = new InkColour();
  looks = 1;
  /** Per pixel of the box: in how many looks it was steady ink, and the sum of its grey levels. */
  readonly hits: Uint16Array;
  readonly sums: Float32Array;
  /** Mean change of the ink and of the rest of the box since the look before, grey levels, summed over the looks. */
  inkChange = 0;
  groundChange = 0;
  /** Cuts and other breaks that it outlasted. */
  breaks = 0;
  /** It came or went while the rest of the picture stayed as it was. */
  cameAlone = false;
  wentAlone = false;
  readonly #pictureWidth: number;
  readonly #alive: Uint8Array;
  #aliveCount = 0;

  constructor(
    look: Look,
    ink: Uint8Array,
    region: PixelBox,
    polarity: Polarity,
    picture: { readonly width: number; readonly height: number },
    absentSeconds: number | null,
  ) {
    this.box = {
      left: Math.max(0, region.left - MARGIN),
      top: Math.max(0, region.top - MARGIN_ROWS),
      right: Math.min(picture.width, region.right + MARGIN),
      bottom: Math.min(picture.height, region.bottom + MARGIN_ROWS),
    };
    this.polarity = polarity;
    this.width = this.box.right - this.box.left;
    this.height = this.box.bottom - this.box.top;
    this.absentSeconds = absentSeconds;
    this.firstSeconds = look.timeSeconds;
    this.lastSeconds = look.timeSeconds;
    this.#pictureWidth = picture.width;
    this.hits = new Uint16Array(this.width * this.height);
    this.sums = new Float32Array(this.width * this.height);
    this.#alive = new Uint8Array(this.width * this.height);
    let k = 0;
    for (let y = this.box.top; y < this.box.bottom; y++) {
      for (let x = this.box.left; x < this.box.right; x++, k++) {
        const at = y * picture.width + x;
        this.sums[k] = look.grey[at];
        if (ink[at] === 0) continue;
        this.hits[k] = 1;
        this.#alive[k] = 1;
        this.#aliveCount++;
      }
    }
  }

  /** Looks again; false when the text has gone. `before` is the look that it was last seen in. */
  follow(look: Look, before: Look): boolean {
    const ink = this.polarity === 'bright' ? look.bright : look.dark;
    let found = 0;
    let inkChange = 0;
    let groundChange = 0;
    let k = 0;
    for (let y = this.box.top; y < this.box.bottom; y++) {
      let at = y * this.#pictureWidth + this.box.left;
      for (let x = 0; x < this.width; x++, k++, at++) {
        const change = Math.abs(look.grey[at] - before.grey[at]);
        if (this.#alive[k] === 0) {
          groundChange += change;
          continue;
        }
        inkChange += change;
        if (ink[at] === 1 && change <= STANDING_LEVELS) found++;
      }
    }
    if (found === 0 || found < FOUND_AGAIN * this.#aliveCount) return false;
    this.inkChange += inkChange / this.#aliveCount;
    this.groundChange += groundChange / Math.max(1, this.#alive.length - this.#aliveCount);
    this.#keep(look, before, ink);
    this.looks++;
    this.lastSeconds = look.timeSeconds;
    return true;
  }

  /** Ink that was missed in half of the looks is given up. */
  #keep(look: Look, before: Look, ink: Uint8Array): void {
    let k = 0;
    this.#aliveCount = 0;
    for (let y = this.box.top; y < this.box.bottom; y++) {
      let at = y * this.#pictureWidth + this.box.left;
      for (let x = 0; x < this.width; x++, k++, at++) {
        this.sums[k] += look.grey[at];
        if (this.hits[k] === 0) continue;
        if (ink[at] === 1 && Math.abs(look.grey[at] - before.grey[at]) <= STANDING_LEVELS) this.hits[k]++;
        this.#alive[k] = 2 * this.hits[k] > this.looks + 1 ? 1 : 0;
        this.#aliveCount += this.#alive[k];
      }
    }
  }

  /** Takes this track's ink, past and present, out of a picture of ink. */
  eraseInk(ink: Uint8Array): void {
    let k = 0;
    for (let y = this.box.top; y < this.box.bottom; y++) {
      let at = y * this.#pictureWidth + this.box.left;
      for (let x = 0; x < this.width; x++, k++, at++) if (this.hits[k] !== 0) ink[at] = 0;
    }
  }

  addColour(colour: Picture, look: Look, pictureHeight: number): void {
    const size = { width: this.#pictureWidth, height: pictureHeight };
    addColour(this.colour, this.box, this.#alive, colour, look, this.polarity, size);
  }

  /** The ink that stood through the whole track, on the mean picture. */
  patch(): InkPatch {
    const least = 0.7 * this.looks;
    const mask = new Uint8Array(this.hits.length);
    const levels = new Uint8Array(this.hits.length);
    for (let k = 0; k < mask.length; k++) {
      if (this.hits[k] >= least) mask[k] = 1;
      levels[k] = this.sums[k] / this.looks + 0.5;
    }
    return { box: this.box, isBright: this.polarity === 'bright', mask, levels };
  }
}

/** Relates the colour grid to how much of each of its cells the ink covers. `mask` holds the ink of the box. */
export function addColour(
  ink: InkColour,
  box: PixelBox,
  mask: Uint8Array,
  colour: Picture,
  look: Look,
  polarity: Polarity,
  picture: { readonly width: number; readonly height: number },
): void {
  const outline = polarity === 'bright' ? look.dark : look.bright;
  const width = box.right - box.left;
  let inked = 0;
  let outlined = 0;
  for (let y = box.top, k = 0; y < box.bottom; y++) {
    const row = y * picture.width;
    for (let x = box.left; x < box.right; x++, k++) {
      inked += mask[k];
      outlined += outline[row + x];
    }
  }
  ink.addOutline(inked, outlined);
  const cellWidth = picture.width / colour.width;
  const cellHeight = picture.height / colour.height;
  const lastColumn = Math.floor(box.right / cellWidth) - 1;
  const lastRow = Math.min(colour.height - 1, Math.floor((box.bottom - 1) / cellHeight));
  for (let row = Math.floor(box.top / cellHeight); row <= lastRow; row++) {
    const top = Math.max(box.top, Math.round(row * cellHeight));
    const bottom = Math.min(box.bottom, (row + 1) * cellHeight);
    for (let column = Math.ceil(box.left / cellWidth); column <= lastColumn; column++) {
      const left = Math.round(column * cellWidth);
      const right = Math.min(box.right, (column + 1) * cellWidth);
      let covered = 0;
      for (let y = top; y < bottom; y++) {
        const start = (y - box.top) * width - box.left;
        for (let x = left; x < right; x++) covered += mask[start + x];
      }
      const at = 3 * (row * colour.width + column);
      const share = covered / (cellWidth * cellHeight);
      ink.add(share, colour.data[at], colour.data[at + 1], colour.data[at + 2]);
    }
  }
}
