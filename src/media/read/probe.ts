import { open } from 'node:fs/promises';
import type { Stream } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Size } from '../../domain/footage.ts';
import type { VideoProbe, Warning } from '../../domain/stage.ts';
import { DecodeLosses } from '../av/decode-losses.ts';
import { containerName } from '../av/file-survey.ts';
import { type Input, MAX_PIXELS } from '../av/input.ts';
import { openInput, VIDEO_AND_IMAGE_DEMUXERS, VIDEO_DEMUXERS } from '../av/open-input.ts';
import { StreamDecoder } from '../av/stream-decoder.ts';
import { displaySize, streamOrientation } from '../av/upright.ts';
import { checkWholePicture } from '../av/whole-picture.ts';
import { unreadAlphaWarnings } from './alpha-warnings.ts';
import { inputWarnings, lossWarnings, silentTrackWarnings } from './input-warnings.ts';
import { checkDuration, checkScan, checkStreamCount, codecName, scanPackets } from './packet-scan.ts';
import { probeSound, SONGS_ACCEPTED, soundDemuxersOf } from './probe-sound.ts';
import { profileWarnings, readProfileWarnings } from './profile-warnings.ts';
import { unreadFileWarnings } from './unread-files.ts';

export interface ProbeLimits {
  readonly maxDurationSeconds: number;
}

const MAX_SIDE = 8192;
const MAX_FRAME_RATE = 240;
const ACCEPTED = 'send MP4, MOV, MKV, WebM, AVI, MPEG-TS, MPEG-PS, FLV, Ogg or ASF';
const IMAGES_ACCEPTED = 'as a photo or template JPEG, PNG, WebP, GIF or AVIF';

/**
 * Checks a stored upload: opens it, reads all its packets without decoding, and decodes the first frame.
 * Throws `Failure` UNSUPPORTED_VIDEO_FORMAT, INVALID_VIDEO, VIDEO_LIMIT_EXCEEDED.
 */
export async function probeFile(path: string, limits: ProbeLimits): Promise<VideoProbe> {
  const head = await readHead(path);
  if (head.length === 0) throw new Failure('INVALID_VIDEO', 'The file is empty');
  const demuxers = soundDemuxersOf(head) ?? VIDEO_AND_IMAGE_DEMUXERS;
  using input = await openInput(path, demuxers).catch((error: unknown) => {
    throw openingFailure(error, head);
  });
  const video = input.video;
  if (video === null) return await probeSound(path, input, head, limits);
  const size = displaySize(video);
  checkVideo(input, video, size);
  if (input.isStill) return await probeImage(path, input, video, head);
  const scan = scanPackets(input, video);
  const announced = Number(video.nbFrames);
  const present = containerName(input.context) === 'avi' ? filledPlaces(scan, video) : scan.packets;
  checkScan({ ...scan, packets: present }, announced, 'frames');
  const losses = await checkFirstFrame(path);
  await checkAudio(input);
  checkDuration('The video', scan.durationSeconds, limits.maxDurationSeconds);
  const frameRate = scan.packets > 1 ? scan.packets / scan.durationSeconds : 0;
  if (frameRate > MAX_FRAME_RATE * 1.02) {
    throw new Failure(
      'VIDEO_LIMIT_EXCEEDED',
      `The frame rate is ${frameRate.toFixed(1)} frames/s; at most ${MAX_FRAME_RATE} are accepted`,
    );
  }
  return {
    ...containerOf(input, video, head),
    durationSeconds: scan.durationSeconds,
    ...size,
    rotation: streamOrientation(video).rotation,
    frameRate,
    videoCodec: codecName(video),
    audioCodec: input.audio === null ? null : codecName(input.audio),
    warnings: [
      ...warningsOf(present, announced),
      ...inputWarnings(input),
      ...losses,
      ...(await silentTrackWarnings(path)),
      ...(await unreadFileWarnings(path)),
      ...(await readProfileWarnings(path)),
      ...(await unreadAlphaWarnings(path, input)),
    ],
  };
}

/** An AVI announces places for frames; an empty place repeats the frame before it and has no packet. */
function filledPlaces({ durationSeconds }: { durationSeconds: number }, { timeBase }: Stream): number {
  return Math.round((durationSeconds * timeBase.den) / timeBase.num);
}

function warningsOf(present: number, announced: number): Warning[] {
  return present < announced * 0.98
    ? [{ code: 'FRAMES_MISSING', message: `The file has ${present} of ${announced} announced frames` }]
    : [];
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
  return buffer.subarray(0, bytesRead);
}

