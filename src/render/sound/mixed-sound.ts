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

/** A mix of at most this length is kept, 230 MB; a longer one is decoded piece by piece, again for each reader. */
const PIECE_SECONDS = 600;

/** A part of the output, in samples. */
interface MixedPiece {
  readonly from: number;
  readonly to: number;
  readonly out: StereoBlock;
}

/** The mix of an edit: spans of takes and of the song, with their gains and fades, added up. */
export class MixedSound implements OutputSound {
  readonly totalSamples: number;
  readonly #mix: SoundMix;
  readonly #pathOf: (source: Source) => string;
  readonly #pieceSamples: number;
  #whole: StereoBlock | null = null;

  constructor(
    timeline: Timeline,
    mix: SoundMix,
    takePaths: readonly string[],
    musicPath: string | undefined,
    pieceSeconds = PIECE_SECONDS,
  ) {
    this.totalSamples = Math.round(timelineDurationSeconds(timeline) * OUTPUT_SAMPLE_RATE);
    this.#mix = mix;
    this.#pieceSamples = pieceSeconds * OUTPUT_SAMPLE_RATE;
    this.#pathOf = (source) => (source === 'music' ? musicPath! : takePaths[source]);
  }

  async *blocks(): AsyncGenerator<StereoBlock> {
    const total = this.totalSamples;
    const isWhole = total <= this.#pieceSamples;
    for (let start = 0; start < total; start += this.#pieceSamples) {
      const end = Math.min(total, start + this.#pieceSamples);
      const [left, right] = this.#whole ?? (await this.#mixed(start, end));
      if (isWhole) this.#whole = [left, right];
      for (let from = 0; from < end - start; from += OUTPUT_SAMPLE_RATE) {
        const to = Math.min(end - start, from + OUTPUT_SAMPLE_RATE);
        yield [left.subarray(from, to), right.subarray(from, to)];
        // Yields like decoding does, because the picture may be drawn on the same thread.
        await new Promise(setImmediate);
      }
    }
  }

  async #mixed(from: number, to: number): Promise<StereoBlock> {
    const out = [new Float32Array(to - from), new Float32Array(to - from)] as const;
    const sources = new Map<Source, PlacedSpan[]>();
    for (const span of this.#mix.spans) {
      const placed = placedSpan(span, this.totalSamples, OUTPUT_SAMPLE_RATE);
      if (placed.length === 0 || placed.at >= to || placed.at + placed.length <= from) continue;
      sources.set(span.source, [...(sources.get(span.source) ?? []), placed]);
    }
    for (const [source, spans] of sources) await this.#addSource(source, spans, { from, to, out });
    return out;
  }

  async #addSource(source: Source, spans: readonly PlacedSpan[], piece: MixedPiece): Promise<void> {
    const first = Math.min(...spans.map(({ from, at }) => from + Math.max(0, piece.from - at)));
    const end = Math.max(...spans.map(({ from, at, length }) => from + Math.min(length, piece.to - at)));
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
      for (const span of spans) this.#add(span, block, position, piece);
      position += block[0].length;
    }
  }

  #add(placed: PlacedSpan, block: StereoBlock, position: number, piece: MixedPiece): void {
    const { span, from, at, length } = placed;
    const begin = Math.max(from, position, from + piece.from - at);
    const end = Math.min(from + length, position + block[0].length, from + piece.to - at);
    if (begin >= end) return;
    const { out } = piece;
    const ownGain = spanEnvelope(placed, OUTPUT_SAMPLE_RATE);
    const musicGain = span.source === 'music' ? gainEnvelope(this.#mix.musicGain) : null;
    for (let n = begin; n < end; n++) {
      const into = n - from;
      const to = at + into;
      const factor = ownGain(into) * (musicGain === null ? 1 : musicGain(to / OUTPUT_SAMPLE_RATE));
      out[0][to - piece.from] += block[0][n - position] * factor;
      out[1][to - piece.from] += block[1][n - position] * factor;
    }
  }
}
