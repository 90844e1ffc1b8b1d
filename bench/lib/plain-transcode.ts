/** Reference for the whole job: the same engine, which only decodes, scales and encodes. */
import type { Frame } from 'node-av/lib';
import type { Compression } from '../../src/domain/compression.ts';
import { type FrameRate, framesPerSecond } from '../../src/domain/time.ts';
import { LinearGraph } from '../../src/media/av/graph.ts';
import type { Input } from '../../src/media/av/input.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { outputColorFilters, SCALE_FLAGS } from '../../src/media/av/output-colors.ts';
import { OUTPUT_SAMPLE_RATE } from '../../src/media/av/output-sample-rate.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { Mp4Writer } from '../../src/media/encode/encode.ts';
import { AUDIO_LEAD_SECONDS } from '../../src/media/encode/encode-audio.ts';

export interface TranscodeRequest extends Compression {
  readonly sourcePath: string;
  readonly outputPath: string;
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
}

/** Re-encodes a clip; its picture is squeezed where the ratios differ. Resolves with the number of frames. */
export async function transcode(request: TranscodeRequest): Promise<number> {
  using input = await openInput(request.sourcePath);
  const rate = framesPerSecond(request.frameRate);
  using writer = await Mp4Writer.open(request.outputPath, request, input.audio !== null);
  const audio =
    input.audio === null
      ? null
      : openSamples(request.sourcePath, {
          sampleRate: OUTPUT_SAMPLE_RATE,
          channels: 'stereo',
        });
  for await (const frame of framesAtRate(input, request, rate)) {
    while (audio !== null && writer.audioSeconds < writer.frameCount / rate + AUDIO_LEAD_SECONDS) {
      const block = await audio.next();
      if (block.done === true) break;
      const [left, right] = block.value.channels;
      writer.writeSamples(left!, right!);
    }
    writer.writeFrame(frame);
  }
  if (audio !== null) for await (const { channels } of audio) writer.writeSamples(channels[0], channels[1]);
  await writer.finish();
  return writer.frameCount;
}

/** Each output frame shows the last frame that is due, within half an output frame. */
async function* framesAtRate(input: Input, size: TranscodeRequest, rate: number): AsyncGenerator<Frame> {
  const video = input.video!;
  using decoder = await StreamDecoder.open(input, video);
  using scaler = new LinearGraph('video', video.timeBase, (frame) => scaling(frame, size));
  let held: Frame | null = null;
  let count = 0;
  for (;;) {
    const decoded = decoder.next();
    const due = decoded === null ? (count + 1) / rate : decoder.frameSeconds(decoded);
    while (held !== null && (count + 0.5) / rate < due) {
      count++;
      yield held;
    }
    if (decoded === null) break;
    scaler.push(decoded, (frame) => {
      held?.free();
      held = frame.clone();
    });
  }
  (held as Frame | null)?.free();
}

/** No filter but the pixel format's where neither size nor colors change. The output is tagged as BT.709. */
function scaling(frame: Frame, { width, height }: TranscodeRequest): string {
  const colors = outputColorFilters(frame);
  if (frame.width === width && frame.height === height) return `${colors}format=yuv420p`;
  const scale = `scale=${width}:${height}:${SCALE_FLAGS},`;
  return `${width < frame.width ? scale + colors : colors + scale}format=yuv420p`;
}

/** Decodes both streams to their ends and looks at nothing. Resolves with the number of frames. */
export async function decodeAlone(path: string): Promise<number> {
  using input = await openInput(path);
  let frameCount = 0;
  if (input.video !== null) {
    using decoder = await StreamDecoder.open(input, input.video);
    while (decoder.next() !== null);
    frameCount = decoder.frameCount;
  }
  if (input.audio !== null) {
    using again = await openInput(path);
    using decoder = await StreamDecoder.open(again, again.audio!, { threads: 1 });
    while (decoder.next() !== null);
  }
  return frameCount;
}
