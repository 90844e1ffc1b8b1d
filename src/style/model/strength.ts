import { clamp } from '../../signal/interpolation.ts';

/** The default strength already reaches the template's own pace, sound and transitions; less goes part of the way. */
const FULL_STRENGTH = 0.8;

/** 0..1: how far from the source towards the template a style of this strength goes. */
export function reachOf(strength: number): number {
  return clamp(strength / FULL_STRENGTH, 0, 1);
}
