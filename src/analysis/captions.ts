import type { Frame, Picture } from '../footage.ts';
import { type Caption, judgeTrack, summariseCaptions } from './caption-judge.ts';
import { findRegions, ROW_STEP } from './caption-regions.ts';
import { type Polarity, StrokeFinder } from './caption-strokes.ts';
import { CaptionTrack, type Look } from './caption-track.ts';
import type { CaptionFacts } from './facts.ts';
import type { MotionField } from './motion-field.ts';

const MOST_TRACKS = 24;
/** Grey levels by which fresh ink may have changed since the look in which it was first seen. */
const STEADY_LEVELS = 20;
/** A picture stayed as it was when less than this share of it changed by more than so many grey levels. */
const STILL_SHARE = 0.12;
const CHANGED_LEVELS = 12;
const POLARITIES: readonly Polarity[] = ['bright', 'dark'];

/** What the camera did since the last look. */
interface Movement {
  x: number;
  y: number;
  logScale: number;
  breaks: number;
}

/**
 * Burnt-in captions: strokes of one tone on another that appear, stand still while the picture moves on below
 * them (or while nothing else changes) and go again. What stands through the whole clip is a logo, a sign or a
 * screen, and what changes with every frame a counter. Reads the detail pictures, about three a second, so a
 * caption must last about 0.6 s, and its times are good to 0.15 s. Keeps a few looks and candidates: memory
 * does not grow with the clip but for the captions found.
 */
export class CaptionDetector {
  #finder: StrokeFinder | null = null;
  #width = 0;
  #rows = 0;
  #looks: Look[] = [];
  #seen = 0;
  #fresh: Uint8Array = new Uint8Array(0);
  #tracks: CaptionTrack[] = [];
  readonly #captions: Caption[] = [];
  readonly #movement: Movement = { x: 0, y: 0, logScale: 0, breaks: 0 };
  #firstSeconds = 0;
  #lastSeconds = 0;
  #frames = 0;

  /** `field` is the motion from the frame before to this one. */
  push(frame: Frame, field: MotionField | null): void {
    if (this.#frames === 0) this.#firstSeconds = frame.timeSeconds;
    this.#frames++;
    this.#lastSeconds = frame.timeSeconds;
    if (field?.broken === true) {
      this.#movement.breaks++;
    } else if (field !== null) {
      this.#movement.x += field.similarity.shiftX / field.width;
      this.#movement.y += field.similarity.shiftY / field.height;
      this.#movement.logScale += field.similarity.logScale;
    }
    if (frame.detail !== null) this.#look(frame.detail, frame.colour, frame.timeSeconds);
  }

  finish(): CaptionFacts {
    for (const track of this.#tracks) this.#end(track);
    this.#tracks = [];
    const step = this.#frames > 1 ? (this.#lastSeconds - this.#firstSeconds) / (this.#frames - 1) : 0;
    const span = { startSeconds: this.#firstSeconds, endSeconds: this.#lastSeconds + step };
    return summariseCaptions(this.#captions, span);
  }

  #look(detail: Picture, colour: Picture, timeSeconds: number): void {
    const finder = this.#prepare(detail);
    // The oldest of three looks is overwritten by the newest.
    const look = this.#looks[this.#seen % 3];
    const last = this.#seen > 0 ? this.#looks[(this.#seen + 2) % 3] : null;
    const before = this.#seen > 1 ? this.#looks[(this.#seen + 1) % 3] : null;
    this.#seen++;
    look.timeSeconds = timeSeconds;
    for (let y = 0; y < this.#rows; y++) {
      const start = y * ROW_STEP * this.#width;
      look.grey.set(detail.data.subarray(start, start + this.#width), y * this.#width);
    }
    for (const polarity of POLARITIES) finder.find(look.grey, polarity, look[polarity]);
    if (last !== null) {
      this.#follow(look, last);
      const cameAlone = before !== null && stayed(last.grey, before.grey);
      for (const polarity of POLARITIES) this.#discover(look, last, before, polarity, cameAlone);
      for (const track of this.#tracks) track.addColour(colour, look, this.#rows);
    }
    this.#movement.x = 0;
    this.#movement.y = 0;
    this.#movement.logScale = 0;
    this.#movement.breaks = 0;
  }

  #prepare(detail: Picture): StrokeFinder {
    if (this.#finder !== null) return this.#finder;
    this.#width = detail.width;
    this.#rows = Math.floor(detail.height / ROW_STEP);
    const pixels = this.#width * this.#rows;
    const bytes = (): Uint8Array => new Uint8Array(pixels);
    const empty = (): Look => ({ timeSeconds: 0, grey: bytes(), bright: bytes(), dark: bytes() });
    this.#looks = [empty(), empty(), empty()];
    this.#fresh = bytes();
    this.#finder = new StrokeFinder(this.#width, this.#rows, Math.sqrt(detail.width * detail.height));
    return this.#finder;
  }

  #follow(look: Look, last: Look): void {
    const still = stayed(look.grey, last.grey);
    const kept: CaptionTrack[] = [];
    for (const track of this.#tracks) {
      if (track.follow(look, last)) {
        track.addMovement(this.#movement, this.#width, this.#rows);
        kept.push(track);
      } else {
        track.goneSeconds = look.timeSeconds;
        track.wentAlone = still;
        this.#end(track);
      }
    }
    this.#tracks = kept;
  }

  /** Opens tracks for ink that is in the last two looks and was not in the one before them. */
  #discover(look: Look, last: Look, before: Look | null, polarity: Polarity, cameAlone: boolean): void {
    const now = look[polarity];
    const then = last[polarity];
    const fresh = this.#fresh;
    for (let i = 0; i < fresh.length; i++) {
      fresh[i] = 0;
      if (now[i] === 0 || then[i] === 0 || Math.abs(look.grey[i] - last.grey[i]) > STEADY_LEVELS) continue;
      const wasThere = before !== null && before[polarity][i] === 1;
      if (!wasThere || Math.abs(before.grey[i] - last.grey[i]) > STEADY_LEVELS) fresh[i] = 1;
    }
    for (const { polarity: taken, box } of this.#tracks) {
      if (taken !== polarity) continue;
      for (let y = box.top; y < box.bottom; y++) {
        fresh.fill(0, y * this.#width + box.left, y * this.#width + box.right);
      }
    }
    const size = { width: this.#width, height: this.#rows };
    for (const region of findRegions(fresh, size.width, size.height)) {
      if (this.#tracks.length >= MOST_TRACKS) return;
      const track = new CaptionTrack(last, fresh, region, polarity, size, before?.timeSeconds ?? null);
      if (!track.follow(look, last)) continue;
      track.addMovement(this.#movement, this.#width, this.#rows);
      track.cameAlone = cameAlone;
      this.#tracks.push(track);
    }
  }

  #end(track: CaptionTrack): void {
    const caption = judgeTrack(track, this.#width, this.#rows);
    if (caption !== null) this.#captions.push(caption);
  }
}

/** Judged by every seventh pixel: a caption alone changes few. */
function stayed(a: Uint8Array, b: Uint8Array): boolean {
  let changed = 0;
  for (let i = 0; i < a.length; i += 7) if (Math.abs(a[i] - b[i]) > CHANGED_LEVELS) changed++;
  return changed * 7 < STILL_SHARE * a.length;
}
