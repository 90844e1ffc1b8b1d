import { clamp } from '../../signal/interpolation.ts';

/** The default strength already reaches the template's own pace, sound and transitions; less goes part of the way. */
const FULL_STRENGTH = 0.8;

/** 0..1: how far from the source towards the template a style of this strength goes. */
export function reachOf(strength: number): number {
  return clamp(strength / FULL_STRENGTH, 0, 1);
}

/** How fast the look comes with the strength: at .4 most of it is there, and more strength still adds. */
const LOOK_EXPONENT = 3;
/** Below this strength there is the look alone; from there on more and more of the template's palette goes on top. */
const MOOD_FROM = 0.3;

/** 0..1: how much of the template's look is put on at a strength. */
export function lookShareOf(strength: number): number {
  return 1 - (1 - clamp(strength, 0, 1)) ** LOOK_EXPONENT;
}

/** 0..1: how far, beyond the look, the palette is moved towards the template's. */
export function moodShareOf(strength: number): number {
  return clamp((strength - MOOD_FROM) / (1 - MOOD_FROM), 0, 1);
}
