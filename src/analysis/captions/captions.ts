import type { Frame, Picture } from '../../domain/footage.ts';
import type { Detector } from '../detector.ts';
import type { CaptionFacts, Span } from '../facts.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { BriefTextDetector } from './brief-texts.ts';
import { InkKernel, type InkSample, type Polarity } from './ink.ts';
import { judgeTrack, MIN_SAMPLES, type TextPiece } from './judge.ts';
import { PieceFilter } from './piece-filter.ts';
import { findRegions, MAX_REGIONS, ROW_STEP } from './regions.ts';
import { summariseCaptions } from './series.ts';
import { TextReader } from './text.ts';
import { CaptionTrack, MAX_LEVEL_CHANGE } from './track.ts';

/** Most tracks followed at a time: as many as one sample may have. */
const MAX_TRACKS = 2 * MAX_REGIONS;
/** The picture was still if less than this share of it changed by more than static text does. */
const STILL_SHARE = 0.12;
/**
 * A track that is not text after this many samples is dropped: textures last, and following them costs time.
 */
const TRIAL_SAMPLES = 2 * MIN_SAMPLES;
const POLARITIES: readonly Polarity[] = ['bright', 'dark'];

/**
 * Burnt-in captions: strokes of one tone on another that appear, stay and disappear, or that change in one
 * place. While they stay, the picture below them changes, or nothing else does. Their series decides at the
 * end which of them are captions (`series.ts`). Reads the detail pictures, about three a second, so times are
 * accurate to 0.15 s. Stores a few samples and candidates: memory grows only with the texts found.
 */
export class CaptionDetector implements Detector<[Frame, MotionField | null], CaptionFacts> {
  #kernel: InkKernel | null = null;
  #briefTexts: BriefTextDetector | null = null;
  #width = 0;
  #rows = 0;
  #seen = 0;
  #tracks: CaptionTrack[] = [];
  readonly #pieces = new PieceFilter();
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
    if (frame.detail !== null) this.#sample(frame.detail, frame.color, frame.timeSeconds);
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
    this.#briefTexts?.end(clip.endSeconds, this.#pieces);
    return { pieces: this.#pieces.finish(), clip };
  }

  #sample(detail: Picture, color: Picture, timeSeconds: number): void {
    const kernel = this.#prepare(detail);
    const { samples } = kernel;
    // The oldest of three samples is overwritten by the newest.
    const sample = samples[this.#seen % 3];
    const last = this.#seen > 0 ? samples[(this.#seen + 2) % 3] : null;
    const before = this.#seen > 1 ? samples[(this.#seen + 1) % 3] : null;
    this.#seen++;
    sample.timeSeconds = timeSeconds;
    for (let y = 0; y < this.#rows; y++) {
      const start = y * ROW_STEP * this.#width;
      sample.grey.set(detail.data.subarray(start, start + this.#width), y * this.#width);
    }
    kernel.findStrokes(sample);
    if (last !== null) {
      const appearedAlone = before !== null && this.#stayed;
      const near = kernel.countNear(sample, last, MAX_LEVEL_CHANGE);
      this.#stayed = sample.grey.length - near < STILL_SHARE * sample.grey.length;
      this.#follow(sample, last);
      for (const polarity of POLARITIES)
        this.#discover(kernel, sample, last, before, polarity, appearedAlone);
      for (const track of this.#tracks) {
        if (track.sampleCount <= MIN_SAMPLES) track.addColor(color, sample);
      }
      this.#briefTexts?.push(sample, last, color, this.#tracks, this.#pieces);
    }
    this.#breaks = 0;
  }

  #prepare(detail: Picture): InkKernel {
    if (this.#kernel !== null) return this.#kernel;
    this.#width = detail.width;
    this.#rows = Math.floor(detail.height / ROW_STEP);
    this.#kernel = new InkKernel(this.#width, this.#rows, Math.sqrt(detail.width * detail.height));
    this.#briefTexts = new BriefTextDetector(this.#kernel);
    return this.#kernel;
  }

  #follow(sample: InkSample, last: InkSample): void {
    const still = this.#stayed;
    const remaining: CaptionTrack[] = [];
    for (const track of this.#tracks) {
      const isThere = track.follow(sample, last);
      if (isThere && track.sampleCount === TRIAL_SAMPLES && this.#reader.read(track.patch()) === null)
        continue;
      if (isThere) {
        track.breaks += this.#breaks;
        remaining.push(track);
      } else {
        track.goneSeconds = sample.timeSeconds;
        track.wentAlone = still;
        this.#end(track);
      }
    }
    this.#tracks = remaining;
  }

  /** Opens tracks for ink that is in the last two samples and was not in the one before them. */
  #discover(
    kernel: InkKernel,
    sample: InkSample,
    last: InkSample,
    before: InkSample | null,
    polarity: Polarity,
    hasAppearedAlone: boolean,
  ): void {
    const { fresh } = kernel;
    kernel.markFresh(sample, last, before, polarity, MAX_LEVEL_CHANGE);
    for (const track of this.#tracks) if (track.polarity === polarity) track.eraseInk(fresh);
    const absent = before?.timeSeconds ?? null;
    for (const region of findRegions(fresh, kernel)) {
      if (this.#tracks.length >= MAX_TRACKS) return;
      const track = new CaptionTrack(kernel.patches, last, fresh, region, polarity, absent);
      if (!track.follow(sample, last)) continue;
      track.breaks += this.#breaks;
      track.isIndependent = hasAppearedAlone;
      this.#tracks.push(track);
    }
  }

  #end(track: CaptionTrack): void {
    const piece = judgeTrack(track, this.#reader, this.#width, this.#rows);
    if (piece !== null) this.#pieces.push(piece);
  }
}
