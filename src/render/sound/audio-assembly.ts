import type { StereoBlock } from '../../media/av/audio-frame.ts';
import type { Clip } from '../../style/model/timeline.ts';

/** Length of the crossfade at a cut that skips a part of the source: half before, half after the cut. */
const OVERLAP_SECONDS = 0.1;
/** Clips with a smaller gap in the source are joined without a crossfade. */
const SEAMLESS_SECONDS = 0.002;

export interface PlacedClip {
  /** In samples of the source. */
  readonly start: number;
  readonly end: number;
  /** Position of `start` in the output, in samples. */
  readonly at: number;
  /** Samples of the sound beyond the cut at either end. */
  readonly before: number;
  readonly after: number;
}

/**
 * Puts the source's sound in the order of the timeline. Clips that are adjacent in the source are joined
 * unchanged. Where a part of the source is skipped, the sounds overlap in a crossfade of equal power.
 * Streaming: samples are pushed once, in order, and returned once.
 */
export class AudioAssembly {
  readonly totalSamples: number;
  readonly #clips: readonly PlacedClip[];
  readonly #rate: number;
  #position = 0;
  #emitted = 0;
  #left = new Float32Array(0);
  #right = new Float32Array(0);

  constructor(clips: readonly Clip[], sampleRate: number) {
    this.#rate = sampleRate;
    this.#clips = placedClips(clips, sampleRate);
    this.totalSamples = totalSamplesOf(clips, sampleRate);
  }

  /** Adds the next samples of the source. Returns the samples of the output that are final, possibly none. */
  push([left, right]: StereoBlock): StereoBlock {
    const from = this.#position;
    this.#position += left.length;
    let final = this.#emitted;
    for (const clip of this.#clips) {
      if (clip.end + clip.after <= from) continue;
      if (clip.start - clip.before >= this.#position) break;
      this.#add(clip, left, right, from);
      // The next clip may still overlap the end of this one.
      const reached = Math.min(this.#position, clip.end - clip.after) - clip.start + clip.at;
      final = Math.max(final, reached);
    }
    return this.#emit(Math.min(final, this.totalSamples));
  }

  /** Returns the remaining samples, silence after the source's end. */
  finish(): StereoBlock {
    return this.#emit(this.totalSamples);
  }

  #add(clip: PlacedClip, left: Float32Array, right: Float32Array, from: number): void {
    const begin = Math.max(from, clip.start - clip.before);
    const end = Math.min(from + left.length, clip.end + clip.after);
    this.#reserve(end - clip.start + clip.at - this.#emitted);
    for (let i = begin; i < end; i++) {
      const to = i - clip.start + clip.at - this.#emitted;
      if (to < 0) continue;
      const gain = clipGain(clip, i);
      this.#left[to] += left[i - from] * gain;
      this.#right[to] += right[i - from] * gain;
    }
  }

  #reserve(length: number): void {
    if (length <= this.#left.length) return;
    const grown = length + this.#rate;
    const copy = (old: Float32Array) => {
      const larger = new Float32Array(grown);
      larger.set(old);
      return larger;
    };
    this.#left = copy(this.#left);
    this.#right = copy(this.#right);
  }

  #emit(upTo: number): StereoBlock {
    const count = Math.max(0, upTo - this.#emitted);
    this.#reserve(count);
    const block = [this.#left.slice(0, count), this.#right.slice(0, count)] as const;
    for (const buffer of [this.#left, this.#right]) {
      buffer.copyWithin(0, count);
      buffer.fill(0, buffer.length - count);
    }
    this.#emitted += count;
    return block;
  }
}

export function totalSamplesOf(clips: readonly Clip[], sampleRate: number): number {
  const seconds = clips.reduce((sum, clip) => sum + (clip.sourceEndSeconds - clip.sourceStartSeconds), 0);
  return Math.round(seconds * sampleRate);
}

/** Position of each clip's sound, in samples. */
export function placedClips(clips: readonly Clip[], sampleRate: number): readonly PlacedClip[] {
  const half = Math.round((OVERLAP_SECONDS / 2) * sampleRate);
  const gap = (left: Clip | undefined, right: Clip | undefined) =>
    left === undefined || right === undefined ? 0 : right.sourceStartSeconds - left.sourceEndSeconds;
  const reach = (seconds: number) =>
    seconds < SEAMLESS_SECONDS ? 0 : Math.min(half, Math.floor((seconds * sampleRate) / 2));
  let at = 0;
  return clips.map((clip, index) => {
    const placed = {
      start: Math.round(clip.sourceStartSeconds * sampleRate),
      end: Math.round(clip.sourceEndSeconds * sampleRate),
      at: Math.round(at * sampleRate),
      before: reach(gap(clips[index - 1], clip)),
      after: reach(gap(clip, clips[index + 1])),
    };
    at += clip.sourceEndSeconds - clip.sourceStartSeconds;
    return placed;
  });
}

/** Factor of sample `at` of the source in a clip's sound. */
export function clipGain(clip: PlacedClip, at: number): number {
  return fade(at - clip.start, clip.before) * fade(clip.end - 1 - at, clip.after);
}

/** Sine ramp from −reach to +reach around an edge: two of them add up to equal power. */
function fade(distance: number, reach: number): number {
  if (reach === 0 || distance >= reach) return 1;
  return Math.sin(((distance + reach + 0.5) / (2 * reach)) * (Math.PI / 2));
}
