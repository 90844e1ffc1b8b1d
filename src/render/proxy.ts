import { Failure } from '../domain/errors.ts';
import type { ProxyOutline } from '../domain/proxy.ts';
import { type FrameRate, framesPerSecond } from '../domain/time.ts';
import type { StereoBlock } from '../media/av/audio-frame.ts';
import { openInput, VIDEO_AND_IMAGE_DEMUXERS } from '../media/av/open-input.ts';
import { OUTPUT_SAMPLE_RATE } from '../media/av/output-sample-rate.ts';
import { StreamDecoder } from '../media/av/stream-decoder.ts';
import { displaySize } from '../media/av/upright.ts';
import { openSamples } from '../media/decode/samples.ts';
import { AudioFileWriter } from '../media/encode/encode-audio.ts';
import { type JpegQuality, writeJpeg } from '../media/read/still.ts';
import { type Timeline, wholeClip } from '../style/model/timeline.ts';
import { drawRange } from './draw-range.ts';
import { drawWhole } from './picture/moment-frames.ts';
import {
  PHOTO_PROXY_LINES,
  PROXY_COMPRESSION,
  PROXY_LINES,
  proxyRate,
  proxySize,
} from './previews/proxy-size.ts';
import { FrameSchedule } from './timeline/frame-schedule.ts';

export interface ProxyRequest {
  readonly sourcePath: string;
  readonly proxyPath: string;
}

export interface VideoProxyRequest extends ProxyRequest {
  /** The source's modal rate. */
  readonly frameRate: FrameRate;
  /** When the source's last frame stops being shown. */
  readonly durationSeconds: number;
  readonly hasSound: boolean;
}

/** A browser decodes at most this many frames for a seek, about 15 ms. */
const KEYFRAME_INTERVAL = 12;
const SOUND_BITS_PER_SECOND = 128_000;
const PHOTO_QUALITY: JpegQuality = { best: 2, worst: 2 };

/**
 * Writes a small copy of a video for players: its upright SDR picture as the renderer reads it, before crops
 * and grade, at a constant rate. Frame n is the source's picture at n / rate of its presentation. Progress is
 * 0..1. Throws like `render`.
 */
export async function writeVideoProxy(
  { sourcePath, proxyPath, ...source }: VideoProxyRequest,
  onProgress: (fraction: number) => void,
): Promise<ProxyOutline> {
  const timeline = await wholeTimeline(sourcePath, source);
  const { frameCount } = new FrameSchedule(timeline);
  await drawRange(
    {
      ...{ timeline, takePaths: [sourcePath], outputPath: proxyPath, ...PROXY_COMPRESSION },
      keyframeInterval: KEYFRAME_INTERVAL,
      soundBitsPerSecond: SOUND_BITS_PER_SECOND,
    },
    {
      range: { from: 0, to: frameCount },
      sound: source.hasSound ? stereoOf(sourcePath) : null,
      pictures: null,
      onProgress,
    },
  );
  onProgress(1);
  const { width, height, frameRate } = timeline;
  const durationSeconds = frameCount / framesPerSecond(frameRate);
  return { kind: 'video', width, height, frameRate, durationSeconds, hasSound: source.hasSound };
}

/** Writes a photo as a JPEG of at most 1080 lines, drawn as the renderer reads it. Throws `Failure` INPUT_CORRUPT. */
export async function writePhotoProxy({ sourcePath, proxyPath }: ProxyRequest): Promise<ProxyOutline> {
  using input = await openInput(sourcePath, VIDEO_AND_IMAGE_DEMUXERS);
  const { video } = input;
  if (video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no picture');
  using decoder = await StreamDecoder.open(input, video);
  const decoded = decoder.next();
  if (decoded === null) throw new Failure('INPUT_CORRUPT', 'The image cannot be decoded');
  const size = proxySize(displaySize(video), PHOTO_PROXY_LINES);
  const drawn = drawWhole(input, decoded, size);
  try {
    await writeJpeg(drawn, proxyPath, PHOTO_QUALITY);
  } finally {
    drawn.free();
  }
  return { kind: 'image', ...size, frameRate: null, durationSeconds: 0, hasSound: false };
}

/** Writes a sound file as stereo AAC in MP4. `durationSeconds` only scales the progress. Throws like `openSamples`. */
export async function writeSoundProxy(
  { sourcePath, proxyPath, durationSeconds }: ProxyRequest & { readonly durationSeconds: number },
  onProgress: (fraction: number) => void,
): Promise<ProxyOutline> {
  using writer = await AudioFileWriter.open(proxyPath, {
    bitsPerSecond: SOUND_BITS_PER_SECOND,
    isStreamed: true,
  });
  for await (const block of stereoOf(sourcePath)) {
    writer.write(...block);
    onProgress(Math.min(1, writer.seconds / Math.max(1, durationSeconds)));
  }
  await writer.finish();
  return {
    ...{ kind: 'audio', width: 0, height: 0, frameRate: null, hasSound: true },
    durationSeconds: writer.seconds,
  };
}

/** The whole source without crop and grade. */
async function wholeTimeline(
  path: string,
  { frameRate, durationSeconds }: Pick<VideoProxyRequest, 'frameRate' | 'durationSeconds'>,
): Promise<Timeline> {
  using input = await openInput(path);
  if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
  return {
    version: 2,
    frameRate: proxyRate(frameRate),
    ...proxySize(displaySize(input.video), PROXY_LINES),
    takes: [{ grade: null }],
    clips: [wholeClip(0, durationSeconds)],
    transitions: [],
    audio: null,
    captions: [],
  };
}

async function* stereoOf(path: string): AsyncGenerator<StereoBlock> {
  const options = { sampleRate: OUTPUT_SAMPLE_RATE, channels: 'stereo' } as const;
  for await (const { channels } of openSamples(path, options)) yield [channels[0], channels[1]];
}
