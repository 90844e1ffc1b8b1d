import type { Frame, Picture } from '../../domain/footage.ts';
import type { Detector } from '../detector.ts';
import type { CaptionFacts, Span } from '../facts.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { CaptionGlimpses } from './glimpses.ts';
import { InkKernel, type Look, type Polarity } from './ink.ts';
import { judgeTrack, MIN_LOOKS, type TextPiece } from './judge.ts';
import { PendingPieces } from './pending.ts';
import { findRegions, MAX_REGIONS, ROW_STEP } from './regions.ts';
import { summariseCaptions } from './series.ts';
import { TextReader } from './text.ts';
import { CaptionTrack, STANDING_LEVELS } from './track.ts';

/** Tracks followed at a time: as many as one sample may give. */
const MAX_TRACKS = 2 * MAX_REGIONS;
/** The picture was still if less than this share of it changed by more than static text does. */
const STILL_SHARE = 0.12;
/**
 * A track that is not text after this many samples is dropped: textures stay for long, and following them costs
 * time.
 */
const TRIAL_LOOKS = 2 * MIN_LOOKS;
const POLARITIES: readonly Polarity[] = ['bright', 'dark'];

/**
 * Burnt-in captions: strokes of one tone on another that appear, stay while the picture below them changes (or
 * while nothing else changes) and disappear, or that change from sample to sample in one place. Which of them are
 * captions is decided at the end, from their series (`series.ts`). Reads the detail pictures, about three a
 * second: times are accurate to 0.15 s. Keeps a few samples and candidates: memory grows only with the texts
 * found.
 */
export class CaptionDetector implements Detector<[Frame, MotionField | null], CaptionFacts> {
  #kernel: InkKernel | null = null;
  #glimpses: CaptionGlimpses | null = null;
  #width = 0;
  #rows = 0;
  #seen = 0;
  #tracks: CaptionTrack[] = [];
  readonly #pieces = new PendingPieces();
  readonly #reader = new TextReader();
  /** Cuts and other breaks since the last sample. */
  #breaks = 0;
  /** Whether the picture was still between the last two samples. */
  #stayed = false;
  #firstSeconds = 0;
  #lastSeconds = 0;
  #frames = 0;

  /** `field` is the motion from the frame before to this one. */
  push(frame: Frame, field: MotionField | null): void {
    if (this.#frames === 0) this.#firstSeconds = frame.timeSeconds;
    this.#frames++;
    this.#lastSeconds = frame.timeSeconds;
    if (field?.broken === true) this.#breaks++;
    if (frame.detail !== null) this.#look(frame.detail, frame.colour, frame.timeSeconds);
  }

  finish(): CaptionFacts {
    const { pieces, clip } = this.finishPieces();
    return summariseCaptions(pieces, clip);
  }

  /** Ends the clip as `finish` does, but returns the text pieces before captions are selected. */
  finishPieces(): { readonly pieces: readonly TextPiece[]; readonly clip: Span } {
    for (const track of this.#tracks) this.#end(track);
    this.#tracks = [];
    const step = this.#frames > 1 ? (this.#lastSeconds - this.#firstSeconds) / (this.#frames - 1) : 0;
    const clip = { startSeconds: this.#firstSeconds, endSeconds: this.#lastSeconds + step };
    this.#glimpses?.end(clip.endSeconds, this.#pieces);
    return { pieces: this.#pieces.finish(), clip };
  }

  #look(detail: Picture, colour: Picture, timeSeconds: number): void {
    const kernel = this.#prepare(detail);
    const { looks } = kernel;
    // The oldest of three samples is overwritten by the newest.
    const look = looks[this.#seen % 3];
    const last = this.#seen > 0 ? looks[(this.#seen + 2) % 3] : null;
    const before = this.#seen > 1 ? looks[(this.#seen + 1) % 3] : null;
    this.#seen++;
    look.timeSeconds = timeSeconds;
    for (let y = 0; y < this.#rows; y++) {
      const start = y * ROW_STEP * this.#width;
      look.grey.set(detail.data.subarray(start, start + this.#width), y * this.#width);
    }
    kernel.findStrokes(look);
    if (last !== null) {
      const cameAlone = before !== null && this.#stayed;
      const near = kernel.countNear(look, last, STANDING_LEVELS);
      this.#stayed = look.grey.length - near < STILL_SHARE * look.grey.length;
      this.#follow(look, last);
      for (const polarity of POLARITIES) this.#discover(kernel, look, last, before, polarity, cameAlone);
      for (const track of this.#tracks) {
        if (track.looks <= MIN_LOOKS) track.addColour(colour, look);
      }
      this.#glimpses?.push(look, last, colour, this.#tracks, this.#pieces);
    }
    this.#breaks = 0;
  }

  #prepare(detail: Picture): InkKernel {
    if (this.#kernel !== null) return this.#kernel;
    this.#width = detail.width;
    this.#rows = Math.floor(detail.height / ROW_STEP);
    this.#kernel = new InkKernel(this.#width, this.#rows, Math.sqrt(detail.width * detail.height));
    this.#glimpses = new CaptionGlimpses(this.#kernel);
    return this.#kernel;
  }

  #follow(look: Look, last: Look): void {
    const still = this.#stayed;
    const kept: CaptionTrack[] = [];
    for (const track of this.#tracks) {
      const stands = track.follow(look, last);
      if (stands && track.looks === TRIAL_LOOKS && this.#reader.read(track.patch()) === null) continue;
      if (stands) {
        track.breaks += this.#breaks;
        kept.push(track);
      } else {
        track.goneSeconds = look.timeSeconds;
        track.wentAlone = still;
        this.#end(track);
      }
    }
    this.#tracks = kept;
  }

  /** Opens tracks for ink that is in the last two samples and was not in the one before them. */
  #discover(
    kernel: InkKernel,
    look: Look,
    last: Look,
    before: Look | null,
    polarity: Polarity,
    cameAlone: boolean,
  ): void {
    const { fresh } = kernel;
    kernel.markFresh(look, last, before, polarity, STANDING_LEVELS);
    for (const track of this.#tracks) if (track.polarity === polarity) track.eraseInk(fresh);
    const absent = before?.timeSeconds ?? null;
    for (const region of findRegions(fresh, kernel)) {
      if (this.#tracks.length >= MAX_TRACKS) return;
      const track = new CaptionTrack(kernel.patches, last, fresh, region, polarity, absent);
      if (!track.follow(look, last)) continue;
      track.breaks += this.#breaks;
      track.cameAlone = cameAlone;
      this.#tracks.push(track);
    }
  }

  #end(track: CaptionTrack): void {
    const piece = judgeTrack(track, this.#reader, this.#width, this.#rows);
    if (piece !== null) this.#pieces.push(piece);
  }
}
