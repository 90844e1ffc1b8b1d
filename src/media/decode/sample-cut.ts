import type { SampleBlock } from '../../domain/footage.ts';
import type { TimeRange } from '../../domain/time-range.ts';

/** Cuts a part out of blocks of samples, which it takes in order; its clock begins with the part. */
export class SampleCut {
  /** Whether all samples of the part were taken. */
  isComplete = false;
  readonly #first: number;
  readonly #end: number;

  constructor([from, to]: TimeRange, sampleRate: number) {
    this.#first = Math.round(from * sampleRate);
    this.#end = Math.round(to * sampleRate);
  }

  /** The samples of the block that belong to the part; null: none. */
  take({ startSeconds, sampleRate, channels }: SampleBlock): SampleBlock | null {
    const offset = Math.round(startSeconds * sampleRate);
    const length = channels[0]?.length ?? 0;
    this.isComplete ||= offset + length >= this.#end;
    const from = Math.max(0, this.#first - offset);
    const to = Math.min(length, this.#end - offset);
    if (from >= to) return null;
    return {
      startSeconds: (offset + from - this.#first) / sampleRate,
      sampleRate,
      channels: channels.map((samples) => samples.subarray(from, to)),
    };
  }
}
