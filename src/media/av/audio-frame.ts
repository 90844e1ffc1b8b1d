import { AV_CHANNEL_ORDER_NATIVE, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { OUTPUT_SAMPLE_RATE } from './output-sample-rate.ts';

/** Native order, front left and front right. */
export const STEREO = { nbChannels: 2, order: AV_CHANNEL_ORDER_NATIVE, mask: 3n };

/** Left and right samples, of equal length. */
export type StereoBlock = readonly [Float32Array, Float32Array];

/** Fills a frame with stereo samples at 48 kHz; `position` counts samples from the start. */
export function fillAudioFrame(frame: Frame, [left, right]: StereoBlock, position: number): void {
  frame.unref();
  frame.format = AV_SAMPLE_FMT_FLTP;
  frame.nbSamples = left.length;
  frame.sampleRate = OUTPUT_SAMPLE_RATE;
  frame.channelLayout = STEREO;
  if (frame.getBuffer() < 0)
    throw new Failure('OUT_OF_MEMORY', 'There is not enough memory for a sound frame');
  const planes = frame.data!;
  for (const [channel, samples] of [left, right].entries()) {
    const plane = planes[channel];
    new Float32Array(plane.buffer, plane.byteOffset, samples.length).set(samples);
  }
  frame.pts = BigInt(position);
}

/** Copies the planes of a float planar frame, which are views into memory that FFmpeg reuses. */
export function readAudioFrame(frame: Frame): Float32Array[] {
  const planes = frame.extendedData ?? frame.data ?? [];
  const count = frame.nbSamples;
  return planes.map((plane) => new Float32Array(plane.buffer, plane.byteOffset, count).slice());
}
