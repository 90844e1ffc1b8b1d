/** A clip played several times over, its packets copied: long videos at next to no cost. */
import { FormatContext, Packet, type Stream } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';

/** Writes an MP4 that shows `path` `times` times. */
export async function repeatClip(path: string, times: number, outputPath: string): Promise<void> {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mp4', outputPath), 'opening the output');
  const streams = await describeStreams(path, output);
  check(await output.openOutput(), 'opening the output');
  check(await output.writeHeader(), 'writing the header');
  let offsetSeconds = 0;
  for (let round = 0; round < times; round++)
    offsetSeconds += await appendRound(path, output, streams, offsetSeconds);
  check(await output.writeTrailer(), 'writing the index');
  await output.closeOutput();
  output.freeContext();
}

/** Output streams by their number in the input. */
async function describeStreams(path: string, output: FormatContext): Promise<Map<number, Stream>> {
  using input = await openInput(path);
  const streams = new Map<number, Stream>();
  for (const stream of [input.video, input.audio]) {
    if (stream === null) continue;
    const copy = output.newStream(null);
    check(stream.codecpar.copy(copy.codecpar), 'describing a stream');
    copy.timeBase = stream.timeBase;
    streams.set(stream.index, copy);
  }
  return streams;
}

/** The first packets of a stream may lie before its start (encoder delay): rounds keep this far apart. */
const GAP_SECONDS = 0.1;

/** Copies all packets, moved by the offset; returns how long the round lasts, by its longest stream. */
async function appendRound(
  path: string,
  output: FormatContext,
  streams: ReadonlyMap<number, Stream>,
  offsetSeconds: number,
): Promise<number> {
  using input = await openInput(path);
  const packet = new Packet();
  packet.alloc();
  let endSeconds = 0;
  while (input.context.readFrameSync(packet) >= 0) {
    const target = streams.get(packet.streamIndex);
    if (target !== undefined) {
      const from = input.context.streams[packet.streamIndex].timeBase;
      const shift = BigInt(Math.round((offsetSeconds * from.den) / from.num));
      endSeconds = Math.max(endSeconds, (Number(packet.pts + packet.duration) * from.num) / from.den);
      packet.pts += shift;
      packet.dts += shift;
      packet.streamIndex = target.index;
      packet.rescaleTs(from, target.timeBase);
      check(output.interleavedWriteFrameSync(packet), 'writing');
    }
    packet.unref();
  }
  packet.free();
  return endSeconds + GAP_SECONDS;
}

function check(result: number, what: string): void {
  if (result < 0) throw new Error(`${what} failed (FFmpeg error ${result})`);
}
