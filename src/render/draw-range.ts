import { crc32 } from 'node:zlib';
import type { Frame } from 'node-av/lib';
import type { Compression } from '../domain/compression.ts';
import type { HardwareEncoder } from '../domain/encoder-choice.ts';
import { Failure } from '../domain/errors.ts';
import type { Still } from '../domain/footage.ts';
import { framesPerSecond } from '../domain/time.ts';
import type { StereoBlock } from '../media/av/audio-frame.ts';
import { type Input, openInput, VIDEO_DEMUXERS } from '../media/av/input.ts';
import { seekBefore } from '../media/av/seek.ts';
import { Mp4Writer, type WrittenFile } from '../media/encode/encode.ts';
import type { WantedThumbnails } from '../media/read/thumbnails.ts';
import type { Timeline } from '../style/model/timeline.ts';
import { CaptionPainter } from './captions/caption-painter.ts';
import { ClipTails } from './picture/clip-tails.ts';
import { countViewsWithHeap } from './picture/frame-views.ts';
import { SourceFrames } from './picture/source-frames.ts';
import { SourceStills } from './picture/source-stills.ts';
import type { OutputPictures } from './previews/output-pictures.ts';
import { VideoRenderer } from './render-video.ts';
import { AwaitedSound, writeAudioUpTo } from './sound/audio-lead.ts';
import { type FrameRange, FrameSchedule } from './timeline/frame-schedule.ts';
import { SampleLog } from './verify/sample-log.ts';

/** Frames of a timeline, and the file that they go into. */
export interface DrawRequest extends Compression {
  readonly sourcePath: string;
  /** Of the whole output. */
  readonly timeline: Timeline;
  /** In place of x264; left out: x264. */
  readonly encoder?: HardwareEncoder;
  readonly outputPath: string;
}

/** The sound of what is drawn: a file on its way, whose packets are copied, samples to be encoded, or none. */
export type DrawnSound = Promise<string> | AsyncGenerator<StereoBlock> | null;

export interface DrawOptions {
  readonly range: FrameRange;
  readonly sound: DrawnSound;
  /** Are given every frame, by its number in the whole output; null: no pictures are taken. */
  readonly pictures: OutputPictures | null;
  /** Small pictures of the source, of a range that begins with its first frame; left out: none. */
  readonly stills?: WantedThumbnails;
  /** 0..1. */
  readonly onProgress: (fraction: number) => void;
}

/** What the file must hold. */
export interface DrawnRange {
  readonly frameCount: number;
  readonly written: WrittenFile;
  /** Of the frames as they went into the encoder, the first of the range is 0. */
  readonly drawn: SampleLog;
  readonly seams: Seams;
  /** Of the source; null: none are wanted, or they could not be taken. */
  readonly stills: readonly Still[] | null;
}

/**
 * The source's picture under the first frame of the range, and under the frame after its last, as CRC-32 of their luma: who draws
 * what follows must have found the same picture there. Null: nothing follows.
 */
export interface Seams {
  readonly first: number;
  readonly next: number | null;
}

const YIELD_MS = 100;

/**
 * Draws frames of a timeline as they are in the whole, and encodes them into an MP4. Reads the source from a key frame before
 * the first of them. Throws `Failure` INPUT_CORRUPT, ENCODER_FAILED, INSUFFICIENT_STORAGE, OUTPUT_VERIFY_FAILED.
 */
