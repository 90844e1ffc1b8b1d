import { type AudioSample, AudioSampleSink } from 'mediabunny';
import type { MediaFile } from './media-file.ts';
import { SAMPLE_RATE } from './messages.ts';

/** Decoding starts so long before the first sample that is needed: AAC needs some packets to be exact. */
const LEAD_SECONDS = 0.1;
/** Of one channel on both sides, as FFmpeg mixes it. */
const MONO_GAIN = Math.SQRT1_2;

interface Decoded {
  /** Position of the first sample in the file, at the output's rate. */
  readonly at: number;
  readonly length: number;
  readonly channels: readonly [Float32Array, Float32Array];
}

/** Reads the sound of one file forwards as stereo at 48 kHz; a jump starts again. One call at a time. */
export class SoundReader {
  readonly #file: MediaFile;
  #samples: AsyncGenerator<AudioSample, void, unknown> | null = null;
  #decoded: Decoded[] = [];
  #position = 0;

  constructor(file: MediaFile) {
    this.#file = file;
  }

  /** Calls `use` with runs of samples that lie in `from` to `to`: the rest is silence. */
  async read(
    from: number,
    to: number,
    use: (at: number, left: Float32Array, right: Float32Array) => void,
  ): Promise<void> {
    const track = await this.#file.audio();
    if (track === null) return;
    if (this.#samples === null || from !== this.#position) {
      this.close();
      const start = Math.max(0, from / SAMPLE_RATE - LEAD_SECONDS);
      this.#samples = new AudioSampleSink(track).samples(start);
    }
    this.#position = to;
    while ((this.#decoded.at(-1)?.at ?? 0) + (this.#decoded.at(-1)?.length ?? 0) < to) {
      const { value: sample } = await this.#samples.next();
      if (sample === undefined) break;
      this.#decoded.push(stereoOf(sample));
      sample.close();
    }
    for (const { at, length, channels } of this.#decoded) {
      const [begin, end] = [Math.max(from, at), Math.min(to, at + length)];
      if (end > begin)
        use(begin, channels[0].subarray(begin - at, end - at), channels[1].subarray(begin - at, end - at));
    }
    this.#decoded = this.#decoded.filter(({ at, length }) => at + length > to);
  }

  close(): void {
    void this.#samples?.return();
    this.#samples = null;
    this.#decoded = [];
  }
}

function stereoOf(sample: AudioSample): Decoded {
  const { numberOfFrames, numberOfChannels, sampleRate, timestamp } = sample;
  const channel = (planeIndex: number) => {
    const plane = new Float32Array(numberOfFrames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return atOutputRate(plane, sampleRate);
  };
  const left = channel(0);
  const right = numberOfChannels > 1 ? channel(1) : left;
  if (numberOfChannels === 1) for (let at = 0; at < left.length; at++) left[at]! *= MONO_GAIN;
  return { at: Math.round(timestamp * SAMPLE_RATE), length: left.length, channels: [left, right] };
}

/** Linear interpolation: proxies have the output's rate, and this is for files of other services. */
function atOutputRate(plane: Float32Array, sampleRate: number): Float32Array {
  if (sampleRate === SAMPLE_RATE) return plane;
  const step = sampleRate / SAMPLE_RATE;
  return Float32Array.from({ length: Math.round(plane.length / step) }, (_, at) => {
    const place = Math.min(plane.length - 1, at * step);
    const before = Math.floor(place);
    const after = Math.min(plane.length - 1, before + 1);
    return plane[before]! + (plane[after]! - plane[before]!) * (place - before);
  });
}
