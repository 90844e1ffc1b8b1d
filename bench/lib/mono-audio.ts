import { openSamples } from '../../src/media/decode/samples.ts';

/** All sound of a file, mixed down. */
export async function readMono(path: string, sampleRate: number): Promise<Float32Array> {
  const blocks: Float32Array[] = [];
  for await (const block of openSamples(path, { sampleRate, channels: 'mono' }))
    blocks.push(block.channels[0]);
  const whole = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}
