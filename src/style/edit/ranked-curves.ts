/** The curves by which shots of a template and spans of takes are compared, and their scales. */
import type { TemplateSlot } from './edit-plan.ts';

/** The curves that a template's slot ranks, with the slot's field. */
export const RANKED_CURVES = ['motion', 'activity', 'contrast', 'detail', 'lightness'] as const;
export type RankedCurve = (typeof RANKED_CURVES)[number];

export const RANK_FIELDS = {
  motion: 'motionRank',
  activity: 'activityRank',
  contrast: 'contrastRank',
  detail: 'detailRank',
  lightness: 'lightnessRank',
} as const satisfies Record<RankedCurve, keyof TemplateSlot>;

/** About what noise gives; added before logarithms. */
export const FLOORS = { motion: 0.01, activity: 0.005, contrast: 0.02, detail: 0.01 } as const;
/** CIELAB lightness that weighs as much as a factor of e of the others. */
const LIGHTNESS_UNIT = 50;

/** A value on a scale on which differences mean the same everywhere: a logarithm, for lightness a multiple. */
export function scaled(name: RankedCurve, value: number): number {
  return name === 'lightness' ? value / LIGHTNESS_UNIT : Math.log(value + FLOORS[name]);
}
