import { FormatContext, Packet, type Stream } from 'node-av/lib';
import type { Input } from '../../src/media/av/input.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { check, finish } from './remux.ts';

/** Copies the picture of one file and the sound of another into a MOV file, sound as it is stored. */
export async function addSound(picturePath: string, soundPath: string, outputPath: string): Promise<string> {
  using picture = await openInput(picturePath);
  using sound = await openInput(soundPath);
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'mov', outputPath));
  const tracks = [
    { input: picture, from: picture.video!, to: copied(output, picture.video!) },
    { input: sound, from: sound.audio!, to: copied(output, sound.audio!) },
  ];
  check(await output.openOutput());
  check(await output.writeHeader());
  const packet = new Packet();
  packet.alloc();
  for (const { input, from, to } of tracks) {
    while (isRead(input, packet)) {
      if (packet.streamIndex === from.index) {
        packet.streamIndex = to.index;
        packet.rescaleTs(from.timeBase, to.timeBase);
        check(output.writeFrameSync(packet));
      }
      packet.unref();
    }
  }
  await finish(output, packet);
  return outputPath;
}

function isRead({ context }: Input, packet: Packet): boolean {
  return context.readFrameSync(packet) >= 0;
}

function copied(output: FormatContext, from: Stream): Stream {
  const stream = output.newStream(null);
  check(from.codecpar.copy(stream.codecpar));
  stream.codecpar.codecTag = 0;
  stream.timeBase = from.timeBase;
  return stream;
}
