import { clipGain, placedClips, totalSamplesOf } from '../../../src/render/sound/audio-assembly.ts';
import { gainEnvelope, placedSpan, spanEnvelope } from '../../../src/render/sound/span-gains.ts';
import { timelineDurationSeconds } from '../../../src/style/model/timeline.ts';
import { MediaFiles } from './media-file.ts';
import { SAMPLE_RATE } from './messages.ts';
import type { PlayedFiles, ProxyFile } from './playback-plan.ts';
import { SoundReader } from './sound-reader.ts';

type Stereo = readonly [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>];

/** Sound of one source in the output, in samples. */
interface Part {
  readonly file: ProxyFile;
  /** First sample in the output and in the source. */
  readonly at: number;
  readonly from: number;
  readonly length: number;
  /** Factor of sample `into` the part. */
  readonly gain: (into: number) => number;
}

/** Mixes the output's sound block by block, by the renderer's positions and gains. One call at a time. */
export class SoundMixer {
  readonly #media = new MediaFiles();
  readonly #readers = new Map<Part, SoundReader>();
  #parts: readonly Part[] = [];

  setFiles(files: PlayedFiles): void {
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
    this.#parts = partsOf(files);
    this.#media.keepOnly(new Set(this.#parts.map(({ file }) => file.address)));
  }

  async mix(from: number, count: number): Promise<Stereo> {
    const out: Stereo = [new Float32Array(count), new Float32Array(count)];
    for (const part of this.#parts) {
      const begin = Math.max(from, part.at);
      const end = Math.min(from + count, part.at + part.length);
      if (end > begin) await this.#add(part, begin, end, from, out);
      else this.#close(part);
    }
    return out;
  }

  async #add(part: Part, begin: number, end: number, blockFrom: number, out: Stereo): Promise<void> {
    const reader = this.#readers.get(part) ?? new SoundReader(this.#media.of(part.file.address));
    this.#readers.set(part, reader);
    const toSource = part.from - part.at;
    await reader.read(begin + toSource, end + toSource, (at, left, right) => {
      const to = at - toSource - blockFrom;
      for (let n = 0; n < left.length; n++) {
        const gain = part.gain(at + n - part.from);
        out[0][to + n]! += left[n]! * gain;
        out[1][to + n]! += right[n]! * gain;
      }
    });
  }

  #close(part: Part): void {
    this.#readers.get(part)?.close();
    this.#readers.delete(part);
  }
}

function partsOf({ timeline, takes, music }: PlayedFiles): Part[] {
  if (timeline.audio === null) return [];
  const parts =
    timeline.sound === undefined ? ownSound(timeline, takes[0]) : mixedSound(timeline, takes, music);
  return parts.filter(({ file, length }) => file.hasSound && length > 0);
}

/** The sound of the only take, cut like its picture. */
function ownSound({ clips }: PlayedFiles['timeline'], file: ProxyFile | undefined): Part[] {
  if (file === undefined) return [];
  const total = totalSamplesOf(clips, SAMPLE_RATE);
  return placedClips(clips, SAMPLE_RATE).map((clip) => {
    const lead = Math.min(clip.before, clip.at);
    const from = clip.start - lead;
    const length = Math.min(clip.end + clip.after - from, total - (clip.at - lead));
    return { file, at: clip.at - lead, from, length, gain: (into) => clipGain(clip, from + into) };
  });
}

function mixedSound(
  timeline: PlayedFiles['timeline'],
  takes: readonly ProxyFile[],
  music: ProxyFile | null,
): Part[] {
  const mix = timeline.sound!;
  const total = Math.round(timelineDurationSeconds(timeline) * SAMPLE_RATE);
  return mix.spans.flatMap((span) => {
    const file = span.source === 'music' ? music : takes[span.source];
    if (file == null) return [];
    const placed = placedSpan(span, total, SAMPLE_RATE);
    const own = spanEnvelope(placed, SAMPLE_RATE);
    let [ducked, last] = [gainEnvelope(mix.musicGain), -1];
    const gain = (into: number) => {
      if (span.source !== 'music') return own(into);
      // The curve is read forwards; a jump back starts again.
      if (into < last) ducked = gainEnvelope(mix.musicGain);
      last = into;
      return own(into) * ducked((placed.at + into) / SAMPLE_RATE);
    };
    return [{ file, at: placed.at, from: placed.from, length: placed.length, gain }];
  });
}
