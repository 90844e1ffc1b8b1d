import { AV_CODEC_ID_HEVC } from 'node-av/constants';
import { FormatContext, Packet } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';
import { check, finish } from './remux.ts';

/** First the flips, then the turns. */
export interface MessageOrientation {
  readonly flipsX?: boolean;
  readonly flipsY?: boolean;
  /** Anticlockwise. */
  readonly quarterTurns?: number;
}

/**
 * Copies the picture of an MP4 file of H.264 or HEVC into another container, by FFmpeg's name of it, with an SEI message about its
 * orientation before each key picture.
 */
export async function withOrientationMessage(
  path: string,
  format: string,
  outputPath: string,
  orientation: MessageOrientation,
): Promise<string> {
  using input = await openInput(path);
  const video = input.video!;
  const unit = orientationUnit(orientation, video.codecpar.codecId === AV_CODEC_ID_HEVC);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(unit.length);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, format, outputPath));
  const copy = output.newStream(null);
  check(video.codecpar.copy(copy.codecpar));
  copy.codecpar.codecTag = 0;
  copy.timeBase = video.timeBase;
  check(await output.openOutput());
  check(await output.writeHeader());
  const packet = new Packet();
  packet.alloc();
  while (input.context.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === video.index) {
      if (packet.isKeyframe) {
        const { pts, dts, duration, flags, data } = packet;
        // Setting the data clears the rest.
        packet.data = Buffer.concat([length, unit, data!]);
        Object.assign(packet, { pts, dts, duration, flags });
      }
      packet.streamIndex = 0;
      packet.rescaleTs(video.timeBase, copy.timeBase);
      check(output.interleavedWriteFrameSync(packet));
    }
    packet.unref();
  }
  await finish(output, packet);
  return outputPath;
}

/** ITU-T H.264, D.1.27 and H.265, D.2.17. Its bytes need no protection from start codes. */
function orientationUnit(
  { flipsX = false, flipsY = false, quarterTurns = 0 }: MessageOrientation,
  isHevc: boolean,
) {
  const turn = (quarterTurns * 0x4000).toString(2).padStart(16, '0');
  // H.264: it holds until the next one (Exp-Golomb 1), without an extension; HEVC: it persists.
  const rest = isHevc ? '1' : '0100';
  const bits = `0${Number(flipsX)}${Number(flipsY)}${turn}${rest}1`.padEnd(24, '0');
  const payload = [0, 8, 16].map((at) => Number.parseInt(bits.slice(at, at + 8), 2));
  const header = isHevc ? [39 << 1, 1] : [6];
  return Buffer.from([...header, 47, payload.length, ...payload, 0x80]);
}
