import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { hasOrientationMessages, orientationMatrix } from './orientation-message.ts';
import { stampSeconds } from './stamps.ts';

/** A transport stream may begin with a second of sound, and of other programs. */
const MAX_PACKETS = 2000;

/** Properties that the first packets of a video stream contain and headers do not. */
export interface FirstPackets {
  /** Null: upright, or unknown. */
  readonly displayMatrix: Buffer | null;
  /**
   * Seconds by which the stamps are later than the presentation. AVI stores packets in decoding order without times, and FFmpeg counts them
   * from 0, although reordered pictures are decoded before that.
   */
  readonly delaySeconds: number;
}

const NOTHING: FirstPackets = { displayMatrix: null, delaySeconds: 0 };

/**
 * Reads the beginning of the file a second time. `open` returns a context that starts at the first packet.
 */
export async function firstPackets(
  { codecpar, index, timeBase }: Stream,
  isAvi: boolean,
  open: () => Promise<FormatContext>,
): Promise<FirstPackets> {
  const mayTurn =
    hasOrientationMessages(codecpar) && codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX) === null;
  const delay = isAvi ? codecpar.videoDelay : 0;
  if (!mayTurn && delay === 0) return NOTHING;
  const context = await open();
  const packet = new Packet();
  packet.alloc();
  let displayMatrix: Buffer | null = null;
  const decodingSeconds: number[] = [];
  const wanted = delay === 0 ? 1 : 2;
  try {
    for (let read = 0; read < MAX_PACKETS && decodingSeconds.length < wanted; read++) {
      packet.unref();
      if (context.readFrameSync(packet) < 0) break;
      const { data, dts } = packet;
      if (packet.streamIndex !== index || data === null) continue;
      if (mayTurn && decodingSeconds.length === 0) displayMatrix = orientationMatrix(codecpar, data);
      decodingSeconds.push(stampSeconds(dts, timeBase) ?? 0);
    }
  } finally {
    packet.free();
    context.closeInputSync();
  }
  const [first = 0, second = first] = decodingSeconds;
  return { displayMatrix, delaySeconds: delay * Math.max(0, second - first) };
}
