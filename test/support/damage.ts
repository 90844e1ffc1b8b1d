import { readFileSync, writeFileSync } from 'node:fs';
import { AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';

/** Writes a copy of an MP4 whose packets of one kind have no valid content from `from` to `to` seconds; the index stays whole. */
export async function damage(
  path: string,
  kind: 'picture' | 'sound',
  [from, to]: readonly [number, number],
  outputPath: string,
  damagedBy: number,
): Promise<string> {
  using input = await openInput(path);
  const bytes = readFileSync(path);
  const type = kind === 'sound' ? AVMEDIA_TYPE_AUDIO : AVMEDIA_TYPE_VIDEO;
  const packet = new Packet();
  packet.alloc();
  while (input.read(packet)) {
    const { codecpar, timeBase } = input.context.streams![packet.streamIndex];
    const seconds = (Number(packet.pts) * timeBase.num) / timeBase.den;
    const at = Number(packet.pos);
    if (codecpar.codecType === type && seconds >= from - 0.001 && seconds < to)
      bytes.fill(damagedBy, at, at + packet.size);
    packet.unref();
  }
  packet.free();
  writeFileSync(outputPath, bytes);
  return outputPath;
}
