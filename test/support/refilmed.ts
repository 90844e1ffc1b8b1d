/** A real clip encoded again through FFmpeg filters: with bars, smaller, darker. */

import { snapFrameRate } from '../../src/domain/time.ts';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { openInput, VIDEO_DEMUXERS } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { Mp4Writer } from '../../src/media/encode/encode.ts';

/** Writes the picture of `path` to `output`, an MP4 of even size without sound. `filters` gives frames of that size. */
export async function refilm(
  path: string,
  output: string,
  { width, height, filters }: { readonly width: number; readonly height: number; readonly filters: string },
): Promise<string> {
  using input = await openInput(path, VIDEO_DEMUXERS);
  const stream = input.video!;
  using decoder = await StreamDecoder.open(input, stream, { threads: 1 });
  using graph = new LinearGraph('video', stream.timeBase, () => `${filters},format=yuv420p`);
  const { num, den } = stream.avgFrameRate;
  const encoding = { width, height, frameRate: snapFrameRate(num / den), preset: 'veryfast', crf: 20 };
  using writer = await Mp4Writer.open(output, encoding, false);
  for (;;) {
    const frame = await decoder.nextAsync();
    graph.push(frame, (filtered) => writer.writeFrame(filtered));
    if (frame === null) break;
  }
  await writer.finish();
  return output;
}
