/** Task `proxy` of a media child. */
import { PresentationClock } from '../../analysis/frames/presentation-clock.ts';
import type { ProxyOutline } from '../../domain/proxy.ts';
import type { Input } from '../../media/av/input.ts';
import { openInput } from '../../media/av/open-input.ts';
import { pictureTimes } from '../../media/read/packet-scan.ts';
import { writePhotoProxy, writeSoundProxy, writeVideoProxy } from '../../render/proxy.ts';
import type { TaskInput } from './tasks.ts';

export async function makeProxy(
  request: TaskInput<'proxy'>,
  onProgress: (fraction: number) => void,
): Promise<ProxyOutline> {
  using input = await openInput(request.sourcePath);
  if (input.isStill) return writePhotoProxy(request);
  if (input.video === null) return writeSoundProxy(request, onProgress);
  return writeVideoProxy({ ...request, ...presentationOf(input, input.video) }, onProgress);
}

/** Rate and length as the analysis finds them, from the packets alone. Reads the file to its end. */
function presentationOf(input: Input, video: NonNullable<Input['video']>) {
  const clock = new PresentationClock();
  for (const seconds of pictureTimes(input, video)) clock.push(seconds);
  const { frameRate, durationSeconds } = clock.finish(input.durationSeconds);
  return { frameRate, durationSeconds, hasSound: input.audio !== null };
}
