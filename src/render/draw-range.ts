import { crc32 } from 'node:zlib';
import type { Frame } from 'node-av/lib';
import type { Compression } from '../domain/compression.ts';
import type { HardwareEncoder } from '../domain/encoder-choice.ts';
import { Failure } from '../domain/errors.ts';
import type { Still } from '../domain/footage.ts';
import { framesPerSecond } from '../domain/time.ts';
import type { StereoBlock } from '../media/av/audio-frame.ts';
import { Mp4Writer, type VideoEncoding, type WrittenFile } from '../media/encode/encode.ts';
import type { ThumbnailSelection } from '../media/read/thumbnails.ts';
import type { Timeline } from '../style/model/timeline.ts';
import { CaptionPainter } from './captions/caption-painter.ts';
import { countViewsWithHeap } from './picture/frame-views.ts';
import { type OpenPictures, openPictures } from './picture/open-pictures.ts';
import type { PictureReader } from './picture/picture-reader.ts';
import type { FramePictures } from './previews/output-pictures.ts';
import { VideoRenderer } from './render-video.ts';
import { AwaitedSound, writeAudioUpTo } from './sound/audio-lead.ts';
import type { SoundFiles } from './sound/output-sound.ts';
import { type FrameRange, FrameSchedule } from './timeline/frame-schedule.ts';
import { SampleLog } from './verify/sample-log.ts';

/** A timeline to draw, and its files. */
export interface DrawSource extends Compression, SoundFiles {
  /** The timeline of the whole output. */
  readonly timeline: Timeline;
  /** Left out: x264. */
  readonly encoder?: HardwareEncoder;
  readonly keyframeInterval?: VideoEncoding['keyframeInterval'];
  readonly soundBitsPerSecond?: VideoEncoding['soundBitsPerSecond'];
}

export interface DrawRequest extends DrawSource {
  /** The file to write. */
  readonly outputPath: string;
}

/** Sound of the drawn range: a file being written, whose packets are copied; samples to encode; or none. */
type DrawnSound = Promise<string> | AsyncGenerator<StereoBlock> | null;

export interface DrawOptions {
  readonly range: FrameRange;
  readonly sound: DrawnSound;
  /** Receives every frame with its number in the whole output; null: no pictures are made. */
  readonly pictures: FramePictures | null;
  /** Thumbnails of the source to make. Only for a range that begins with the first frame; left out: none. */
  readonly stills?: ThumbnailSelection;
  /** 0..1. */
  readonly onProgress: (fraction: number) => void;
}

/** Drawn and written data, for verification. */
export interface DrawnRange {
  readonly frameCount: number;
  readonly written: WrittenFile;
  /** Samples of the frames before encoding; number 0 is the first of the range. */
  readonly drawn: SampleLog;
  readonly seams: Seams;
  /** Thumbnails of the source; null: none were requested, or making them failed. */
  readonly stills: readonly Still[] | null;
}

/**
 * CRC-32 of the luma of the source frames under the first frame of the range and under the frame after its last one. The next
 * segment must start from the same source frame. Null: another decoder begins with that frame, or there is none.
 */
export interface Seams {
  readonly first: number | null;
  readonly next: number | null;
}

const YIELD_MS = 100;

/**
 * Draws a range of a timeline's frames and encodes them into an MP4. Reads each take from a key frame before the range.
 * Throws `Failure` INPUT_CORRUPT, ENCODER_FAILED, INSUFFICIENT_STORAGE, OUTPUT_VERIFY_FAILED.
 */
export async function drawRange(request: DrawRequest, options: DrawOptions): Promise<DrawnRange> {
  const { takePaths: paths, timeline } = request;
  const { range, sound, stills } = options;
  // The sound may fail while the source is still being opened, before anything awaits it.
  if (sound instanceof Promise) sound.catch(() => {});
  using disposables = new DisposableStack();
  const opened = await openPictures(disposables, { timeline, paths, from: range.from, stills });
  return await drawOpened(request, opened, options);
}

