import { stat } from 'node:fs/promises';
import { AV_DISPOSITION_ATTACHED_PIC, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { ClockSurvey, type GapLimits } from './clock-survey.ts';
import type { FileClock, StreamKind } from './file-clock.ts';
import { stampSeconds } from './stamps.ts';

/** Containers of broadcasts and streams. A gap in all streams above FFmpeg's own limit for them is a jump of the sender's clock. */
const BROADCAST_FORMATS = ['mpegts', 'mpeg', 'flv'];
const MAX_BROADCAST_GAP_SECONDS = 10;
/**
 * Formats of continuous senders: a gap of picture and sound is a joint or lost reception. Senders of FLV may
 * omit silence.
 */
const MPEG_FORMATS = ['mpegts', 'mpeg'];
/** Twice the time within which MPEG multiplexes picture and sound of one moment. */
const MAX_MPEG_GAP_SECONDS = 2;
/** Screen recordings can have long gaps, but hardly of an hour. */
const MAX_GAP_SECONDS = 3600;
const OTHER_STREAMED_FORMATS = ['matroska', 'ogg', 'asf'];
const YIELD_MS = 50;
/** Cached surveys. A child process opens two files, a test many. */
const MAX_CACHED = 16;

/** Surveys by the file's identity: one media child opens a file several times. */
const cached = new Map<string, Promise<FileClock>>();

/** Whether a container, by FFmpeg's first name for it, cannot mark priming samples and gaps. */
export function isBroadcast(formatName: string): boolean {
  return BROADCAST_FORMATS.includes(formatName);
}

/**
 * The clock of a file whose container allows jumps of time stamps, or whose streams must be counted. Reads all packets without decoding,
 * once per process. Null: the container's index guarantees continuous time stamps.
 */
export async function surveyClock(
  path: string,
  context: FormatContext,
  reopen: () => Promise<FormatContext>,
): Promise<FileClock | null> {
  const name = containerName(context);
  const isStreamed = isBroadcast(name) || OTHER_STREAMED_FORMATS.includes(name);
  if (!isStreamed && !hasUncountedPictures(context)) return null;
  const { ino, size, mtimeMs } = await stat(path);
  const key = `${path}/${ino}/${size}/${mtimeMs}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const survey = reopen().then(async (other) => {
    try {
      return await readAll(other, gapLimits(name));
    } finally {
      other.closeInputSync();
    }
  });
  if (cached.size >= MAX_CACHED) cached.delete(cached.keys().next().value!);
  cached.set(key, survey);
  survey.catch(() => cached.delete(key));
  return survey;
}

function gapLimits(name: string): GapLimits {
  const singleSeconds = isBroadcast(name) ? MAX_BROADCAST_GAP_SECONDS : MAX_GAP_SECONDS;
  const isMultiplexed = MPEG_FORMATS.includes(name);
  return {
    singleSeconds,
    commonSeconds: isMultiplexed ? MAX_MPEG_GAP_SECONDS : singleSeconds,
    isMultiplexed,
  };
}

/** FFmpeg's first name for the container. */
export function containerName(context: FormatContext): string {
  return (context.iformat?.name ?? 'unknown').split(',')[0];
}

/** Whether there are several video streams, and a header lacks the number of pictures. */
function hasUncountedPictures({ streams }: FormatContext): boolean {
  const pictures = (streams ?? []).filter((stream) => kindOf(stream) === 'picture');
  return pictures.length > 1 && pictures.some(({ nbFrames }) => nbFrames === 0n);
}

async function readAll(context: FormatContext, limits: GapLimits): Promise<FileClock> {
  const survey = new ClockSurvey(limits);
  const kinds: StreamKind[] = [];
  const bases: { readonly num: number; readonly den: number }[] = [];
  const packet = new Packet();
  packet.alloc();
  let lastYield = performance.now();
  while (context.readFrameSync(packet) >= 0) {
    const { streamIndex: index, pts, dts, duration } = packet;
    packet.unref();
    if (kinds[index] === undefined) {
      // Broadcasts can add streams later.
      const stream = context.streams![index];
      kinds[index] = kindOf(stream);
      bases[index] = stream.timeBase;
    }
    const base = bases[index];
    survey.push(index, kinds[index], {
      decodingSeconds: stampSeconds(dts, base),
      presentationSeconds: stampSeconds(pts, base),
      durationSeconds: stampSeconds(duration, base) ?? 0,
    });
    if (performance.now() - lastYield < YIELD_MS) continue;
    await new Promise(setImmediate);
    lastYield = performance.now();
  }
  packet.free();
  return survey.finish();
}

/** A cover picture counts as `other`, because it has no time. */
function kindOf(stream: Stream): StreamKind {
  const { codecType } = stream.codecpar;
  if (codecType === AVMEDIA_TYPE_AUDIO) return 'sound';
  const isPicture = codecType === AVMEDIA_TYPE_VIDEO && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC);
  return isPicture ? 'picture' : 'other';
}
