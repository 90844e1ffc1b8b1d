import { clamp } from '../../signal/interpolation.ts';

/**
 * How fast pace, transitions and camera come with the strength: the default of .8 brings 96 % of the way, well within the
 * tenth by which the cuts per minute may miss the template's, and what is above it brings the rest.
 */
const EDIT_EXPONENT = 2;
/** How fast look and sound come with the strength: at .4 most is there (78 %), at .8 all but what no ear hears (.8 %). */
const LEVEL_EXPONENT = 3;
/** Below this strength there is the look alone; from there on more and more of the template's palette goes on top. */
const MOOD_FROM = 0.3;

/** 0..1: how far pace, transitions and camera go from the source's towards the template's at a strength. */
export function editShareOf(strength: number): number {
  return 1 - (1 - clamp(strength, 0, 1)) ** EDIT_EXPONENT;
}

/** 0..1: how much of the template's look, and of its sound, is put on at a strength. */
export function levelShareOf(strength: number): number {
  return 1 - (1 - clamp(strength, 0, 1)) ** LEVEL_EXPONENT;
}

/** How much sooner the palette comes above half the strength: strong colors take less of it, so that greys take more. */
const MOOD_BEND = 0.8;

/** 0..1: how far, beyond the look, the palette is moved towards the template's. */
export function moodShareOf(strength: number): number {
  const share = clamp((strength - MOOD_FROM) / (1 - MOOD_FROM), 0, 1);
  return share + MOOD_BEND * share ** 2 * (1 - share);
}
