import type { StereoBlock } from '../../media/av/audio-frame.ts';
import { openInput } from '../../media/av/open-input.ts';
import { OUTPUT_SAMPLE_RATE } from '../../media/av/output-sample-rate.ts';
import { seekBefore } from '../../media/av/seek.ts';
import { samplesOf } from '../../media/decode/samples.ts';
import {
  type SoundMix,
  type SoundSpan,
  type Timeline,
  timelineDurationSeconds,
} from '../../style/model/timeline.ts';
import type { OutputSound } from './output-sound.ts';
import { gainEnvelope, type PlacedSpan, placedSpan, spanEnvelope } from './span-gains.ts';

/** Decoding starts so long before the first sample that is needed: codecs need some packets to be exact. */
const SEEK_LEAD_SECONDS = 2;

type Source = SoundSpan['source'];

/** The mix of an edit: spans of takes and of the song, with their gains and fades, added up. Decoded once. */
export class MixedSound implements OutputSound {
  readonly totalSamples: number;
  readonly #mix: SoundMix;
  readonly #pathOf: (source: Source) => string;
  #mixed: StereoBlock | null = null;

  constructor(
    timeline: Timeline,
    mix: SoundMix,
    takePaths: readonly string[],
    musicPath: string | undefined,
  ) {
    this.totalSamples = Math.round(timelineDurationSeconds(timeline) * OUTPUT_SAMPLE_RATE);
    this.#mix = mix;
    this.#pathOf = (source) => (source === 'music' ? musicPath! : takePaths[source]);
  }

  async *blocks(): AsyncGenerator<StereoBlock> {
    this.#mixed ??= await this.#mixAll();
    const [left, right] = this.#mixed;
    for (let from = 0; from < this.totalSamples; from += OUTPUT_SAMPLE_RATE) {
      const to = Math.min(this.totalSamples, from + OUTPUT_SAMPLE_RATE);
      yield [left.subarray(from, to), right.subarray(from, to)];
      // Yields like decoding does, because the picture may be drawn on the same thread.
      await new Promise(setImmediate);
    }
  }

  async #mixAll(): Promise<StereoBlock> {
    const out = [new Float32Array(this.totalSamples), new Float32Array(this.totalSamples)] as const;
    const sources = new Map<Source, PlacedSpan[]>();
    for (const span of this.#mix.spans) {
      const placed = placedSpan(span, this.totalSamples, OUTPUT_SAMPLE_RATE);
      if (placed.length > 0) sources.set(span.source, [...(sources.get(span.source) ?? []), placed]);
    }
    for (const [source, spans] of sources) await this.#addSource(source, spans, out);
    return out;
  }

  async #addSource(source: Source, spans: readonly PlacedSpan[], out: StereoBlock): Promise<void> {
    const first = Math.min(...spans.map(({ from }) => from));
    const end = Math.max(...spans.map(({ from, length }) => from + length));
    using input = await openInput(this.#pathOf(source));
    const leadSeconds = first / OUTPUT_SAMPLE_RATE - SEEK_LEAD_SECONDS;
    // A position that could not be reached is passed by decoding from the start.
    if (leadSeconds > 0) seekBefore(input, leadSeconds);
    const options = {
      sampleRate: OUTPUT_SAMPLE_RATE,
      channels: 'stereo',
      seconds: end / OUTPUT_SAMPLE_RATE,
    } as const;
    let position = 0;
    for await (const { channels } of samplesOf(input, options)) {
      const block = channels as unknown as StereoBlock;
      for (const span of spans) this.#add(span, block, position, out);
      position += block[0].length;
    }
  }

  #add(placed: PlacedSpan, block: StereoBlock, position: number, out: StereoBlock): void {
    const { span, from, at, length } = placed;
    const begin = Math.max(from, position);
    const end = Math.min(from + length, position + block[0].length);
    const ownGain = spanEnvelope(placed, OUTPUT_SAMPLE_RATE);
    const musicGain = span.source === 'music' ? gainEnvelope(this.#mix.musicGain) : null;
    for (let n = begin; n < end; n++) {
      const into = n - from;
      const to = at + into;
      const factor = ownGain(into) * (musicGain === null ? 1 : musicGain(to / OUTPUT_SAMPLE_RATE));
      out[0][to] += block[0][n - position] * factor;
      out[1][to] += block[1][n - position] * factor;
    }
  }
}
