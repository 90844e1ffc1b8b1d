/** Styles of templates that were cut without regard to their beat. */
import type { Style } from '../../src/style/model/schema.ts';
import { Random } from '../generate/random.ts';

/** Of a style without a tempo: 120 beats a minute. */
const DEFAULT_BEAT_SECONDS = 0.5;
const MIN_SHOT_SECONDS = 0.35;

/** The style with its shots in another order and each cut moved by up to half a beat, so that its phases are random. */
export function offBeatStyle(style: Style, seed: number): Style {
  const random = new Random(seed);
  const beat = style.tempo_bpm === undefined ? DEFAULT_BEAT_SECONDS : 60 / style.tempo_bpm;
  const slots = random.shuffled(style.edit!.slots);
  let [planned, start] = [0, 0];
  const moved = slots.map((slot, at) => {
    planned += slot.length_seconds;
    const end = at === slots.length - 1 ? planned : planned + random.between(-beat / 2, beat / 2);
    const length = Math.max(MIN_SHOT_SECONDS, end - start);
    const phase = (start / beat) % 1;
    start += length;
    return { ...slot, length_seconds: length, length_beats: length / beat, phase };
  });
  return { ...style, edit: { ...style.edit!, slots: moved, on_beat_share: 0.2 } };
}
