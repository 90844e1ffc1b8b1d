import type { Envelope } from '../../domain/footage.ts';
import { openSamples } from '../decode/samples.ts';

export interface EnvelopeRequest {
  /** Start of the part in the file; default: the file's start. */
  readonly startSeconds?: number;
  readonly durationSeconds: number;
  readonly columns: number;
  readonly onProgress: (seconds: number) => void;
}

const SAMPLE_RATE = 44_100;

/** Decodes the sound of a file once. Null: no samples. Throws `Failure` INPUT_UNSUPPORTED if there is no sound stream. */
export async function readEnvelope(path: string, request: EnvelopeRequest): Promise<Envelope | null> {
  const { startSeconds = 0, durationSeconds } = request;
  const range = startSeconds === 0 ? undefined : ([startSeconds, startSeconds + durationSeconds] as const);
  let meter: EnvelopeMeter | null = null;
  for await (const block of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'source', range })) {
    meter ??= new EnvelopeMeter({ ...request, sampleRate: SAMPLE_RATE });
    meter.push(block.startSeconds, block.channels);
    request.onProgress(block.startSeconds);
  }
  return meter?.finish() ?? null;
}

/** The waveform of a sound as editors draw it, over all channels. Memory depends on the number of columns only. */
export class EnvelopeMeter {
  readonly #sampleRate: number;
  readonly #durationSeconds: number;
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #squares: Float64Array;
  readonly #counts: Float64Array;

  constructor(format: {
    readonly sampleRate: number;
    readonly durationSeconds: number;
    readonly columns: number;
  }) {
    this.#sampleRate = format.sampleRate;
    this.#durationSeconds = format.durationSeconds;
    this.#min = new Float64Array(format.columns);
    this.#max = new Float64Array(format.columns);
    this.#squares = new Float64Array(format.columns);
    this.#counts = new Float64Array(format.columns);
  }

  /** Channels of equal length that begin at `startSeconds`. Samples beyond the duration count in the last column. */
  push(startSeconds: number, channels: readonly ArrayLike<number>[]): void {
    const last = this.#min.length - 1;
    const perSample = this.#min.length / (this.#durationSeconds * this.#sampleRate);
    const offset = startSeconds * this.#sampleRate;
    for (const samples of channels) {
      for (let n = 0; n < samples.length; n++) {
        const value = samples[n];
        const column = Math.min(last, Math.floor((offset + n) * perSample));
        if (value < this.#min[column]) this.#min[column] = value;
        if (value > this.#max[column]) this.#max[column] = value;
        this.#squares[column] += value * value;
        this.#counts[column]++;
      }
    }
  }

  finish(): Envelope {
    return {
      durationSeconds: this.#durationSeconds,
      min: Array.from(this.#min),
      max: Array.from(this.#max),
      rms: Array.from(this.#squares, (sum, column) => Math.sqrt(sum / Math.max(1, this.#counts[column]))),
    };
  }
}
