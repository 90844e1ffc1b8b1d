import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { framesPerSecond } from '../../domain/time.ts';
import type { CaptionLook, Timeline } from '../../style/model/timeline.ts';
import { planesOf } from '../picture/planes.ts';
import { blendCaption, type CaptionBitmap, fadedCaption } from './caption-blend.ts';
import { drawCaption } from './caption-drawing.ts';
import { captionMotion, scaledCaption } from './caption-motion.ts';

/**
 * Blends the captions of a timeline over its frames, after framing, grade and transitions, so that they do not move with the
 * picture. Each caption is drawn once, or in each size that it pops through; per frame, only the pixels of its box are touched.
 */
export class CaptionPainter {
  readonly #timeline: Timeline;
  readonly #look: CaptionLook;
  readonly #rate: number;
  #next = 0;
  #drawn: { readonly index: number; readonly bitmap: CaptionBitmap | null } | null = null;

  /** Null: the timeline has no captions. */
  static of(timeline: Timeline): CaptionPainter | null {
    const { captions, captionLook } = timeline;
    return captionLook === undefined || captions.length === 0
      ? null
      : new CaptionPainter(timeline, captionLook);
  }

  private constructor(timeline: Timeline, look: CaptionLook) {
    this.#timeline = timeline;
    this.#look = look;
    this.#rate = framesPerSecond(timeline.frameRate);
  }

  /** Call with ascending frame numbers. Copies the frame's picture first if it is shared. */
  paint(number: number, frame: Frame): void {
    const { captions } = this.#timeline;
    while (this.#next < captions.length && this.#frameOf(captions[this.#next].endSeconds) <= number)
      this.#next++;
    const cue = captions[this.#next];
    if (cue === undefined || this.#frameOf(cue.startSeconds) > number) return;
    if (this.#drawn?.index !== this.#next) {
      this.#drawn = { index: this.#next, bitmap: drawCaption(cue, this.#look, this.#timeline.width) };
    }
    const look = cue.look ?? this.#look;
    const first = this.#frameOf(cue.startSeconds);
    const motion = captionMotion(look, number - first, this.#frameOf(cue.endSeconds) - first, this.#rate);
    const { scale = 1, opacity = 1, x = 0, y = 0 } = motion ?? {};
    const inSize =
      scale === 1
        ? this.#drawn.bitmap
        : drawCaption(scaledCaption(cue, look, scale), this.#look, this.#timeline.width);
    if (inSize === null) return;
    const bitmap = opacity === 1 ? inSize : fadedCaption(inSize, opacity);
    if (frame.makeWritable() < 0)
      throw new Failure('OUT_OF_MEMORY', 'There is not enough memory to copy a frame');
    blendCaption(bitmap, planesOf(frame), { x: 2 * Math.round(x / 2), y: 2 * Math.round(y / 2) });
  }

  #frameOf(seconds: number): number {
    return Math.round(seconds * this.#rate);
  }
}
