import type { HardwareEncoder } from '../../domain/encoder-choice.ts';
import { emptyFrame } from '../../media/av/empty-frame.ts';
import { Mp4Writer } from '../../media/encode/encode.ts';
import { planesOf } from '../picture/planes.ts';
import { SampleLog } from './sample-log.ts';
import { verifyOutput } from './verify.ts';

export interface EncoderTrial {
  /** Null: x264. */
  readonly encoder: HardwareEncoder | null;
  /** File that the trial writes. */
  readonly outputPath: string;
}

/** Large enough for all hardware encoders; slightly more than two groups of pictures. */
const [WIDTH, HEIGHT, RATE, FRAMES] = [640, 360, 25, 110];

/**
 * Encodes four seconds of a moving pattern and verifies them like an output, because an encoder that can be opened need not work.
 * Throws `Failure` ENCODER_FAILED, OUTPUT_VERIFY_FAILED with the reason.
 */
export async function tryEncoder({ encoder, outputPath }: EncoderTrial): Promise<void> {
  const frameRate = { numerator: RATE, denominator: 1 };
  const encoding = { width: WIDTH, height: HEIGHT, frameRate, preset: 'veryfast', crf: 22 };
  await using writer = await Mp4Writer.open(
    outputPath,
    encoder === null ? encoding : { ...encoding, encoder },
    false,
  );
  const drawn = new SampleLog(RATE);
  for (let number = 0; number < FRAMES; number++) {
    const frame = emptyFrame(WIDTH, HEIGHT);
    const [luma, ...chroma] = planesOf(frame);
    for (let y = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++) luma.data[y * luma.stride + x] = 40 + ((x + y + 4 * number) % 160);
    for (const { data } of chroma) data.fill(128);
    drawn.push(frame);
    await writer.writeFrameAsync(frame);
  }
  const written = await writer.finish();
  const expected = { frameCount: FRAMES, frameRate, durationSeconds: FRAMES / RATE, written, drawn };
  await verifyOutput(outputPath, { ...expected, width: WIDTH, height: HEIGHT, audio: null }, () => {});
}
