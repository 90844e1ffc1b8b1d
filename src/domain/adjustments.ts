/** Changes of a style before it is followed: dials from -1 to 1, where 0 leaves the style as it is. */
import { z } from 'zod';
import { ADJUSTMENT_NAMES, type AdjustmentName } from './adjustment-names.ts';

const FORM = 'Expected a number from -1 to 1';
const dial = z.number(FORM).min(-1, FORM).max(1, FORM);

const DESCRIPTIONS: Readonly<Record<AdjustmentName, string>> = {
  warmth: '-1 cooler, 1 warmer',
  contrast: '-1 softer, 1 harder',
  saturation: '-1 black and white, 1 twice the chroma',
  cuts: '-1 half as many cuts, 1 twice as many',
  zooms: '-1 no slow zooms, 1 more',
  caption_size: '-1 two thirds of the size, 1 one and a half times',
};

function dials<Schema extends z.ZodType>(schemaOf: (name: AdjustmentName) => Schema) {
  return Object.fromEntries(ADJUSTMENT_NAMES.map((name) => [name, schemaOf(name)])) as Record<
    AdjustmentName,
    Schema
  >;
}

/** A whole set: a missing dial is 0. Unknown keys stay. */
export const adjustmentsSchema = z.looseObject(dials((name) => dial.default(0).describe(DESCRIPTIONS[name])));

/** As a caller sends it. */
export const adjustmentsPatchSchema = z.looseObject(
  dials((name) => dial.optional().describe(DESCRIPTIONS[name])),
);