export async function drawRange(request: DrawRequest, options: DrawOptions): Promise<DrawnRange> {
  const { sourcePath, timeline, outputPath, preset, crf, partitions, encoder } = request;
  const { range, sound, pictures, onProgress } = options;
  const rate = framesPerSecond(timeline.frameRate);
  // It may fail before anything waits for it: the source is opened first.
  if (sound instanceof Promise) sound.catch(() => {});
  countViewsWithHeap();
  using disposables = new DisposableStack();
  const schedule = new FrameSchedule(timeline);
  const { input, stills, source } =
    options.stills === undefined
      ? await openBefore(sourcePath, schedule.at(range.from).first.sourceSeconds)
      : await openWhole(sourcePath, options.stills);
  for (const opened of [input, stills, source]) disposables.use(opened);
  using tails = await ClipTails.open(sourcePath, input, timeline);
  using video = new VideoRenderer(timeline, source, tails, range);
  const captions = CaptionPainter.of(timeline);
  await using writer = await Mp4Writer.open(
    outputPath,
    { ...timeline, preset, crf, partitions, ...(encoder === undefined ? {} : { encoder }) },
    sound instanceof Promise ? 'later' : sound !== null,
  );
  const soundUpTo = soundInto(writer, sound);
  const sourceAt = (number: number) => {
    const { sourceSeconds } = schedule.at(number).first;
    return lumaCrc(source.at(sourceSeconds, 0.5 / rate, sourceSeconds));
  };
  const first = sourceAt(range.from);
  const drawn = new SampleLog(rate);
  const ready: Frame[] = [];
  let lastYield = performance.now();
  for (let number = range.from; number < range.to; number++) {
    await soundUpTo((number - range.from) / rate);
    video.draw(number, (frame, readyNumber) => {
      captions?.paint(readyNumber, frame);
      drawn.push(frame);
      pictures?.push(readyNumber, frame);
      const taken = frame.clone();
      if (taken !== null) ready.push(taken);
    });
    for (const frame of ready.splice(0)) await writer.writeFrameAside(frame);
    if (performance.now() - lastYield < YIELD_MS) continue;
    onProgress((number - range.from) / (range.to - range.from));
    await pictures?.settled();
    await stills.settled();
    await new Promise(setImmediate);
    lastYield = performance.now();
  }
  await soundUpTo(Number.POSITIVE_INFINITY);
  await pictures?.finish();
  const written = await writer.finish();
  const planned = range.to - range.from;
  if (writer.frameCount !== planned)
    throw new Failure('OUTPUT_VERIFY_FAILED', `${writer.frameCount} frames were drawn, not ${planned}`);
  if (video.fault !== null)
    throw new Failure('OUTPUT_VERIFY_FAILED', `The picture went wrong while it was drawn: ${video.fault}`);
  const next = range.to < schedule.frameCount ? sourceAt(range.to) : null;
  const taken = await stills.finish(source, () => onProgress(1));
  return { frameCount: planned, written, drawn, seams: { first, next }, stills: taken };
}

/** Puts sound into the file up to a little after a moment of the picture; infinity: all of it. */
function soundInto(writer: Mp4Writer, sound: DrawnSound): (seconds: number) => Promise<void> {
  if (!(sound instanceof Promise)) return (seconds) => writeAudioUpTo(writer, sound, seconds);
  const awaited = new AwaitedSound(writer, sound);
  return (seconds) => awaited.upTo(seconds);
}

/** Of each row as many bytes as there are columns: the rest of a row may hold anything. */
function lumaCrc({ data, linesize, width, height }: Frame): number {
  let crc = 0;
  for (let y = 0, at = 0; y < height; y++, at += linesize[0])
    crc = crc32(data![0].subarray(at, at + width), crc);
  return crc;
}

interface OpenSource {
  readonly input: Input;
  readonly stills: SourceStills;
  readonly source: SourceFrames;
}

async function openWhole(path: string, wanted?: WantedThumbnails): Promise<OpenSource> {
  const input = await openInput(path, VIDEO_DEMUXERS);
  const stills = new SourceStills(input, wanted);
  return { input, stills, source: await SourceFrames.open(input, {}, stills.push) };
}

/** Frames from a key frame before a moment on, or from the start where that cannot be found. */
async function openBefore(path: string, seconds: number): Promise<OpenSource> {
  if (seconds <= 0) return openWhole(path);
  const input = await openInput(path, VIDEO_DEMUXERS);
  if (seekBefore(input, seconds)) {
    const source = await SourceFrames.open(input);
    source.at(0, 0, 0);
    if (source.earliestSeconds !== null && source.earliestSeconds <= seconds)
      return { input, stills: new SourceStills(input, undefined), source };
    source[Symbol.dispose]();
  }
  input[Symbol.dispose]();
  return openWhole(path);
}