/** Replaces the error of opening a file, except for images: a known container that cannot be opened is damaged, others are unsupported. */
function openingFailure(error: unknown, head: Buffer): unknown {
  if (!(error instanceof Failure) || error.code === 'INVALID_VIDEO') return error;
  const isoBox = ['ftyp', 'moov', 'mdat', 'free', 'wide'].includes(head.toString('latin1', 4, 8));
  const matroska = head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3;
  return isoBox || matroska || error.code === 'INPUT_CORRUPT'
    ? new Failure('INVALID_VIDEO', 'The file is damaged or cut off: its index cannot be read')
    : new Failure(
        'UNSUPPORTED_VIDEO_FORMAT',
        `The file is not a video, image or song in an accepted container; ${ACCEPTED}, ${IMAGES_ACCEPTED}, or ${SONGS_ACCEPTED}`,
      );
}

function checkVideo({ streamCount, isStill }: Input, video: Stream, size: Size): void {
  checkStreamCount(streamCount);
  const { width, height } = video.codecpar;
  if (width <= 0 || height <= 0)
    throw new Failure(
      'INVALID_VIDEO',
      isStill
        ? `The size of the image cannot be read; it is damaged or cut off, or has more than ${MAX_PIXELS / 1e6} megapixels`
        : 'The video stream has no size',
    );
  if (Math.max(width, height, size.width, size.height) > MAX_SIDE || width * height > MAX_PIXELS) {
    throw new Failure(
      'VIDEO_LIMIT_EXCEEDED',
      `The picture is ${width}x${height}; at most ${MAX_SIDE} pixels a side and ${MAX_PIXELS / 1e6} megapixels are accepted`,
    );
  }
}

/** Checks by decoding that an image is intact. */
async function probeImage(path: string, input: Input, video: Stream, head: Buffer): Promise<VideoProbe> {
  const unusedProfile = await checkWholePicture(input);
  return {
    ...containerOf(input, video, head),
    durationSeconds: 0,
    ...displaySize(video),
    rotation: streamOrientation(video).rotation,
    frameRate: 0,
    videoCodec: codecName(video),
    audioCodec: null,
    warnings: [...profileWarnings(unusedProfile), ...(await unreadAlphaWarnings(path, input))],
  };
}

/** Decodes the first picture. Throws INVALID_VIDEO with `message` if there is none. */
async function checkDecodes(input: Input, video: Stream, message: string): Promise<Warning[]> {
  const losses = new DecodeLosses();
  using decoder = await StreamDecoder.open(input, video, { threads: 1, losses }).catch((error: unknown) => {
    throw error instanceof Failure ? new Failure('INVALID_VIDEO', error.detail) : error;
  });
  if (decoder.next() === null) throw new Failure('INVALID_VIDEO', message);
  return lossWarnings('picture', losses);
}

/** Reads the file from its start again. The warnings list pictures lost before the first decodable one. */
async function checkFirstFrame(path: string): Promise<Warning[]> {
  using input = await openInput(path, VIDEO_DEMUXERS);
  const codec = codecName(input.video!);
  const message = `No frame of the video can be decoded as its codec, ${codec}; it is damaged, or its header names a wrong codec`;
  return await checkDecodes(input, input.video!, message);
}

/** Rejects sound without a decoder, because each job would fail after its first stage. */
async function checkAudio(input: Input): Promise<void> {
  if (input.audio === null) return;
  const codec = codecName(input.audio);
  using _decoder = await StreamDecoder.open(input, input.audio, { threads: 1 }).catch((error: unknown) => {
    throw error instanceof Failure
      ? new Failure(
          'INVALID_VIDEO',
          `The sound cannot be decoded (codec: ${codec}); send it as AAC, MP3, Opus, Vorbis, FLAC, AC-3 or PCM, or leave it out`,
        )
      : error;
  });
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  '3gp': 'video/3gpp',
  webm: 'video/webm',
  matroska: 'video/x-matroska',
  avi: 'video/x-msvideo',
  mpegts: 'video/mp2t',
  mpeg: 'video/mpeg',
  flv: 'video/x-flv',
  ogg: 'video/ogg',
  asf: 'video/x-ms-asf',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  heic: 'image/heic',
};

/** AVIF and HEIC are distinguished by their codec. */
function heifKind(video: Stream): string {
  return codecName(video) === 'av1' ? 'avif' : 'heic';
}

/** Container and content type by the file's content, never by its name. */
function containerOf(input: Input, video: Stream, head: Buffer): { container: string; contentType: string } {
  const brand = head.toString('latin1', 8, 12);
  const webmCodecs = ['vp8', 'vp9', 'av1'];
  let container = input.formatName.split(',')[0];
  if (input.isStill) container = container === 'mov' ? heifKind(video) : container.replace('_pipe', '');
  else if (container === 'mov' && brand !== 'qt  ') container = brand.startsWith('3g') ? '3gp' : 'mp4';
  else if (container === 'matroska') container = webmCodecs.includes(codecName(video)) ? 'webm' : 'matroska';
  else if (container === 'mpegvideo') container = 'mpeg';
  if (container === 'webp_anim') container = 'webp';
  if (container === 'apng') container = 'png';
  return { container, contentType: CONTENT_TYPES[container] ?? 'application/octet-stream' };
}
