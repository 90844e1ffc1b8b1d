import type { Frame } from 'node-av/lib';
import { emptyFrame } from '../media/empty-frame.ts';
import { LinearGraph } from '../media/graph.ts';
import type { Clip, Timeline } from '../style/timeline.ts';
import { framingAt, isMoving } from './framing.ts';
import type { GradeKernel } from './grade-kernel.ts';
import { type MovingGround, movingGround, pictureChain, type SourcePicture } from './picture-chain.ts';
import { planesOf } from './planes.ts';
import { Resampler } from './resample.ts';

export interface ClipRun {
  readonly clip: Clip;
  readonly timeline: Timeline;
  /** Output frames in which the clip is visible. */
  readonly startFrame: number;
  readonly endFrame: number;
  /** Null: colours stay. */
  readonly grade: GradeKernel | null;
  /** Known when the first frame is pushed. */
  readonly picture: () => SourcePicture;
}

/**
 * The frames of one clip: source frames in, output frames out, in order. The filter chain may hold a frame back, so
 * frames are fetched by their number. A framing that moves is sampled by us behind the chain; the grade comes last.
 */
export class ClipFrames implements Disposable {
  readonly #run: ClipRun;
  readonly #ready = new Map<number, Frame>();
  readonly #graph: LinearGraph;
  readonly #resampler: Resampler | null;
  /** When the frames that are still in the chain are seen. */
  readonly #moments: { readonly share: number; readonly sourceSeconds: number }[] = [];
  #ground: MovingGround | null = null;
  #next: number;

  constructor(run: ClipRun) {
    const { clip, timeline, picture } = run;
    this.#run = run;
    this.#next = run.startFrame;
    const { numerator, denominator } = timeline.frameRate;
    const moves = isMoving(clip);
    this.#resampler = moves ? new Resampler() : null;
    this.#graph = new LinearGraph('video', { num: denominator, den: numerator }, () =>
      moves ? this.#layGround().chain : pictureChain(clip, timeline, picture()),
    );
  }

  /** Frames must be pushed once for each output frame, in order. The frame stays the caller's. */
  push(frame: Frame, number: number, sourceSeconds: number): void {
    const { startFrame, endFrame } = this.#run;
    frame.pts = BigInt(number);
    this.#moments.push({
      share: (number - startFrame) / Math.max(1, endFrame - 1 - startFrame),
      sourceSeconds,
    });
    this.#graph.push(frame, (out) => this.#pass(out));
  }

  /** No more frames: the chain gives up what it holds. */
  end(): void {
    this.#graph.push(null, (out) => this.#pass(out));
  }

  /** Hands the frame over: the caller frees it. Null while the chain still holds it. */
  take(number: number): Frame | null {
    const frame = this.#ready.get(number) ?? null;
    this.#ready.delete(number);
    return frame;
  }

  #layGround(): MovingGround {
    this.#ground = movingGround(this.#run.clip, this.#run.timeline, this.#run.picture());
    return this.#ground;
  }

  #pass(frame: Frame): void {
    const moment = this.#moments.shift();
    if (this.#resampler === null || this.#ground === null || moment === undefined) {
      this.#keep(frame.clone()!);
      return;
    }
    const { clip, timeline } = this.#run;
    const { around, width, height } = this.#ground;
    const framing = framingAt(clip, moment.share, moment.sourceSeconds);
    const window = {
      x: ((framing.x - around.x) / around.width) * width,
      y: ((framing.y - around.y) / around.height) * height,
      width: (framing.width / around.width) * width,
      height: (framing.height / around.height) * height,
    };
    const drawn = emptyFrame(timeline.width, timeline.height);
    this.#resampler.draw(planesOf(frame), window, planesOf(drawn));
    this.#keep(drawn);
  }

  /** Takes the frame over. The chain's frames may share their memory with the decoder's: the grade goes into a new one. */
  #keep(frame: Frame): void {
    const { grade } = this.#run;
    if (grade === null) {
      this.#ready.set(this.#next++, frame);
      return;
    }
    const graded = emptyFrame(frame.width, frame.height);
    grade.apply(planesOf(frame), planesOf(graded));
    frame.free();
    this.#ready.set(this.#next++, graded);
  }

  [Symbol.dispose](): void {
    for (const frame of this.#ready.values()) frame.free();
    this.#graph[Symbol.dispose]();
  }
}
