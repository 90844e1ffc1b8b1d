import { clamp } from '../../signal/interpolation.ts';

/**
 * Exponent of pace, transitions and camera over the strength. The default of .8 gives 96 % of the change. The
 * cuts per minute may differ from the template's by a tenth.
 */
const EDIT_EXPONENT = 2;
/** Exponent of look and sound over the strength: 78 % at .4, all but an inaudible .8 % at .8. */
const LEVEL_EXPONENT = 3;
/** Up to this strength only the look is applied; above it, an increasing part of the template's palette. */
const MOOD_FROM = 0.3;
/** .8 gives half of the palette, which also has the content's colors: with .93 and .2 outputs were ranked lower blind (0306). */
const MOOD_EXPONENT = 2;

/** Up to this strength outputs are protected from what harms them in full, at 1 not at all. */
const FULLY_PROTECTED = 0.8;

/** 0..1: how far an output is protected at this strength. */
export function protectionAt(strength: number): number {
  return clamp((1 - strength) / (1 - FULLY_PROTECTED), 0, 1);
}

/** 0..1: share of the change from the source's pace, transitions and camera to the template's. */
export function editShareOf(strength: number): number {
  return 1 - (1 - clamp(strength, 0, 1)) ** EDIT_EXPONENT;
}

/** 0..1: share of the template's look and sound that is applied. */
export function levelShareOf(strength: number): number {
  return 1 - (1 - clamp(strength, 0, 1)) ** LEVEL_EXPONENT;
}

/** 0..1: how far, beyond the look, the palette is moved towards the template's. */
export function moodShareOf(strength: number): number {
  return clamp((strength - MOOD_FROM) / (1 - MOOD_FROM), 0, 1) ** MOOD_EXPONENT;
}
