/** Curves of transitions as editors offer them. */
import type { Easing } from '../../src/analysis/facts.ts';
import type { Random } from './random.ts';

/** A quadratic curve is as common as a sine. */
export function curveOf(easing: Easing, random: Random): (share: number) => number {
  const power = random.between(1.7, 2.3);
  const sine = random.chance(0.4);
  if (easing === 'ease_in') return sine ? (x) => 1 - Math.cos((x * Math.PI) / 2) : (x) => x ** power;
  if (easing === 'ease_out') return sine ? (x) => Math.sin((x * Math.PI) / 2) : (x) => 1 - (1 - x) ** power;
  if (easing === 'ease_in_out') {
    if (sine) return (x) => (1 - Math.cos(Math.PI * x)) / 2;
    return (x) => (x < 0.5 ? 0.5 * (2 * x) ** power : 1 - 0.5 * (2 - 2 * x) ** power);
  }
  return (x) => x;
}
