import { Dictionary, FormatContext, Packet } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';
import { check, finish } from './remux.ts';

/** Copies the picture of a clip into a file with a start timecode, and a reel; the file's extension selects the container. */
export async function withTimecode(
  clip: string,
  path: string,
  { timecode, reel }: { readonly timecode: string; readonly reel?: string },
): Promise<string> {
  using input = await openInput(clip);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, path.endsWith('.mkv') ? 'matroska' : path.split('.').at(-1)!, path));
  const picture = output.newStream(null)!;
  check(input.video!.codecpar.copy(picture.codecpar));
  picture.codecpar.codecTag = 0;
  picture.timeBase = input.video!.timeBase;
  picture.avgFrameRate = input.video!.avgFrameRate;
  picture.metadata = Dictionary.fromObject({
    timecode,
    ...(reel === undefined ? {} : { reel_name: reel }),
  });
  if (path.endsWith('.mkv')) output.metadata = Dictionary.fromObject({ timecode });
  check(await output.openOutput());
  check(await output.writeHeader());
  const packet = new Packet();
  packet.alloc();
  while (input.context.readFrameSync(packet) >= 0) {
    if (packet.streamIndex === input.video!.index) {
      packet.rescaleTs(input.video!.timeBase, picture.timeBase);
      packet.streamIndex = 0;
      check(output.interleavedWriteFrameSync(packet));
    }
    packet.unref();
  }
  await finish(output, packet);
  return path;
}
