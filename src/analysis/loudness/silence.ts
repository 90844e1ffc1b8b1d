import { totalSeconds } from '../../domain/spans.ts';
import type { ChannelSamples } from '../../signal/channel-samples.ts';
import { powerOfDb } from '../../signal/decibels.ts';
import { Series } from '../../signal/series.ts';
import type { Detector } from '../detector.ts';
import type { AudioFacts, Span } from '../facts.ts';

const STEPS_PER_SECOND = 100;
/** Quieter than any recorded room, louder than dither and codec noise. */
const SILENT_POWER = powerOfDb(-60);
/** A shorter silence is a pause between sounds. */
export const MIN_SILENCE_SECONDS = 0.3;

/** Mean power per 10 ms over all channels, and its silences: below −60 dBFS for at least 0.3 s. */
export class LevelMeter implements Detector<[ChannelSamples], AudioFacts['silence'], [number]> {
  readonly #sampleRate: number;
  readonly #powers = new Series();
  #position = 0;
  #stepStart = 0;
  #sum = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
  }

  push(samples: ChannelSamples): void {
    const { channels } = samples;
    const length = channels[0]?.length ?? 0;
    let from = 0;
    while (from < length) {
      const boundary = Math.round(((this.#powers.length + 1) * this.#sampleRate) / STEPS_PER_SECOND);
      const to = Math.min(length, from + boundary - this.#position);
      for (const c of channels.keys()) this.#sum = samples.addSquares(c, from, to, this.#sum);
      this.#position += to - from;
      from = to;
      if (this.#position === boundary) this.#close(channels.length);
    }
  }

  #close(channelCount: number): void {
    this.#powers.push(this.#sum / Math.max(1, (this.#position - this.#stepStart) * channelCount));
    this.#stepStart = this.#position;
    this.#sum = 0;
  }

  finish(durationSeconds: number): AudioFacts['silence'] {
    const powers = this.#powers.values();
    const spans: Span[] = [];
    let start = -1;
    for (let t = 0; t <= powers.length; t++) {
      const silent = t < powers.length && powers[t] < SILENT_POWER;
      if (silent && start < 0) start = t;
      if (silent || start < 0) continue;
      if ((t - start) / STEPS_PER_SECOND >= MIN_SILENCE_SECONDS) {
        spans.push({ startSeconds: start / STEPS_PER_SECOND, endSeconds: t / STEPS_PER_SECOND });
      }
      start = -1;
    }
    const silent = totalSeconds(spans);
    return { share: durationSeconds > 0 ? Math.min(1, silent / durationSeconds) : 1, spans };
  }
}