/** Like `drawRange`, with pictures that are open for reading from the range or from an earlier one. */
export async function drawOpened(
  request: DrawRequest,
  { reader, ...stills }: OpenPictures,
  { range, sound, pictures, onProgress }: Omit<DrawOptions, 'stills'>,
): Promise<DrawnRange> {
  const { timeline } = request;
  const rate = framesPerSecond(timeline.frameRate);
  countViewsWithHeap();
  using video = new VideoRenderer(timeline, reader, range);
  const captions = CaptionPainter.of(timeline);
  await using writer = await openWriter(request, sound);
  const soundUpTo = soundWriter(writer, sound);
  const sourceCrc = seamReader(timeline, reader);
  const first = await sourceCrc(range.from);
  const drawn = new SampleLog(rate);
  const ready: Frame[] = [];
  let lastYield = performance.now();
  for (let number = range.from; number < range.to; number++) {
    await soundUpTo((number - range.from) / rate);
    await reader.prepare(number);
    video.draw(number, (frame, readyNumber) => {
      captions?.paint(readyNumber, frame);
      drawn.push(frame);
      pictures?.push(readyNumber, frame);
      const copy = frame.clone();
      if (copy !== null) ready.push(copy);
    });
    for (const frame of ready.splice(0)) await writer.writeFrameAsync(frame);
    if (performance.now() - lastYield < YIELD_MS) continue;
    onProgress((number - range.from) / (range.to - range.from));
    await pictures?.settled();
    await stills.settleStills();
    await new Promise(setImmediate);
    lastYield = performance.now();
  }
  await soundUpTo(Number.POSITIVE_INFINITY);
  await pictures?.finish();
  const written = await writer.finish();
  const frameCount = range.to - range.from;
  assertDrawn(video, writer, frameCount);
  const next = await sourceCrc(range.to);
  const thumbnails = await stills.finishStills(() => onProgress(1));
  return { frameCount, written, drawn, seams: { first, next }, stills: thumbnails };
}

function openWriter(request: DrawRequest, sound: DrawnSound): Promise<Mp4Writer> {
  const { timeline, outputPath, preset, crf, partitions, encoder } = request;
  const { keyframeInterval, soundBitsPerSecond, chromaOffset } = request;
  return Mp4Writer.open(
    outputPath,
    {
      ...{ ...timeline, preset, crf, partitions, chromaOffset, keyframeInterval, soundBitsPerSecond },
      ...(encoder === undefined ? {} : { encoder }),
    },
    sound instanceof Promise ? 'later' : sound !== null,
  );
}

/** Returns a function for `Seams`: the CRC-32 of the luma of the source frame under a frame of the output. */
function seamReader(timeline: Timeline, reader: PictureReader): (number: number) => Promise<number | null> {
  const schedule = new FrameSchedule(timeline);
  return async (number) => {
    if (number >= schedule.frameCount || !reader.continues(number)) return null;
    await reader.prepare(number);
    let crc = 0;
    reader.read({ ...schedule.at(number), second: null, transition: null }, (_, frame) => {
      crc = lumaCrc(frame);
    });
    return crc;
  };
}

/** Throws `Failure` OUTPUT_VERIFY_FAILED if frames are missing or wrong. */
function assertDrawn(video: VideoRenderer, writer: Mp4Writer, planned: number): void {
  if (writer.frameCount !== planned)
    throw new Failure('OUTPUT_VERIFY_FAILED', `${writer.frameCount} frames were drawn, not ${planned}`);
  if (video.fault !== null)
    throw new Failure('OUTPUT_VERIFY_FAILED', `The drawn picture is wrong: ${video.fault}`);
}

/** Returns a function that writes sound up to a little after a time of the picture; infinity: all of it. */
function soundWriter(writer: Mp4Writer, sound: DrawnSound): (seconds: number) => Promise<void> {
  if (!(sound instanceof Promise)) return (seconds) => writeAudioUpTo(writer, sound, seconds);
  const awaited = new AwaitedSound(writer, sound);
  return (seconds) => awaited.upTo(seconds);
}

/** Without the padding of rows, which is undefined. */
function lumaCrc({ data, linesize, width, height }: Frame): number {
  let crc = 0;
  for (let y = 0, at = 0; y < height; y++, at += linesize[0])
    crc = crc32(data![0].subarray(at, at + width), crc);
  return crc;
}
