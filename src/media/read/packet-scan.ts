import { AV_PKT_DATA_ENCRYPTION_INFO, AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import { avGetCodecName, Packet, type Stream } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { refusal } from '../../domain/refusals.ts';
import type { Input } from '../av/input.ts';
import { stampSeconds } from '../av/stamps.ts';

/** Share of the announced packets below which a file counts as cut off. */
const MIN_PRESENT_SHARE = 0.5;
const MIN_DURATION_SECONDS = 0.5;
const MAX_STREAMS = 32;

export interface PacketScan {
  readonly packets: number;
  readonly durationSeconds: number;
  readonly isEncrypted: boolean;
}

/** Reads all packets of a stream without decoding them. */
export function scanPackets(input: Input, stream: Stream): PacketScan {
  const packet = new Packet();
  packet.alloc();
  const base = stream.timeBase;
  let packets = 0;
  let isEncrypted = false;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let step = 0;
  while (input.read(packet)) {
    if (packet.streamIndex === stream.index) {
      packets++;
      isEncrypted ||= packet.getSideData(AV_PKT_DATA_ENCRYPTION_INFO) !== null;
      const seconds = stampSeconds(packet.pts, base) ?? stampSeconds(packet.dts, base);
      const duration = (Number(packet.duration) * base.num) / base.den;
      if (duration > 0) step = duration;
      if (seconds !== null) {
        first = Math.min(first, seconds);
        last = Math.max(last, seconds + duration);
      }
    }
    packet.unref();
  }
  packet.free();
  if (step === 0 && packets > 1) last += (last - first) / (packets - 1);
  return { packets, durationSeconds: last < first ? 0 : last - first, isEncrypted };
}

/**
 * Presentation times of the pictures of a file, in seconds from the start of its presentation, ascending. Reads all packets without
 * decoding them. Pictures that an edit list removes are left out.
 */
export function pictureTimes(input: Input, { index, timeBase }: Stream): readonly number[] {
  const packet = new Packet();
  packet.alloc();
  const times: number[] = [];
  while (input.read(packet)) {
    if (packet.streamIndex === index && packet.size > 0 && (packet.flags & AV_PKT_FLAG_DISCARD) === 0) {
      const seconds = stampSeconds(packet.pts, timeBase) ?? stampSeconds(packet.dts, timeBase);
      if (seconds !== null) times.push(seconds);
    }
    packet.unref();
  }
  packet.free();
  return times.sort((one, other) => one - other);
}

/** `announced`: packets according to the header; 0: unknown. Throws INVALID_VIDEO for a file that is encrypted or cut off. */
export function checkScan(
  { packets, isEncrypted }: Omit<PacketScan, 'durationSeconds'>,
  announced: number,
  unit: string,
): void {
  if (isEncrypted) throw new Failure('INVALID_VIDEO', 'The file is encrypted (DRM); send it unencrypted');
  if (packets >= announced * MIN_PRESENT_SHARE) return;
  throw new Failure(
    'INVALID_VIDEO',
    `The file is cut off or damaged: it has ${packets} of ${announced} announced ${unit}`,
  );
}

/** Throws VIDEO_LIMIT_EXCEEDED. `what`: the beginning of the sentence, such as "The video". */
export function checkDuration(what: string, durationSeconds: number, maxDurationSeconds: number): void {
  const seconds = durationSeconds;
  const field =
    seconds < MIN_DURATION_SECONDS
      ? refusal('file', 'FILE_TOO_SHORT', { seconds, least_seconds: MIN_DURATION_SECONDS })
      : seconds > maxDurationSeconds
        ? refusal('file', 'FILE_TOO_LONG', { seconds, most_seconds: maxDurationSeconds })
        : null;
  if (field !== null)
    throw new Failure('VIDEO_LIMIT_EXCEEDED', `${what} ${field.message}`, { fields: [field] });
}

/** Throws VIDEO_LIMIT_EXCEEDED. */
export function checkStreamCount(streamCount: number): void {
  if (streamCount <= MAX_STREAMS) return;
  throw new Failure(
    'VIDEO_LIMIT_EXCEEDED',
    `The file has ${streamCount} streams; at most ${MAX_STREAMS} are accepted`,
  );
}

export function codecName(stream: Stream): string {
  return avGetCodecName(stream.codecpar.codecId) ?? 'unknown';
}
