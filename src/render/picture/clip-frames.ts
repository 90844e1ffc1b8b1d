import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { LinearGraph } from '../../media/av/graph.ts';
import { framingAt, isMoving } from '../../style/model/framing.ts';
import type { Clip, Reframe, Timeline } from '../../style/model/timeline.ts';
import type { Yuv } from './composite.ts';
import { FramePool } from './frame-pool.ts';
import type { GradeKernel } from './grade-kernel.ts';
import type { SourceSampler } from './luma-samples.ts';
import { planesOf } from './planes.ts';
import { Resampler } from './resample.ts';
import { type MovingGround, movingGround, type SourceVideo, videoChain } from './video-chain.ts';

export interface ClipRun {
  readonly clip: Clip;
  readonly timeline: Timeline;
  /** Output frames in which the clip is visible. */
  readonly startFrame: number;
  readonly endFrame: number;
  /** The first of them that is drawn. */
  readonly firstFrame: number;
  /** Null: colours stay. */
  readonly grade: GradeKernel | null;
  /** Samples are taken of every frame whose number is a multiple of this. */
  readonly samplingInterval: number;
  readonly sampler: SourceSampler;
  /** Known when the first frame is pushed. */
  readonly video: () => SourceVideo;
  /** Frames of the output's size. */
  readonly pool: FramePool;
}

/** A frame of a clip, and samples of what the source shows there; null: not taken. */
export interface ClipFrame {
  readonly frame: Frame;
  readonly expected: Uint8Array | null;
}

/** A source frame that is still in the chain. */
interface Moment {
  readonly framing: Reframe;
  readonly expected: Uint8Array | null;
}

/**
 * The frames of one clip: source frames in, output frames out, in order. The filter chain may hold a frame back, so
 * frames are fetched by their number. A framing that moves is sampled by us behind the chain. The grade comes
 * last; what was sampled is graded where it lies.
 */
export class ClipFrames implements Disposable {
  readonly #run: ClipRun;
  readonly #ready = new Map<number, ClipFrame>();
  readonly #graph: LinearGraph;
  readonly #resampler: Resampler | null;
  readonly #moments: Moment[] = [];
  #ground: MovingGround | null = null;
  #groundPool: FramePool | null = null;
  readonly #toleranceSeconds: number;
  #next: number;

  constructor(run: ClipRun) {
    const { clip, timeline, video } = run;
    this.#run = run;
    this.#next = run.firstFrame;
    const { numerator, denominator } = timeline.frameRate;
    this.#toleranceSeconds = 0.5 / framesPerSecond(timeline.frameRate);
    const moves = isMoving(clip);
    this.#resampler = moves ? new Resampler(run.grade) : null;
    this.#graph = new LinearGraph(
      'video',
      { num: denominator, den: numerator },
      () => (moves ? this.#layGround().chain : videoChain(clip, timeline, video())),
      // A second thread halves the time of scaling, which is little, and adds half to its cost.
      clip.fit === 'crop' ? { threads: 1 } : {},
    );
  }

  /** Frames must be pushed once for each output frame, in order. The frame stays the caller's. */
  push(frame: Frame, number: number, sourceSeconds: number): void {
    const { clip, startFrame, endFrame } = this.#run;
    frame.pts = BigInt(number);
    const share = (number - startFrame) / Math.max(1, endFrame - 1 - startFrame);
    const framing = framingAt(clip, share, sourceSeconds, this.#toleranceSeconds);
    const sampled = number % this.#run.samplingInterval === 0;
    const expected = sampled ? this.#run.sampler.sample(frame, framing) : null;
    this.#moments.push({ framing, expected });
    this.#graph.push(frame, (out) => this.#pass(out));
  }

  /** No more frames: the chain gives up what it holds. */
  end(): void {
    this.#graph.push(null, (out) => this.#pass(out));
  }

  /** Hands the frame over: the caller gives it to the pool. Null while the chain still holds it. */
  take(number: number): ClipFrame | null {
    const drawn = this.#ready.get(number) ?? null;
    this.#ready.delete(number);
    return drawn;
  }

  #layGround(): MovingGround {
    this.#ground = movingGround(this.#run.clip, this.#run.timeline, this.#run.video());
    this.#groundPool?.[Symbol.dispose]();
    this.#groundPool = new FramePool(this.#ground);
    return this.#ground;
  }

  #pass(frame: Frame): void {
    const moment = this.#moments.shift();
    if (moment === undefined) return;
    const drawn = this.#drawn(frame, moment.framing);
    this.#ready.set(this.#next++, { frame: drawn, expected: moment.expected });
  }

  /** The chain's frames may share their memory with the decoder's: what is changed is changed in a copy. */
  #drawn(frame: Frame, framing: Reframe): Frame {
    const { grade, pool } = this.#run;
    if (this.#resampler === null && grade === null) return frame.clone()!;
    const drawn = pool.take();
    const planes = planesOf(drawn);
    if (this.#resampler === null) {
      copyPicture(frame, drawn);
      grade?.apply(planes, planes);
    } else this.#resample(frame, framing, planes);
    return drawn;
  }

  #resample(frame: Frame, framing: Reframe, out: Yuv): void {
    const { around, width, height } = this.#ground!;
    const window = {
      x: ((framing.x - around.x) / around.width) * width,
      y: ((framing.y - around.y) / around.height) * height,
      width: (framing.width / around.width) * width,
      height: (framing.height / around.height) * height,
    };
    const copy = this.#groundPool!.take();
    copyPicture(frame, copy);
    this.#resampler!.draw(planesOf(copy), window, out);
    this.#groundPool!.give(copy);
  }

  [Symbol.dispose](): void {
    for (const { frame } of this.#ready.values()) this.#run.pool.give(frame);
    this.#groundPool?.[Symbol.dispose]();
    this.#graph[Symbol.dispose]();
  }
}

function copyPicture(from: Frame, to: Frame): void {
  if (to.copy(from) < 0)
    throw new Failure('ENCODER_FAILED', 'A filter gave a frame of another size or format');
}
