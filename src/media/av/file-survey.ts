import { stat } from 'node:fs/promises';
import { AV_DISPOSITION_ATTACHED_PIC, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { ClockSurvey, type FileClock, type StreamKind } from './file-clock.ts';
import { stampSeconds } from './stamps.ts';

/** Containers that are written as a broadcast or a stream arrives: a gap in all streams is a jump of the sender's clock. FFmpeg's own limit for them. */
const BROADCAST_FORMATS = ['mpegts', 'mpeg', 'flv'];
const MAX_BROADCAST_GAP_SECONDS = 10;
/** Recordings of a screen may stand still for long, but hardly for an hour. */
const MAX_GAP_SECONDS = 3600;
const OTHER_STREAMED_FORMATS = ['matroska', 'ogg', 'asf'];
const YIELD_MS = 50;
/** A child works on two files, a test on many. */
const MAX_KEPT = 16;

/** Surveys by the file's identity: one media child opens a file several times. */
const kept = new Map<string, Promise<FileClock>>();

/** Whether the first of FFmpeg's names for a container is one of a format that has no mark for priming samples, and none for gaps. */
export function isBroadcast(formatName: string): boolean {
  return BROADCAST_FORMATS.includes(formatName);
}

/**
 * The clock of a file whose container allows stamps to jump, or of which the streams must be counted: reads all packets, without decoding,
 * once for each process. Null: the container's index gives even stamps.
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
  const known = kept.get(key);
  if (known !== undefined) return known;
  const survey = reopen().then(async (other) => {
    try {
      return await readAll(other, isBroadcast(name) ? MAX_BROADCAST_GAP_SECONDS : MAX_GAP_SECONDS);
    } finally {
      other.closeInputSync();
    }
  });
  if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, survey);
  survey.catch(() => kept.delete(key));
  return survey;
}

/** The first of FFmpeg's names for it. */
export function containerName(context: FormatContext): string {
  return (context.iformat?.name ?? 'unknown').split(',')[0];
}

/** Several video streams, and headers that do not count their pictures. */
function hasUncountedPictures({ streams }: FormatContext): boolean {
  const pictures = (streams ?? []).filter((stream) => kindOf(stream) === 'picture');
  return pictures.length > 1 && pictures.some(({ nbFrames }) => nbFrames === 0n);
}

async function readAll(context: FormatContext, maxGapSeconds: number): Promise<FileClock> {
  const survey = new ClockSurvey(maxGapSeconds);
  const kinds: StreamKind[] = [];
  const bases: { readonly num: number; readonly den: number }[] = [];
  const packet = new Packet();
  packet.alloc();
  let lastYield = performance.now();
  while (context.readFrameSync(packet) >= 0) {
    const { streamIndex: index, pts, dts, duration } = packet;
    packet.unref();
    if (kinds[index] === undefined) {
      // A broadcast may announce streams on the way.
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

/** A cover picture is of no time. */
function kindOf(stream: Stream): StreamKind {
  const { codecType } = stream.codecpar;
  if (codecType === AVMEDIA_TYPE_AUDIO) return 'sound';
  const isPicture = codecType === AVMEDIA_TYPE_VIDEO && !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC);
  return isPicture ? 'picture' : 'other';
}
