import { Packet } from 'node-av/lib';
import { openInput } from '../../src/media/av/open-input.ts';
import { stampSeconds } from '../../src/media/av/stamps.ts';
import { remux } from './remux.ts';

/** Times of a clip's key frames. */
export async function keyFramesOf(path: string): Promise<number[]> {
  using input = await openInput(path);
  const packet = new Packet();
  packet.alloc();
  const times: number[] = [];
  while (input.read(packet)) {
    if (packet.streamIndex === input.video!.index && packet.isKeyframe)
      times.push(stampSeconds(packet.pts, input.video!.timeBase)!);
    packet.unref();
  }
  packet.free();
  return times;
}

/** Writes the packets of a part, which begins with a key frame, into an MP4 of its own. */
export function cutLosslessly(
  path: string,
  [from, to]: readonly [number, number],
  outputPath: string,
): Promise<void> {
  const isKept = (seconds: number) => seconds >= from - 1e-3 && seconds < to - 1e-3;
  return remux(path, 'mp4', outputPath, () => 0, -from, isKept);
}
