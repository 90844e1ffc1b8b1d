import { Frame } from 'node-av/lib';
import { fillAudioFrame, readAudioFrame, type StereoBlock } from '../../media/av/audio-frame.ts';
import { LinearGraph } from '../../media/av/graph.ts';
import { OUTPUT_SAMPLE_RATE } from '../../media/av/output-sample-rate.ts';
import type { AudioPlan } from '../../style/model/timeline.ts';
import { equalizerChain } from './audio-chain.ts';
import type { Dynamics } from './audio-dynamics.ts';
import { AudioLimiter } from './audio-limiter.ts';
import { STEP_SECONDS } from './audio-trace.ts';
import type { OutputSound } from './output-sound.ts';

/**
 * The sound of a timeline after an equalizer. Stereo at 48 kHz, exactly as long as the timeline. `onAssembled` receives the blocks
 * before the equalizer.
 */
export async function* openAudioTrack(
  sound: OutputSound,
  equalizer: AudioPlan['equalizer'],
  onAssembled: (block: StereoBlock) => void = () => {},
): AsyncGenerator<StereoBlock> {
  const { totalSamples } = sound;
  const chain = equalizerChain(equalizer);
  using graph = new LinearGraph('audio', { num: 1, den: OUTPUT_SAMPLE_RATE }, () => chain);
  const frame = new Frame();
  frame.alloc();
  let sent = 0;
  let received = 0;
  const out: StereoBlock[] = [];
  const process = (block: StereoBlock | null) => {
    if (block !== null) {
      onAssembled(block);
      fillAudioFrame(frame, block, sent);
    }
    sent += block?.[0].length ?? 0;
    graph.push(block === null ? null : frame, (filtered) => {
      const [left, right] = readAudioFrame(filtered) as [Float32Array, Float32Array];
      // The filter's tail after the end is cut off.
      const count = Math.min(left.length, totalSamples - received);
      if (count <= 0) return;
      received += count;
      out.push([left.subarray(0, count), right.subarray(0, count)]);
    });
  };
  try {
    for await (const block of sound.blocks()) {
      process(block);
      yield* out.splice(0);
    }
    process(null);
    yield* out.splice(0);
    const missing = totalSamples - received;
    if (missing > 0) yield [new Float32Array(missing), new Float32Array(missing)];
  } finally {
    frame.free();
  }
}

/** Applies the gain curve, then the limiter. Length and timing are unchanged. */
export async function* withDynamics(
  blocks: AsyncIterable<StereoBlock>,
  { gainsDb, limiterDbtp }: Dynamics,
): AsyncGenerator<StereoBlock> {
  const gain = new GainCurve(gainsDb);
  const limiter =
    limiterDbtp === null ? null : new AudioLimiter(10 ** (limiterDbtp / 20), OUTPUT_SAMPLE_RATE);
  let early = limiter?.delaySamples ?? 0;
  const limited = (block: StereoBlock): StereoBlock => {
    const out = limiter?.push(block) ?? block;
    const skipped = Math.min(early, out[0].length);
    early -= skipped;
    return [out[0].subarray(skipped), out[1].subarray(skipped)];
  };
  for await (const block of blocks) yield limited(gain.push(block));
  if (limiter === null) return;
  const rest = new Float32Array(limiter.delaySamples);
  yield limited([rest, rest]);
}

/** Gains at the centres of their steps, interpolated linearly. */
class GainCurve {
  readonly #gains: Float64Array;
  readonly #stepSamples = STEP_SECONDS * OUTPUT_SAMPLE_RATE;
  #position = 0;

  constructor(gainsDb: Float32Array) {
    this.#gains = Float64Array.from(gainsDb, (gain) => 10 ** (gain / 20));
  }

  push([left, right]: StereoBlock): StereoBlock {
    const out = [new Float32Array(left.length), new Float32Array(right.length)] as const;
    const last = this.#gains.length - 1;
    for (let n = 0; n < left.length; n++) {
      const place = Math.max(0, (this.#position + n + 0.5) / this.#stepSamples - 0.5);
      const before = Math.min(last, Math.floor(place));
      const from = this.#gains[before] ?? 1;
      const gain = from + ((this.#gains[Math.min(last, before + 1)] ?? 1) - from) * (place - before);
      out[0][n] = left[n] * gain;
      out[1][n] = right[n] * gain;
    }
    this.#position += left.length;
    return out;
  }
}
