import { AV_FRAME_DATA_DISPLAYMATRIX, AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { FormatContext, Stream } from 'node-av/lib';
import { AnimationStamps, isAnimation, readAnimationLength } from './animation.ts';
import { type ChosenStreams, chooseStreams } from './choose-streams.ts';
import { type FileClock, PRIMING_SECONDS } from './file-clock.ts';
import { containerName, isBroadcast, surveyClock } from './file-survey.ts';
import { firstPackets } from './first-packets.ts';
import { imageDemuxerOf } from './image-demuxer.ts';
import { type Input, MAX_PIXELS } from './input.ts';
import { openContext, openHeader } from './open-context.ts';
import { decodesToSound } from './sound-trial.ts';
import { StampShift, stampSeconds } from './stamps.ts';
import { StreamDecoder } from './stream-decoder.ts';
import './quiet.ts';

/** Accepted containers. Playlists are excluded, because they can name other files or hosts. */
export const VIDEO_DEMUXERS = 'mov,matroska,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf,gif,webp_anim,apng';
/** Templates can also be still pictures: see `imageDemuxerOf`. */
export const VIDEO_AND_IMAGE_DEMUXERS = `${VIDEO_DEMUXERS},jpeg_pipe,png_pipe,webp_pipe`;
/** For `analyze` on sound-only files. */
const AUDIO_DEMUXERS = 'mp3,wav,flac,aac,w64,aiff';

const MICROSECOND_BASE = { num: 1, den: 1_000_000 };

/**
 * Opens a local file for demuxing: file protocol only, allow-listed containers only.
 * Throws `Failure` INPUT_UNSUPPORTED (not an accepted container) or INPUT_CORRUPT.
 */
export async function openInput(
  path: string,
  demuxers = `${VIDEO_AND_IMAGE_DEMUXERS},${AUDIO_DEMUXERS}`,
): Promise<Input> {
  const image = demuxers.includes(VIDEO_AND_IMAGE_DEMUXERS) ? await imageDemuxerOf(path) : null;
  if (image === null) return openDemuxer(path, demuxers);
  const matrix = await imageMatrix(path, image);
  const input = firstPicture(await openDemuxer(path, image, image));
  if (matrix !== null) input.video?.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, matrix);
  return input;
}

/**
 * An image with its first picture only. Behind it a file can have another: a gain map (ISO 21496-1), a preview or second view (CIPA DC-007),
 * or one that was joined to it.
 */
function firstPicture(file: Input): Input {
  let isRead = false;
  return {
    ...file,
    isStill: true,
    read(packet) {
      while (!isRead && file.read(packet)) {
        isRead = packet.streamIndex === file.video?.index;
        if (isRead) return true;
        packet.unref();
      }
      return false;
    },
  };
}

/** Display matrix of a photograph, which is stored in the picture (Exif) and not in a header. Null for pictures that no decoder accepts. */
async function imageMatrix(path: string, demuxer: string): Promise<Buffer | null> {
  using input = await openDemuxer(path, demuxer, demuxer);
  if (input.video === null) return null;
  const { width, height } = input.video.codecpar;
  if (width * height > MAX_PIXELS) return null;
  using decoder = await StreamDecoder.open(input, input.video, { threads: 1 });
  const matrix = decoder.next()?.getSideData(AV_FRAME_DATA_DISPLAYMATRIX) ?? null;
  return matrix === null ? null : Buffer.from(matrix);
}

/** `demuxer`: left out: detected by the file's content. */
async function openDemuxer(path: string, demuxers: string, demuxer?: string): Promise<Input> {
  const open = () => openContext(path, demuxers, demuxer);
  const context = await open();
  try {
    const clock = await surveyClock(path, context, open);
    const { video, audio, undecodable } = await chooseDecodableStreams(context, clock, open);
    const animation = isAnimation(containerName(context))
      ? readAnimationLength(await openHeader(path, demuxers, demuxer))
      : null;
    const stamps = animation === null ? null : new AnimationStamps();
    const { startSeconds, durationSeconds } = animation
      ? { startSeconds: 0, ...animation }
      : presentationOf(context, [video, audio], clock);
    const delays = new Map<number, number>();
    if (video !== null) {
      const header = () => openHeader(path, demuxers, demuxer);
      const first = await firstPackets(video, containerName(context) === 'avi', header);
      if (first.displayMatrix !== null)
        video.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, first.displayMatrix);
      if (first.delaySeconds > 0) delays.set(video.index, first.delaySeconds);
    }
    const shift = new StampShift(context, clock, startSeconds, delays);
    return {
      ...{ context, clock, video, audio, undecodableAudio: undecodable, startSeconds, durationSeconds },
      formatName: context.iformat?.name ?? 'unknown',
      streamCount: context.streams?.length ?? 0,
      isStill: false,
      read(packet) {
        if (context.readFrameSync(packet) < 0) return false;
        stamps?.apply(packet, context.streams![packet.streamIndex]!.timeBase);
        shift.apply(packet);
        return true;
      },
      [Symbol.dispose]: () => context.closeInputSync(),
    };
  } catch (error) {
    context.closeInputSync();
    throw error;
  }
}

/** Chooses streams. Of several sound tracks, each is tried before it is chosen; a single one is not. */
async function chooseDecodableStreams(
  context: FormatContext,
  clock: FileClock | null,
  reopen: () => Promise<FormatContext>,
): Promise<ChosenStreams> {
  const silent = new Set<number>();
  for (;;) {
    const chosen = chooseStreams(context, clock, silent);
    if (chosen.audio === null || chosen.soundTracks - silent.size < 2) return chosen;
    const trial = await reopen();
    try {
      const stream = trial.streams?.[chosen.audio.index];
      if (stream === undefined || (await decodesToSound(trial, stream))) return chosen;
    } finally {
      trial.closeInputSync();
    }
    silent.add(chosen.audio.index);
  }
}

/**
 * The presentation begins with the first picture or sound of the chosen streams. Broadcast containers cannot mark priming samples, so
 * sound that begins less than `PRIMING_SECONDS` before the picture does not count.
 */
function presentationOf(
  context: FormatContext,
  [video, audio]: readonly [Stream | null, Stream | null],
  clock: FileClock | null,
): Pick<Input, 'startSeconds' | 'durationSeconds'> {
  const containerStart = stampSeconds(context.startTime, MICROSECOND_BASE) ?? 0;
  const startOf = (stream: Stream | null) =>
    stream === null ? null : stampSeconds(stream.startTime, stream.timeBase);
  const [picture, sound] = [startOf(video), startOf(audio)];
  const isPriming = (sound ?? 0) < (picture ?? 0) && (picture ?? 0) - (sound ?? 0) < PRIMING_SECONDS;
  const first = Math.min(picture ?? Number.POSITIVE_INFINITY, sound ?? Number.POSITIVE_INFINITY);
  const begins = isPriming && isBroadcast(containerName(context)) ? picture! : first;
  const startSeconds = Number.isFinite(begins) ? begins : containerStart;
  const claimed = stampSeconds(context.duration, MICROSECOND_BASE);
  if (clock !== null && !clock.isContinuous) {
    const ends = [video, audio].map((stream) => (stream === null ? null : clock.spanOf(stream.index)));
    const end = Math.max(...ends.map((span) => span?.endSeconds ?? Number.NEGATIVE_INFINITY));
    if (Number.isFinite(end)) return { startSeconds, durationSeconds: end - startSeconds };
  }
  const durationSeconds = claimed === null || claimed <= 0 ? null : claimed - (startSeconds - containerStart);
  return { startSeconds, durationSeconds };
}
