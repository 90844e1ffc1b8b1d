import type { Band } from '../facts.ts';
import { type OnsetCurve, peakNear, strongOnsets } from './onset-curve.ts';

/**
 * A band is dominant if an onset exceeds each other band by this factor, each relative to the level of its
 * strong onsets.
 */
const DOMINANCE = 1.5;

/** Returns the dominant band of the onset at a frame. */
export function bandReader(curve: OnsetCurve): (frame: number) => Band {
  const names = ['low', 'mid', 'high'] as const;
  const strengths = names.map((name) => Math.max(1e-3, strongOnsets(curve[name])));
  return (frame) => {
    const [first, second] = names
      .map((name, i) => ({ name, level: peakNear(curve[name], frame) / strengths[i] }))
      .sort((a, b) => b.level - a.level);
    return first.level >= DOMINANCE * second.level && first.level > 0 ? first.name : 'full';
  };
}
