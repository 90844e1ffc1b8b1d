import type { Band } from '../facts.ts';
import { type OnsetCurve, peakNear, strongOnsets } from './onset-curve.ts';

/** A band names an onset when it stands out this much more than each other band, by its own usual strength: the level of its loud onsets. */
const DOMINANCE = 1.5;

/** Tells the band of the onset at a frame. */
export function bandReader(curve: OnsetCurve): (frame: number) => Band {
  const names = ['low', 'mid', 'high'] as const;
  const usual = names.map((name) => Math.max(1e-3, strongOnsets(curve[name])));
  return (frame) => {
    const [first, second] = names
      .map((name, i) => ({ name, level: peakNear(curve[name], frame) / usual[i] }))
      .sort((a, b) => b.level - a.level);
    return first.level >= DOMINANCE * second.level && first.level > 0 ? first.name : 'full';
  };
}
