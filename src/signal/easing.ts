import { clamp } from './interpolation.ts';

/** Maps the elapsed share of a movement or blend to its progress, both 0..1. */
const SHAPES = {
  linear: (share: number) => share,
  ease_in: (share: number) => share * share,
  ease_out: (share: number) => share * (2 - share),
  ease_in_out: (share: number) => share * share * (3 - 2 * share),
} as const;

export function ease(shape: keyof typeof SHAPES, share: number): number {
  return SHAPES[shape](clamp(share, 0, 1));
}
