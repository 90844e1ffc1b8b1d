import type { Picture } from '../footage.ts';
import { InkColour } from './caption-colour.ts';
import { type PixelBox, ROW_STEP } from './caption-regions.ts';
import type { Polarity } from './caption-strokes.ts';

/** Pixels and rows around the ink that are kept: the outline, and what lies beyond it. */
const MARGIN = 6;
const MARGIN_ROWS = MARGIN / ROW_STEP;
/** Grey levels by which a pixel of standing text may differ from one look to the next. */
const STEADY_LEVELS = 26;
/** Share of the ink that must be found again for the text to be there still. */
const FOUND_AGAIN = 0.6;
/** The first time, what was caught along with the text may fall away. */
const FOUND_FIRST = 0.25;
const LEAST_PIXELS = 16;

/** A look at the detail picture: every ROW_STEP-th row, and the strokes found in them. Overwritten in turn. */
export interface Look {
  timeSeconds: number;
  readonly grey: Uint8Array;
  readonly bright: Uint8Array;
  readonly dark: Uint8Array;
}

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
  /** Pixels of the detail picture by which the camera moved under the box, summed over the looks. */
  cameraPixels = 0;
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
        if (ink[at] === 1 && change <= STEADY_LEVELS) found++;
      }
    }
    const share = this.looks === 1 ? FOUND_FIRST : FOUND_AGAIN;
    if (found < LEAST_PIXELS || found < share * this.#aliveCount) return false;
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
        if (ink[at] === 1 && Math.abs(look.grey[at] - before.grey[at]) <= STEADY_LEVELS) this.hits[k]++;
        this.#alive[k] = 2 * this.hits[k] > this.looks + 1 ? 1 : 0;
        this.#aliveCount += this.#alive[k];
      }
    }
  }

  /** Counts what the camera did between the last two looks. */
  addMovement(
    movement: { readonly x: number; readonly y: number; readonly logScale: number; readonly breaks: number },
    pictureWidth: number,
    pictureRows: number,
  ): void {
    // A zoom moves what lies off the middle.
    const offX = (this.box.left + this.box.right) / 2 - pictureWidth / 2;
    const offY = (this.box.top + this.box.bottom) / 2 - pictureRows / 2;
    const x = movement.x * pictureWidth + movement.logScale * offX;
    const y = (movement.y * pictureRows + movement.logScale * offY) * ROW_STEP;
    this.cameraPixels += Math.hypot(x, y);
    this.breaks += movement.breaks;
  }

  /** Relates the colour grid to how much of each of its cells the ink covers. */
  addColour(colour: Picture, look: Look, pictureHeight: number): void {
    const outline = this.polarity === 'bright' ? look.dark : look.bright;
    let outlined = 0;
    for (let y = this.box.top; y < this.box.bottom; y++) {
      const row = y * this.#pictureWidth;
      for (let x = this.box.left; x < this.box.right; x++) outlined += outline[row + x];
    }
    this.colour.addOutline(this.#aliveCount, outlined);
    const cellWidth = this.#pictureWidth / colour.width;
    const cellHeight = pictureHeight / colour.height;
    const firstColumn = Math.ceil(this.box.left / cellWidth);
    const lastColumn = Math.floor(this.box.right / cellWidth) - 1;
    const firstRow = Math.floor(this.box.top / cellHeight);
    const lastRow = Math.min(colour.height - 1, Math.floor((this.box.bottom - 1) / cellHeight));
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        const coverage = this.#coverage(column * cellWidth, row * cellHeight, cellWidth, cellHeight);
        const at = 3 * (row * colour.width + column);
        this.colour.add(coverage, colour.data[at], colour.data[at + 1], colour.data[at + 2]);
      }
    }
  }

  #coverage(left: number, top: number, width: number, height: number): number {
    let inked = 0;
    const bottom = Math.min(this.box.bottom, top + height);
    for (let y = Math.max(this.box.top, Math.round(top)); y < bottom; y++) {
      const row = (y - this.box.top) * this.width - this.box.left;
      for (let x = Math.round(left); x < left + width && x < this.box.right; x++)
        inked += this.#alive[row + x];
    }
    return inked / (width * height);
  }

  /** 1 for the ink that stood through the whole track, one byte per pixel of the box. */
  mask(): Uint8Array {
    const least = 0.7 * this.looks;
    return Uint8Array.from(this.hits, (hits) => (hits >= least ? 1 : 0));
  }
}
