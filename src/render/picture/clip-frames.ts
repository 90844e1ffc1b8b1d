import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { LinearGraph } from '../../media/av/graph.ts';
import { framingAt, isMoving } from '../../style/model/framing.ts';
import type { Clip, Reframe, Timeline } from '../../style/model/timeline.ts';
import { visibleShare } from '../timeline/frame-schedule.ts';
import type { Yuv } from './composite.ts';
import { FramePool } from './frame-pool.ts';
import type { GradeKernel } from './grade-kernel.ts';
import type { PictureSamples, SourceSampler } from './luma-samples.ts';
import { planesOf } from './planes.ts';
import { Resampler } from './resample.ts';
import { type MovingRegion, movingRegion, type SourceVideo, videoChain } from './video-chain.ts';

export interface ClipRun {
  readonly clip: Clip;
  readonly timeline: Timeline;
  /** Output frames in which the clip is visible. */
  readonly startFrame: number;
  readonly endFrame: number;
  /** The first visible frame that is drawn. */
  readonly firstFrame: number;
  /** Null: no grade. */
  readonly grade: GradeKernel | null;
  /** Frames whose number is a multiple of this are sampled. */
  readonly samplingInterval: number;
  readonly sampler: SourceSampler;
  /** Called after the first frame was pushed. */
  readonly video: () => SourceVideo;
  /** Frames of the output's size. */
  readonly pool: FramePool;
}

/** A frame of a clip, and luma samples of the source for it; null: not sampled. */
export interface ClipFrame {
  readonly frame: Frame;
  readonly expected: PictureSamples | null;
}

/** A source frame that is still in the filter chain. */
interface PendingFrame {
  readonly framing: Reframe;
  readonly expected: PictureSamples | null;
}

/**
 * The frames of one clip: source frames in, output frames out, in order. The filter chain may delay a frame, so frames are
 * fetched by their number. A moving framing is resampled after the chain, and graded in the same memory.
 */
export class ClipFrames implements Disposable {
  readonly #run: ClipRun;
  readonly #ready = new Map<number, ClipFrame>();
  readonly #graph: LinearGraph;
  readonly #resampler: Resampler | null;
  readonly #inChain: PendingFrame[] = [];
  #region: MovingRegion | null = null;
  #regionPool: FramePool | null = null;
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
      () => (moves ? this.#prepareRegion().chain : videoChain(clip, timeline, video())),
      // A second thread halves the time of scaling, which is little, and adds half to its cost.
      clip.fit === 'crop' ? { threads: 1 } : {},
    );
  }

  /** Must be called once for each output frame, in order. The caller keeps ownership of the frame. */
  push(frame: Frame, number: number, sourceSeconds: number): void {
    const { clip } = this.#run;
    frame.pts = BigInt(number);
    const share = visibleShare(this.#run, number);
    const framing = framingAt(clip, share, sourceSeconds, this.#toleranceSeconds);
    const sampled = number % this.#run.samplingInterval === 0;
    const expected = sampled ? this.#run.sampler.sample(frame, framing) : null;
    this.#inChain.push({ framing, expected });
    this.#graph.push(frame, (out) => this.#receive(out));
  }

  /** Flushes the chain after the last frame. */
  end(): void {
    this.#graph.push(null, (out) => this.#receive(out));
  }

  /** Moves ownership of the frame to the caller, who returns it to the pool. Null while the frame is still in the chain. */
  take(number: number): ClipFrame | null {
    const drawn = this.#ready.get(number) ?? null;
    this.#ready.delete(number);
    return drawn;
  }

  #prepareRegion(): MovingRegion {
    this.#region = movingRegion(this.#run.clip, this.#run.timeline, this.#run.video());
    this.#regionPool?.[Symbol.dispose]();
    this.#regionPool = new FramePool(this.#region);
    return this.#region;
  }

  #receive(frame: Frame): void {
    const moment = this.#inChain.shift();
    if (moment === undefined) return;
    const drawn = this.#drawn(frame, moment.framing);
    this.#ready.set(this.#next++, { frame: drawn, expected: moment.expected });
  }

  /** The chain's frames may share memory with the decoder's, so changes are made in a copy. */
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
    const { around, width, height } = this.#region!;
    const window = {
      x: ((framing.x - around.x) / around.width) * width,
      y: ((framing.y - around.y) / around.height) * height,
      width: (framing.width / around.width) * width,
      height: (framing.height / around.height) * height,
    };
    const copy = this.#regionPool!.take();
    copyPicture(frame, copy);
    this.#resampler!.draw(planesOf(copy), window, out);
    this.#regionPool!.give(copy);
  }

  [Symbol.dispose](): void {
    for (const { frame } of this.#ready.values()) this.#run.pool.give(frame);
    this.#regionPool?.[Symbol.dispose]();
    this.#graph[Symbol.dispose]();
  }
}

function copyPicture(from: Frame, to: Frame): void {
  if (to.copy(from) < 0)
    throw new Failure('ENCODER_FAILED', 'A filter returned a frame of another size or format');
}
