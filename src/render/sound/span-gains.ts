/** Positions and gains of the spans of a mix: pure functions, which the page's player shares. */
import type { SoundMix, SoundSpan } from '../../style/model/timeline.ts';

export interface PlacedSpan {
  readonly span: SoundSpan;
  /** First sample in the source, and in the output. */
  readonly from: number;
  readonly at: number;
  readonly length: number;
}

export function placedSpan(span: SoundSpan, totalSamples: number, sampleRate: number): PlacedSpan {
  const at = Math.max(0, Math.round(span.startSeconds * sampleRate));
  const end = Math.min(totalSamples, Math.round(span.endSeconds * sampleRate));
  const from = Math.max(0, Math.round(span.sourceStartSeconds * sampleRate));
  return { span, from, at, length: Math.max(0, end - at) };
}

/** Factor of each sample of a span, counted from its start: its gain and its fades. */
export function spanEnvelope({ span, length }: PlacedSpan, sampleRate: number): (into: number) => number {
  const gain = 10 ** (span.gainDb / 20);
  const fadeIn = span.fadeInSeconds * sampleRate;
  const fadeOut = span.fadeOutSeconds * sampleRate;
  return (into) => gain * (ramp(into, fadeIn) * ramp(length - 1 - into, fadeOut));
}

/** Sine ramp over `length` samples: of two that cross, the powers add up to one. */
function ramp(distance: number, length: number): number {
  return distance >= length ? 1 : Math.sin(((distance + 0.5) / length) * (Math.PI / 2));
}

/** Factor over the output's seconds, for times that ascend. */
export function gainEnvelope(keys: SoundMix['musicGain']): (seconds: number) => number {
  let next = 0;
  return (seconds) => {
    while (next < keys.length && keys[next].timeSeconds <= seconds) next++;
    const [before, after] = [keys[next - 1] ?? keys[0], keys[next] ?? keys.at(-1)];
    if (before === undefined || after === undefined) return 1;
    const span = after.timeSeconds - before.timeSeconds;
    const share = span > 0 ? (seconds - before.timeSeconds) / span : 0;
    return 10 ** ((before.gainDb + (after.gainDb - before.gainDb) * share) / 20);
  };
}
