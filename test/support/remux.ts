import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';

/** Microseconds, as by FFmpeg's command line: up to half of it of sound shares one stamp. */
const BROADCAST_OPTIONS = { max_delay: '700000' };

/**
 * Writes the same streams into another container, by FFmpeg's name of it: packets are copied. `delayOf` returns how many
 * seconds the sound is delayed; `startSeconds` delays everything; `isKept` selects packets by their times; `metadata`: of each stream.
 */
export async function remux(
  path: string,
  format: string,
  outputPath: string,
  delayOf: (seconds: number) => number = () => 0,
  startSeconds = 0,
  isKept: (seconds: number) => boolean = () => true,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  using input = await openInput(path);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, format, outputPath));
  const streams = new Map<number, Stream>();
  for (const stream of input.context.streams) {
    const { codecType } = stream.codecpar;
    if (codecType !== AVMEDIA_TYPE_VIDEO && codecType !== AVMEDIA_TYPE_AUDIO) continue;
    const copy = output.newStream(null);
    check(stream.codecpar.copy(copy.codecpar));
    // Each container has its own tags for the same codecs.
    copy.codecpar.codecTag = 0;
    copy.timeBase = stream.timeBase;
    copy.metadata = Dictionary.fromObject(metadata);
    streams.set(stream.index, copy);
  }
  check(await output.openOutput());
  const options = Dictionary.fromObject(format === 'mpegts' ? BROADCAST_OPTIONS : {});
  check(await output.writeHeader(options));
  options.free();
  const packet = new Packet();
  packet.alloc();
  while (input.context.readFrameSync(packet) >= 0) {
    const target = streams.get(packet.streamIndex);
    if (target !== undefined) {
      const from = input.context.streams[packet.streamIndex].timeBase;
      packet.streamIndex = target.index;
      packet.rescaleTs(from, target.timeBase);
      const { num, den } = target.timeBase;
      const seconds = (Number(packet.pts) * num) / den;
      const isAudio = target.codecpar.codecType === AVMEDIA_TYPE_AUDIO;
      const later = startSeconds + (isAudio ? delayOf(seconds) : 0);
      const delay = BigInt(Math.round((later * den) / num));
      packet.pts += delay;
      packet.dts += delay;
      if (isKept(seconds)) check(output.interleavedWriteFrameSync(packet));
    }
    packet.unref();
  }
  await finish(output, packet);
}

/** Frees both. */
export async function finish(output: FormatContext, packet: Packet): Promise<void> {
  packet.free();
  check(await output.writeTrailer());
  await output.closeOutput();
  output.freeContext();
}

export function check(result: number): void {
  if (result < 0) throw new Error(`Copying the packets failed (FFmpeg error ${result})`);
}
