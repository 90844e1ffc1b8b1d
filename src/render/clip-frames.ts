import type { Frame } from 'node-av/lib';
import { emptyFrame } from '../media/empty-frame.ts';
import { LinearGraph } from '../media/graph.ts';
import type { Clip, Timeline } from '../style/timeline.ts';
import { framingAt, isMoving } from './framing.ts';
import {
  gradeChain,
  type MovingGround,
  movingGround,
  pictureChain,
  type SourcePicture,
} from './picture-chain.ts';
import { planesOf } from './planes.ts';
import { Resampler } from './resample.ts';

export interface ClipRun {
  readonly clip: Clip;
  readonly timeline: Timeline;
  /** Output frames in which the clip is visible. */
  readonly startFrame: number;
  readonly endFrame: number;
  readonly lutFile: string | null;
  /** Known when the first frame is pushed. */
  readonly picture: () => SourcePicture;
}

/**
 * The frames of one clip: source frames in, output frames out, in order. A filter chain may hold a frame back, so
 * frames are fetched by their number. A framing that moves is sampled by us between two chains.
 */
export class ClipFrames implements Disposable {
  readonly #run: ClipRun;
  readonly #ready = new Map<number, Frame>();
  readonly #graphs: LinearGraph[];
  readonly #resampler: Resampler | null;
  /** When the frames that are still in the first chain are seen. */
  readonly #moments: { readonly share: number; readonly sourceSeconds: number }[] = [];
  #ground: MovingGround | null = null;
  #next: number;

  constructor(run: ClipRun) {
    const { clip, timeline, lutFile } = run;
    this.#run = run;
    this.#next = run.startFrame;
    const { numerator, denominator } = timeline.frameRate;
    const graph = (describe: () => string) =>
      new LinearGraph('video', { num: denominator, den: numerator }, describe);
    if (isMoving(clip)) {
      this.#resampler = new Resampler(timeline.width, timeline.height);
      this.#graphs = [graph(() => this.#layGround().chain), graph(() => gradeChain(lutFile))];
    } else {
      this.#resampler = null;
      this.#graphs = [graph(() => pictureChain(clip, timeline, run.picture(), lutFile))];
    }
  }

  /** Frames must be pushed once for each output frame, in order. The frame stays the caller's. */
  push(frame: Frame, number: number, sourceSeconds: number): void {
    const { startFrame, endFrame } = this.#run;
    frame.pts = BigInt(number);
    this.#moments.push({
      share: (number - startFrame) / Math.max(1, endFrame - 1 - startFrame),
      sourceSeconds,
    });
    this.#graphs[0]!.push(frame, (out) => this.#pass(out));
  }

  /** No more frames: the chains give up what they hold. */
  end(): void {
    this.#graphs[0]!.push(null, (out) => this.#pass(out));
    this.#graphs[1]?.push(null, (out) => this.#keep(out));
  }

  /** Hands the frame over: the caller frees it. Null while a chain still holds it. */
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
      this.#keep(frame);
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
    drawn.pts = frame.pts;
    this.#graphs[1]!.push(drawn, (out) => this.#keep(out));
    drawn.free();
  }

  #keep(frame: Frame): void {
    const kept = frame.clone();
    if (kept !== null) this.#ready.set(this.#next++, kept);
  }

  [Symbol.dispose](): void {
    for (const frame of this.#ready.values()) frame.free();
    for (const graph of this.#graphs) graph[Symbol.dispose]();
  }
}
