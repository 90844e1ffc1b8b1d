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

/**
 * Earlier increase of the palette above half the strength: at .8 .93 of it are applied. Parts that harm pictures are left out instead,
 * because a smaller share of all parts was recognized less. Above 7.3 the share would fall again.
 */
const MOOD_BEND = 7.2;

/** 0..1: how far, beyond the look, the palette is moved towards the template's. */
export function moodShareOf(strength: number): number {
  const share = clamp((strength - MOOD_FROM) / (1 - MOOD_FROM), 0, 1);
  return share + MOOD_BEND * share ** 3 * (1 - share) ** 2;
}
