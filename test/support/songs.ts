import {
  AV_CODEC_ID_MJPEG,
  AV_DISPOSITION_ATTACHED_PIC,
  AV_PKT_FLAG_KEY,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { FormatContext, Packet } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';
import { check, finish } from './remux.ts';

/** Copies the sound of a clip into a file of its own, by FFmpeg's name of the container; `cover`: a JPEG that goes with it. */
export async function writeSong(
  clipPath: string,
  format: string,
  outputPath: string,
  cover: Buffer | null = null,
): Promise<string> {
  using input = await openInput(clipPath);
  const sound = input.audio!;
  const output = new FormatContext();
  check(output.allocOutputContext2(null, format, outputPath));
  const stream = output.newStream(null);
  check(sound.codecpar.copy(stream.codecpar));
  stream.codecpar.codecTag = 0;
  stream.timeBase = sound.timeBase;
  if (cover !== null) {
    const picture = output.newStream(null);
    picture.codecpar.codecType = AVMEDIA_TYPE_VIDEO;
    picture.codecpar.codecId = AV_CODEC_ID_MJPEG;
    picture.codecpar.width = 64;
    picture.codecpar.height = 64;
    picture.disposition = AV_DISPOSITION_ATTACHED_PIC;
  }
  check(await output.openOutput());
  check(await output.writeHeader());
  const packet = new Packet();
  packet.alloc();
  if (cover !== null) {
    const picture = new Packet();
    picture.alloc();
    picture.data = cover;
    picture.streamIndex = 1;
    picture.pts = 0n;
    picture.dts = 0n;
    picture.flags = AV_PKT_FLAG_KEY;
    check(await output.interleavedWriteFrame(picture));
    picture.free();
  }
  while (input.context.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === sound.index) {
      packet.streamIndex = 0;
      packet.rescaleTs(sound.timeBase, stream.timeBase);
      check(output.interleavedWriteFrameSync(packet));
    }
    packet.unref();
  }
  await finish(output, packet);
  return outputPath;
}
