import { AV_BUFFERSRC_FLAG_KEEP_REF, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import type { FilterContext } from 'node-av/lib';
import { FilterGraph, Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';

const DEFAULT_THREADS = 2;

/** All properties of a frame that filters depend on, as one text; they may change within a stream. */
export function videoSignature(frame: Frame): string {
  const { width, height, format, colorSpace, colorRange, colorTrc, colorPrimaries, sampleAspectRatio } =
    frame;
  const { num, den } = sampleAspectRatio;
  return `${width}x${height}/${num}:${den}/${format}/${colorSpace}/${colorRange}/${colorTrc}/${colorPrimaries}`;
}

/**
 * A filter graph with one input and one output. It is built for the first frame, and rebuilt when frames change size or format, as in
 * WebM and H.264. `describe` returns the chain for such frames, without source and sink. Time stamps pass unchanged.
 */
export class LinearGraph implements Disposable {
  readonly #kind: 'video' | 'audio';
  readonly #describe: (frame: Frame) => string;
  readonly #threads: number;
  readonly #timeBase: { num: number; den: number };
  readonly #output = new Frame();
  #graph: FilterGraph | null = null;
  #source: FilterContext | null = null;
  #sink: FilterContext | null = null;
  #signature = '';

  constructor(
    kind: 'video' | 'audio',
    timeBase: { num: number; den: number },
    describe: (frame: Frame) => string,
    options: { readonly threads?: number } = {},
  ) {
    this.#threads = options.threads ?? DEFAULT_THREADS;
    this.#kind = kind;
    this.#timeBase = timeBase;
    this.#describe = describe;
    this.#output.alloc();
  }

  /** Pushes a frame (null: the end) and calls `onFrame` for each output frame, whose data are valid during the call. */
  push(frame: Frame | null, onFrame: (frame: Frame) => void): void {
    if (frame !== null) {
      const signature = this.#signatureOf(frame);
      if (signature !== this.#signature) {
        this.#finish(onFrame);
        this.#build(frame);
        this.#signature = signature;
      }
    }
    if (this.#source === null) return;
    // KEEP_REF: the caller may push the same frame again.
    const added = this.#source.buffersrcAddFrameSync(frame, AV_BUFFERSRC_FLAG_KEEP_REF);
    if (added < 0 && added !== AVERROR_EOF)
      throw new Failure('ENCODER_FAILED', `A filter rejected a frame (FFmpeg error ${added})`);
    this.#drain(onFrame);
  }

  #signatureOf(frame: Frame): string {
    return this.#kind === 'video'
      ? videoSignature(frame)
      : `${frame.sampleRate}/${frame.format}/${frame.channelLayout.nbChannels}/${frame.channelLayout.mask}`;
  }

  #sourceArguments(frame: Frame): string {
    const base = `time_base=${this.#timeBase.num}/${this.#timeBase.den}`;
    if (this.#kind === 'video') {
      return `video_size=${frame.width}x${frame.height}:pix_fmt=${frame.format}:${base}:pixel_aspect=1/1:colorspace=${frame.colorSpace}:range=${frame.colorRange}`;
    }
    const layout = frame.channelLayout;
    const channels =
      layout.mask === 0n ? `channels=${layout.nbChannels}` : `channel_layout=0x${layout.mask.toString(16)}`;
    return `sample_rate=${frame.sampleRate}:sample_fmt=${frame.format}:${channels}:${base}`;
  }

  #build(frame: Frame): void {
    const prefix = this.#kind === 'video' ? '' : 'a';
    const graph = new FilterGraph();
    graph.alloc();
    graph.nbThreads = this.#threads;
    const text = `${prefix}buffer@in=${this.#sourceArguments(frame)}[in];[in]${this.#describe(frame)}[out];[out]${prefix}buffersink@out`;
    if (graph.parsePtr(text) < 0 || graph.configSync() < 0) {
      graph.free();
      throw new Failure(
        'INPUT_UNSUPPORTED',
        'The frames of this file have a format that cannot be converted',
      );
    }
    const filters = graph.filters ?? [];
    this.#graph = graph;
    this.#source = filters.find((filter) => filter.name === `${prefix}buffer@in`) ?? null;
    this.#sink = filters.find((filter) => filter.name === `${prefix}buffersink@out`) ?? null;
  }

  #drain(onFrame: (frame: Frame) => void): void {
    for (;;) {
      this.#output.unref();
      const got = this.#sink!.buffersinkGetFrameSync(this.#output);
      if (got === AVERROR_EAGAIN || got === AVERROR_EOF) return;
      if (got < 0) throw new Failure('ENCODER_FAILED', `A filter failed (FFmpeg error ${got})`);
      onFrame(this.#output);
    }
  }

  #finish(onFrame: (frame: Frame) => void): void {
    if (this.#graph === null) return;
    this.#source!.buffersrcAddFrameSync(null);
    this.#drain(onFrame);
    this.#graph.free();
    this.#graph = null;
    this.#source = null;
    this.#sink = null;
  }

  [Symbol.dispose](): void {
    this.#output.free();
    this.#graph?.free();
  }
}
