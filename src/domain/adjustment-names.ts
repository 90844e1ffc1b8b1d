/** Names of the dials that change a style; without schemas, because the page loads them too. */
export const ADJUSTMENT_NAMES = [
  'warmth',
  'contrast',
  'saturation',
  'cuts',
  'zooms',
  'caption_size',
] as const;
export type AdjustmentName = (typeof ADJUSTMENT_NAMES)[number];

/** Each from -1 to 1; 0: as in the style. */
export type Adjustments = { readonly [Name in AdjustmentName]: number };

export const NO_ADJUSTMENTS = Object.fromEntries(ADJUSTMENT_NAMES.map((name) => [name, 0])) as Adjustments;

export function isAdjusted(adjust: Adjustments): boolean {
  return ADJUSTMENT_NAMES.some((name) => adjust[name] !== 0);
}
