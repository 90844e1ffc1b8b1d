/** How far templates agree: field by field, and which of them differ from the others. */

import { rounded } from '../../signal/rounding.ts';
import { isMeasured, type StylePart } from '../model/measured-parts.ts';
import type { Style, StyleField } from '../model/schema.ts';
import type { Template } from './templates.ts';
import { canShow, closeness, TRAITS, type TraitPart } from './traits.ts';
import { totalWeight, weightedMean } from './weighted.ts';

type Consensus = NonNullable<Style['consensus']>;

/** Below two noticeable differences on average, the closeness is above this. */
const OUTLIER_CLOSENESS = 0.2;
/** Within one noticeable difference on average. The others agree where most of them are. */
const AGREED_CLOSENESS = 0.5;
/** Of two that differ, neither is the exception. */
const MIN_TEMPLATES = 3;

/** Of a measured part: 0 would mean that nothing was measured. */
const LEAST_CONFIDENCE = 0.001;

const PARTS = [
  'color',
  'pacing',
  'transitions',
  'motion',
  'audio',
  'subtitles',
] as const satisfies StylePart[];

export function consensusOf(merged: Style, templates: readonly Template[]): Consensus {
  const outliers = outliersOf(merged, templates);
  return {
    templates: templates
      .map(({ name, weight }, at) => ({ name, weight, outlier_in: outliers[at]! }))
      .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)),
    agreement: agreementOf(merged, templates),
    spread: spreadOf(merged, templates),
  };
}

/** Mean closeness of the templates to each merged field. A template that lacks a field that it could show is not close. */
function agreementOf(merged: Style, templates: readonly Template[]): Record<string, number> {
  return Object.fromEntries(
    TRAITS.filter(({ field }) => merged[field] !== undefined).flatMap(({ field, part, distance }) => {
      const possible = templates.filter(({ style }) => canShow(style, part, field));
      if (possible.length === 0) return [];
      const near = possible.map(({ style, weight }) => {
        const found = distance(style, merged);
        return { value: found === null ? 0 : closeness(found), weight };
      });
      return [[field, rounded(weightedMean(near), 3)]];
    }),
  );
}

/** For each template the parts in which it differs while the others agree. */
function outliersOf(merged: Style, templates: readonly Template[]): TraitPart[][] {
  const count = templates.reduce((sum, { weight }) => sum + weight, 0);
  const found: TraitPart[][] = templates.map(() => []);
  if (count < MIN_TEMPLATES) return found;
  for (const part of [...PARTS, 'shape'] as const) {
    const near = templates.map(({ style }) => partCloseness(style, merged, part));
    for (const [at, own] of near.entries()) {
      const others = near.flatMap((value, other) =>
        value === null || other === at ? [] : [{ value, weight: templates[other]!.weight }],
      );
      if (own === null || own >= OUTLIER_CLOSENESS) continue;
      const agreed = others.filter(({ value }) => value >= AGREED_CLOSENESS);
      if (2 * totalWeight(agreed) > totalWeight(others)) found[at]!.push(part);
    }
  }
  return found;
}

/** Null: the template does not show the part. */
function partCloseness(style: Style, merged: Style, part: TraitPart): number | null {
  const near = TRAITS.filter(
    (trait) => trait.part === part && merged[trait.field] !== undefined && canShow(style, part, trait.field),
  ).map(({ distance }) => {
    const found = distance(style, merged);
    return found === null ? 0 : closeness(found);
  });
  return near.length === 0 ? null : near.reduce((sum, value) => sum + value, 0) / near.length;
}

/** Smallest and largest value of each number, by its path: `cut_frequency`, `color_grade.tint`. */
function spreadOf(merged: Style, templates: readonly Template[]): Consensus['spread'] {
  const spread: Consensus['spread'] = {};
  for (const { field, part } of TRAITS) {
    const styles = templates.map(({ style }) => style).filter((style) => canShow(style, part, field));
    for (const [path, numbers] of numbersAt(field, merged, styles))
      spread[path] = { least: Math.min(...numbers), most: Math.max(...numbers) };
  }
  return spread;
}

/** Values of a number, or of the numbers in a group, over the styles that have them. */
function numbersAt(field: StyleField, merged: Style, styles: readonly Style[]): [string, number[]][] {
  const value = merged[field];
  const valuesOf = (read: (style: Style) => unknown) =>
    styles.map(read).filter((found): found is number => typeof found === 'number');
  if (typeof value === 'number') return [[field, valuesOf((style) => style[field])]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'number'
      ? [
          [
            `${field}.${name}`,
            valuesOf((style) => (style[field] as Record<string, unknown> | undefined)?.[name]),
          ] as [string, number[]],
        ]
      : [],
  );
}

/** Of each part: the best measurement of it, times the mean agreement of its fields. No sound: no confidence of it. */
export function confidenceOf(
  templates: readonly Template[],
  agreement: Readonly<Record<string, number>>,
): NonNullable<Style['confidence']> {
  return Object.fromEntries(
    PARTS.flatMap((part) => {
      const measured = templates.flatMap(({ style }) => measurementOf(style, part));
      const agreed = TRAITS.flatMap((trait) => (trait.part === part ? (agreement[trait.field] ?? []) : []));
      if (agreed.length === 0) return part === 'audio' ? [] : [[part, 0]];
      const mean = agreed.reduce((sum, value) => sum + value, 0) / agreed.length;
      const clearest = Math.max(0, ...measured);
      return [[part, clearest === 0 ? 0 : rounded(Math.max(LEAST_CONFIDENCE, clearest * mean), 3)]];
    }),
  );
}

/** Authored styles have no confidences: they are certain. */
function measurementOf(style: Style, part: (typeof PARTS)[number]): number[] {
  const own = style.confidence?.[part];
  if (own !== undefined) return [own];
  return style.confidence === undefined && isMeasured(style, part) ? [1] : [];
}
