import { Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import { checkResult } from '../av/ffmpeg-result.ts';
import { openInput } from '../av/open-input.ts';
import type { WrittenFile } from './encode.ts';
import { AUDIO_LEAD_SECONDS, AudioCopy } from './encode-audio.ts';
import { addPacket, type WrittenStream } from './stream-encoder.ts';

/** An MP4 with one video stream, written by `Mp4Writer` without sound. */
export interface JoinedSegment {
  readonly path: string;
  /** Number of its first frame in the whole output. */
  readonly firstFrame: number;
  /** The packets that it must contain. */
  readonly video: WrittenStream;
}

const NOTHING: WrittenStream = { packetCount: 0, crc: 0 };

/**
 * Copies the packets of segments, one after the other, and of a sound file into one MP4, index in front. Time stamps are computed from
 * frame numbers, so that rounding errors do not accumulate. Resolves with the packets that the file must contain. Throws `Failure`
 * OUTPUT_VERIFY_FAILED if a segment's packets or encoder parameters are not the expected ones, INSUFFICIENT_STORAGE.
 */
export async function joinSegments(
  path: string,
  frameRate: FrameRate,
  segments: readonly JoinedSegment[],
  soundPath: string | null,
  onProgress: (fraction: number) => void,
): Promise<WrittenFile> {
  using disposables = new DisposableStack();
  const output = new FormatContext();
  disposables.defer(() => output.freeContext());
  checkResult(output.allocOutputContext2(null, 'mp4', path), 'Opening the output');
  const video = await addVideoStream(output, segments[0].path);
  const sound = soundPath === null ? null : disposables.use(await AudioCopy.open(soundPath, output));
  checkResult(await output.openOutput(), 'Opening the output');
  const options = Dictionary.fromObject({ movflags: '+faststart' });
  checkResult(await output.writeHeader(options), 'Writing the header');
  options.free();
  const rate = framesPerSecond(frameRate);
  const delayFrames = await longestDelay(segments, frameRate);
  let written = NOTHING;
  for (const [index, segment] of segments.entries()) {
    written = await copySegment(segment, { output, video, frameRate, written, delayFrames }, (frame) =>
      sound?.copyUpTo(frame / rate + AUDIO_LEAD_SECONDS),
    );
    onProgress((index + 1) / segments.length);
    await new Promise(setImmediate);
  }
  sound?.copyUpTo(Number.POSITIVE_INFINITY);
  checkResult(await output.writeTrailer(), 'Writing the index');
  await output.closeOutput();
  return { video: written, audio: sound?.written ?? null };
}

/** Adds the output's video stream, with the parameters of a segment. */
async function addVideoStream(output: FormatContext, path: string): Promise<Stream> {
  using input = await openInput(path, 'mov');
  const stream = output.newStream(null);
  checkResult(input.video!.codecpar.copy(stream.codecpar), 'Describing the stream');
  stream.timeBase = input.video!.timeBase;
  return stream;
}

/** Longest delay between decoding and display among the segments, in frames; a segment of a single frame has none. */
async function longestDelay(segments: readonly JoinedSegment[], frameRate: FrameRate): Promise<number> {
  let longest = 0;
  const packet = new Packet();
  packet.alloc();
  for (const { path } of segments) {
    using input = await openInput(path, 'mov');
    if (input.video === null || input.context.readFrameSync(packet) < 0) continue;
    longest = Math.max(longest, -Math.round(Number(packet.dts) / unitsPerFrame(input.video, frameRate)));
    packet.unref();
  }
  packet.free();
  return longest;
}

interface Joining {
  readonly output: FormatContext;
  readonly video: Stream;
  readonly frameRate: FrameRate;
  readonly written: WrittenStream;
  readonly delayFrames: number;
}

async function copySegment(
  { path, firstFrame, video: expected }: JoinedSegment,
  { output, video, frameRate, written: before, delayFrames }: Joining,
  onFrame: (number: number) => void,
): Promise<WrittenStream> {
  using input = await openInput(path, 'mov');
  const from = input.video;
  if (from === null || !sameParameters(from, video))
    throw failure(firstFrame, 'was encoded with other parameters than the first');
  const frameUnits = unitsPerFrame(from, frameRate);
  const outUnits = unitsPerFrame(video, frameRate);
  const stampOf = (frame: number) => BigInt(Math.round(frame * outUnits));
  let held = NOTHING;
  let written = before;
  const packet = new Packet();
  packet.alloc();
  while (input.context.readFrameSync(packet) >= 0) {
    onFrame(firstFrame + held.packetCount);
    held = addPacket(held, packet);
    written = addPacket(written, packet);
    packet.pts = stampOf(Math.round(Number(packet.pts) / frameUnits) + firstFrame);
    // Counted in packets, one a frame, with one delay for all: by its own time a segment without delay would be decoded after its successor.
    packet.dts = stampOf(firstFrame + held.packetCount - 1 - delayFrames);
    packet.duration = BigInt(Math.round(outUnits));
    packet.streamIndex = video.index;
    packet.pos = -1n;
    checkResult(output.interleavedWriteFrameSync(packet), 'Writing');
    packet.unref();
  }
  packet.free();
  if (held.packetCount !== expected.packetCount || held.crc !== expected.crc)
    throw failure(firstFrame, 'differs from the packets that were encoded');
  return written;
}

function sameParameters({ codecpar: one }: Stream, { codecpar: other }: Stream): boolean {
  const [a, b] = [one.extradata, other.extradata];
  return one.width === other.width && one.height === other.height && a !== null && b !== null && a.equals(b);
}

function unitsPerFrame({ timeBase }: Stream, { numerator, denominator }: FrameRate): number {
  return (timeBase.den * denominator) / (timeBase.num * numerator);
}

function failure(firstFrame: number, fault: string): Failure {
  return new Failure('OUTPUT_VERIFY_FAILED', `The segment from frame ${firstFrame} on ${fault}`);
}
